/**
 * Runs a bench as one bundle, which is how the package ships: apart, every read of another module's
 * constant costs a look. `node scripts/build/bundled.mjs scripts/NAME.ts ARGUMENTS`. The bundle
 * lies as deep below the root as `scripts/bench/bench_scale/`, whose ROOT is counted from there.
 */
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [entry, ...given] = process.argv.slice(2)
if (entry === undefined)
  throw new Error(
    'Name the script to run: node scripts/build/bundled.mjs scripts/bench/bench_scale.ts',
  )
const outfile = join(
  fileURLToPath(new URL('../../.cache/bench/bundled/', import.meta.url)),
  `${basename(entry, '.ts')}.mjs`,
)
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'error',
})
process.argv = [process.argv[0], outfile, ...given]
await import(pathToFileURL(outfile).href)
