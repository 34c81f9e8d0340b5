/** The build of the package: three trees, their types, and the sizes printed at the end. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, runnerImport } from 'vite'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const dist = join(root, 'dist')

// `library` empties dist, so it comes first.
for (const mode of ['library', 'browser', 'node']) {
  await build({ configFile: join(root, 'vite.config.ts'), mode, logLevel: 'warn' })
}

// The wasm that `hubmesh assets` copies and Node runs, checked against its manifest.
const ort = spawnSync(
  process.execPath,
  [join(root, 'scripts/build/copy_ort.mjs'), join(dist, 'ort')],
  { stdio: 'inherit' },
)
if (ort.status !== 0) process.exit(ort.status ?? 1)

const { module } = await runnerImport(join(root, 'scripts/build/licences.ts'))
writeFileSync(join(dist, 'licences.txt'), module.licencesText(['library', 'browser', 'node']))

const tsc = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  { stdio: 'inherit' },
)
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

/**
 * Declarations name their neighbours as sources; consumers resolve what lies beside them. Typed
 * arrays take an argument since TypeScript 5.7 only; without it they mean the same to an older one,
 * and no more than what they may hold to a newer.
 */
for (const file of filesOf(join(dist, 'types'))) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text
      .replace(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2')
      .replace(
        /\b((?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array|Float\d+Array)<ArrayBuffer(?:Like)?>/g,
        '$1',
      ),
  )
}
// Workers export nothing; an import of their address still gets a type.
writeFileSync(join(dist, 'types/worker.d.ts'), 'export {}\n')

const parts = [
  'index.js',
  'engine.js',
  'inline.js',
  'stores.js',
  'chat.js',
  'langchain.js',
  'react.js',
  'vue.js',
  'element.js',
  'browser/element.js',
  'testing.js',
  'svelte.js',
  'spawn.js',
  'engine.worker.js',
  'embed.worker.js',
  'browser/hubmesh.js',
  'browser/inline.js',
  'browser/chat.js',
  'browser/engine.worker.js',
  'browser/embed.worker.js',
  'node/index.js',
  'node/mcp.js',
  'node/cli.js',
  'node/mcp-cli.js',
  'licences.txt',
  'ort/ort-wasm-simd-threaded.wasm',
  'ort/ort-wasm-simd-threaded.mjs',
  'types/index.d.ts',
  'types/entries/page_engine.d.ts',
  'types/entries/inline.d.ts',
  'types/node.d.ts',
  'types/entries/stores.d.ts',
  'types/entries/chat.d.ts',
  'types/entries/langchain.d.ts',
  'types/entries/react.d.ts',
  'types/entries/vue.d.ts',
  'types/entries/element.d.ts',
  'types/entries/testing.d.ts',
  'types/entries/svelte.d.ts',
  'types/entries/vite.d.ts',
  'node/vite.js',
  'types/mcp/index.d.ts',
]
const missing = parts.filter((part) => !existsSync(join(dist, part)))
if (missing.length > 0) {
  console.error(`The build left out ${missing.join(', ')}.`)
  process.exit(1)
}

console.log('\n  kB  gzip kB  file')
// Of what a bundler reads, one file a source file, the sum is enough; what an app gets of it is
// measured by npm run test:package.
const built = filesOf(dist).filter((name) => name.endsWith('.js')),
  modules = built.filter((name) => name.startsWith(join(dist, 'lib')))
console.log(
  `${(modules.reduce((sum, file) => sum + statSync(file).size, 0) / 1000).toFixed(1).padStart(8)} ` +
    `          ${relative(root, join(dist, 'lib'))}, ${modules.length} files`,
)
for (const file of built.filter((name) => !modules.includes(name))) {
  const kb = (bytes) => (bytes / 1000).toFixed(1).padStart(8)
  console.log(
    `${kb(statSync(file).size)} ${kb(gzipSync(readFileSync(file)).length)}  ${relative(root, file)}`,
  )
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
