/** Installs what the lockfile names where that has not been done: a command works in an empty clone. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** `packages` are those the caller needs; without install scripts, as none is needed. */
export function ensureInstalled(packages) {
  if (packages.every((name) => existsSync(join(root, 'node_modules', name)))) return
  console.log('Installing the dependencies, once. This takes a minute or a few.')
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    // npm is a script on Windows, which spawn reaches only through a shell.
    { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
  )
  if (status !== 0) process.exit(status ?? 1)
}
