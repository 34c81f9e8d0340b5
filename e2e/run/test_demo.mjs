/**
 * The tests of the page as a product by themselves: `npm run test:demo`, which builds the page and
 * the package where they are missing. Last line: `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../../scripts/build/ensure_built.mjs'
import { ensureBrowser } from './find_browser.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..'),
  folder = join(root, '.cache/demo'),
  report = join(folder, 'report.json')
mkdirSync(folder, { recursive: true })
rmSync(report, { force: true })
const node = (args, env = {}) =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status ?? 1

const built = ensureBuilt(process.argv.includes('--build'))
const status = built
  ? node(
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        '-c',
        'e2e/playwright.config.ts',
        '--output',
        join(folder, 'results'),
        'e2e/demo_',
      ],
      { PLAYWRIGHT_CHROMIUM: ensureBrowser(), HUBMESH_DEMO_TIER: '1', HUBMESH_E2E_REPORT: report },
    )
  : 1
const {
  expected = 0,
  flaky = 0,
  unexpected = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).stats : {}
const failed = unexpected > 0 ? unexpected : status !== 0 || expected + flaky === 0 ? 1 : 0
console.log(`${expected + flaky} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
