/**
 * Where the tests' Chromium comes from: an installed one, else Playwright's, else the system's
 * packages.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * For a machine without a graphics card, without rights to a sandbox, and without a network beyond
 * itself.
 */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The path of a browser that is there, or null. PLAYWRIGHT_CHROMIUM names one and wins. */
export function findBrowser() {
  const named = process.env.PLAYWRIGHT_CHROMIUM
  if (named !== undefined && named !== '') {
    if (!existsSync(named))
      throw new Error(
        `PLAYWRIGHT_CHROMIUM is ${named}, where no file is. Correct it or leave it out.`,
      )
    return named
  }
  return [...PLACES, chromium.executablePath()].find((path) => existsSync(path)) ?? null
}

/** Finds a browser or installs one. */
export function ensureBrowser() {
  const found = findBrowser()
  if (found !== null) return found
  console.log('No Chromium found; installing one.')
  const steps = [
    ['npx', ['playwright', 'install', 'chromium'], 300_000],
    ['apt-get', ['update'], 300_000],
    ['apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], 600_000],
  ]
  for (const [command, args, timeout] of steps) {
    spawnSync(command, args, {
      stdio: 'inherit',
      timeout,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    const installed = findBrowser()
    if (installed !== null) return installed
  }
  throw new Error(
    'No Chromium could be found or installed. Install Chromium or Chrome, or name one in PLAYWRIGHT_CHROMIUM.',
  )
}
