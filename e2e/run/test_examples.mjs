/**
 * The run of the examples as a tier of their own: each in a process, its output compared. Its last
 * line is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const folder = mkdtempSync(join(tmpdir(), 'hubmesh-examples-')),
  file = join(folder, 'report.json')
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    'examples',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ],
  { cwd: root, stdio: 'inherit' },
)
const report = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 0 }
rmSync(folder, { recursive: true, force: true })
// A file that does not load, or a run without tests, is a failure too.
const passed = report.numPassedTests,
  failed = report.numFailedTests || (status === 0 && passed > 0 ? 0 : 1)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
