/**
 * The fault tests by themselves: `npm run test:faults`, which builds the page and the package where
 * they are missing, with `-- --full` for every kill of the sweeps, `--seed N` for other moments;
 * what follows goes to Playwright. Its last line is the sum, `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../../scripts/build/ensure_built.mjs'
import { ensureBrowser } from './find_browser.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const args = process.argv.slice(2)
const full = args.includes('--full')
const at = args.indexOf('--seed')
const seed = at < 0 ? '1' : args[at + 1]
if (!/^\d+$/.test(seed ?? '')) {
  console.error('--seed takes a whole number.')
  process.exit(1)
}
const rest = args.filter((arg, i) => arg !== '--full' && (at < 0 || (i !== at && i !== at + 1)))

const reports = join(root, '.cache', 'reports')
mkdirSync(reports, { recursive: true })
const report = join(reports, 'faults.json')
rmSync(report, { force: true })
const { status } = !ensureBuilt()
  ? { status: 1 }
  : spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/@playwright/test/cli.js'),
        'test',
        '-c',
        'e2e/playwright.config.ts',
        '--output',
        join(root, '.cache/faults/results'),
        ...(rest.some((arg) => !arg.startsWith('-')) ? rest : ['e2e/faults', ...rest]),
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: {
          ...process.env,
          PLAYWRIGHT_CHROMIUM: ensureBrowser(),
          HUBMESH_E2E_REPORT: report,
          HUBMESH_FAULTS_SEED: seed,
          ...(full ? { HUBMESH_FAULTS_FULL: '1' } : {}),
        },
      },
    )
const stats = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8')).stats
  : { expected: 0, flaky: 0, unexpected: 0 }
const passed = stats.expected + stats.flaky
// A run that ends badly without a failed test, or without tests, is a failure itself.
const failed = stats.unexpected === 0 && (status !== 0 || passed === 0) ? 1 : stats.unexpected
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
