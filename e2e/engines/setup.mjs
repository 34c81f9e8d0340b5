/** What the three engines need of the system: Debian's packages, installed when missing. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { ensureBrowser } from '../run/find_browser.mjs'

export const FIREFOX = '/usr/bin/firefox-esr'
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
const LIBRARIES = '/usr/lib/x86_64-linux-gnu'
/** Its folder carries the version of the library's interface. */
const miniBrowser = () =>
  (existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [])
    .filter((name) => name.startsWith('webkit2gtk-'))
    .map((name) => `${LIBRARIES}/${name}/MiniBrowser`)
    .find((path) => existsSync(path)) ?? `${LIBRARIES}/webkit2gtk-4.1/MiniBrowser`
const NEEDED = () => [
  [FIREFOX, 'firefox-esr'],
  [WEBKIT_DRIVER, 'webkit2gtk-driver'],
  [miniBrowser(), 'webkit2gtk-driver'],
  ['/usr/bin/xvfb-run', 'xvfb'],
  ['/usr/bin/xauth', 'xauth'],
]
const missing = () => [
  ...new Set(
    NEEDED()
      .filter(([path]) => !existsSync(path))
      .map(([, name]) => name),
  ),
]

/** Installs what is not there; throws with what is still missing. */
export function setup() {
  ensureBrowser()
  if (missing().length === 0) return
  console.log(`Installing ${missing().join(', ')}.`)
  for (const args of [
    ['update', '-q'],
    [
      'install',
      '-y',
      '-q',
      '--no-install-recommends',
      'firefox-esr',
      'webkit2gtk-driver',
      'xvfb',
      'xauth',
    ],
  ]) {
    spawnSync('apt-get', args, {
      stdio: 'inherit',
      timeout: 600_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  if (missing().length > 0)
    throw new Error(
      `Firefox ESR and WebKitGTK come from Debian's packages, and ${missing().join(', ')} ` +
        'could not be installed. Run this on Debian as root, or install them.',
    )
}

export const MINI_BROWSER = miniBrowser()
