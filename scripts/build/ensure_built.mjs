/** That the package and the page are built before a tier that runs without `npm test` before it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const BUILDS = [
  ['dist/node/index.js', ['scripts/build/build.mjs']],
  ['dist-demo/index.html', ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']],
]

/** Builds what is missing, or all of it; false where a build fails. */
export function ensureBuilt(anew = false) {
  return BUILDS.every(
    ([file, [script, ...args]]) =>
      (existsSync(join(root, file)) && !anew) ||
      spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' })
        .status === 0,
  )
}
