/** All checks of form, every one of them even when one fails: `npm run lint`. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const CHECKS = [
  ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  [
    'node_modules/eslint/bin/eslint.js',
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    '.cache/eslint',
    '.',
  ],
  ['scripts/check/check_tree.mjs'],
  ['scripts/check/check_rooms.mjs'],
  ['scripts/check/check_shape.mjs'],
]

const failed = CHECKS.filter(
  ([script, ...options]) =>
    spawnSync(process.execPath, [join(root, script), ...options], { cwd: root, stdio: 'inherit' })
      .status !== 0,
).map(([script]) => script)
if (failed.length > 0) console.error(`lint: ${failed.join(', ')} failed`)
process.exit(failed.length === 0 ? 0 : 1)
