/**
 * A build of the package for the fault tests alone, so that a rebuild of `dist` meanwhile does not
 * change what is tested. `node build.mjs OUT`.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const out = process.argv[2]
await build({
  configFile: join(root, 'vite.config.ts'),
  mode: 'browser',
  logLevel: 'warn',
  build: { outDir: join(out, 'hubmesh') },
})
await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: join(out, 'inside'),
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    lib: { entry: { inside: join(root, 'e2e/faults/fixtures/inside.ts') }, formats: ['es'] },
  },
})
