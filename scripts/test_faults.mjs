/**
 * Owns the fault tests by themselves: `npm run test:faults`, with `-- --full` for every kill of the sweeps, `--seed N` for
 * other moments; what follows goes to Playwright. Refuses: a run without a browser.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './find_browser.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
const full = args.includes('--full')
const at = args.indexOf('--seed')
const seed = at < 0 ? '1' : args[at + 1]
if (!/^\d+$/.test(seed ?? '')) {
  console.error('--seed takes a whole number.')
  process.exit(1)
}
const rest = args.filter((arg, i) => arg !== '--full' && (at < 0 || (i !== at && i !== at + 1)))

const { status } = spawnSync(process.execPath, [
  join(root, 'node_modules/@playwright/test/cli.js'), 'test', '-c', 'e2e/playwright.config.ts', '--output', join(root, '.cache/faults/results'), ...(rest.some((arg) => !arg.startsWith('-')) ? rest : ['e2e/faults', ...rest]),
], { cwd: root, stdio: 'inherit', env: { ...process.env, PLAYWRIGHT_CHROMIUM: ensureBrowser(), HUBMESH_FAULTS_SEED: seed, ...(full ? { HUBMESH_FAULTS_FULL: '1' } : {}) } })
process.exit(status ?? 1)
