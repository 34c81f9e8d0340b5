/** How the browser tests run: one Chromium, one test at a time, because they measure. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from './run/find_browser.mjs'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const report = process.env['HUBMESH_E2E_REPORT']

export const BROWSER = findBrowser() ?? ''

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // Tiers of their own: npm run test:faults, npm run test:demo.
  testIgnore: [
    ...(process.env['HUBMESH_FAULTS_SEED'] === undefined ? ['**/faults/**'] : []),
    ...(process.env['HUBMESH_DEMO_TIER'] === undefined ? ['**/demo_*.spec.ts'] : []),
  ],
  outputDir: path('../test-results'),
  forbidOnly: true,
  retries: process.env['CI'] ? 1 : 0,
  workers: 1,
  timeout: 120_000,
  reporter: report === undefined ? 'list' : [['list'], ['json', { outputFile: report }]],
  use: {
    browserName: 'chromium',
    headless: true,
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: { executablePath: BROWSER, args: BROWSER_ARGS },
  },
})
