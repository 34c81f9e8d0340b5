/**
 * What is too long for every day: growth of work for every scanner on every adversarial text, fuzz
 * and kills at full count. Its last line is the sum, `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../../scripts/build/ensure_installed.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const report = join(root, '.cache/reports/nightly.json')
ensureInstalled(['vitest', 'playwright'])
mkdirSync(dirname(report), { recursive: true })
rmSync(report, { force: true })
const env = { ...process.env, HUBMESH_NIGHTLY: '1' }
const total = { passed: 0, failed: 0 }

console.log('== growth of work and fuzz, in full')
const unit = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    'src/testing',
    'src/store/testing',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  { cwd: root, stdio: 'inherit', env },
)
const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
add(counts.numPassedTests ?? 0, counts.numFailedTests ?? 0, unit.status)

console.log('\n== kills and faults, in full')
const faults = spawnSync(
  process.execPath,
  [join(root, 'e2e/run/test_faults.mjs'), '--full', ...process.argv.slice(2)],
  { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 },
)
process.stdout.write(faults.stdout ?? '')
const sum = [...(faults.stdout ?? '').matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1)
add(Number(sum?.[1] ?? 0), Number(sum?.[2] ?? 0), faults.status)

console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

/** A run that ends badly without a failed test, or without tests, is a failure itself. */
function add(passed, failed, status) {
  total.passed += passed
  total.failed += failed === 0 && (status !== 0 || passed === 0) ? 1 : failed
}
