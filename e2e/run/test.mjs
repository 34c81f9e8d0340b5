/**
 * The one test command: install, types, lint, unit tests, builds, and the tests in a real browser,
 * all of them even when one fails. Its last line is the sum, `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../../scripts/build/ensure_installed.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const reports = join(root, '.cache', 'reports')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

ensureInstalled(['typescript', 'vitest', 'playwright', 'vite'])
const { ensureBrowser } = await import('./find_browser.mjs')
const browser = ensureBrowser()
console.log(`Browser: ${browser}`)
const env = { ...process.env, PLAYWRIGHT_CHROMIUM: browser }
const bin = (...parts) => join(root, 'node_modules', ...parts)
const total = { passed: 0, failed: 0, skipped: 0 }
const lines = []

/** A step that passes or fails as one. */
check('types', [bin('typescript/bin/tsc'), '--noEmit', '-p', '.'])
check('lint', [join(root, 'scripts/check/lint.mjs')])
suite(
  'unit',
  [
    bin('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, 'unit.json')}`,
  ],
  'unit.json',
  (report) => ({
    passed: report.numPassedTests,
    // A file that does not load holds no tests that could fail.
    failed:
      report.numFailedTests +
      report.testResults.filter(
        (file) => file.status === 'failed' && file.assertionResults.length === 0,
      ).length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }),
)
check('build of the package', [join(root, 'scripts/build/build.mjs')])
check('build of the page', [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn'])
suite(
  'browser',
  [bin('@playwright/test/cli.js'), 'test', '-c', 'e2e/playwright.config.ts'],
  'e2e.json',
  ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }),
)

console.log(`\n${lines.join('\n')}`)
if (total.skipped > 0) console.log(`${total.skipped} skipped, each with its reason above`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

function run(args) {
  return spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, HUBMESH_E2E_REPORT: join(reports, 'e2e.json') },
  }).status
}

function check(name, args) {
  console.log(`\n== ${name}`)
  const ok = run(args) === 0
  add(name, { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
}

/**
 * A test runner: its report counts; one that ends badly without a failed test, or without tests, is
 * a failure itself.
 */
function suite(name, args, report, count) {
  console.log(`\n== ${name}`)
  const status = run(args)
  const file = join(reports, report)
  const counts = existsSync(file)
    ? count(JSON.parse(readFileSync(file, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 }
  if (counts.failed === 0 && (status !== 0 || counts.passed === 0)) counts.failed = 1
  add(name, counts)
}

function add(name, { passed, failed, skipped }) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  lines.push(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failed} ` +
      `failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  )
}
