/**
 * How the package's trees are built: `library` for a bundler to read, `browser` for script tags,
 * `node`.
 */
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions } from 'vite'
import type { Plugin, UserConfig } from 'vite'
import { inlineWorkers } from './build_inline.ts'

export const path = (relativePath: string): string =>
  fileURLToPath(new URL(`../../${relativePath}`, import.meta.url))

const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(path('package.json'), 'utf8'),
) as Record<'dependencies' | 'peerDependencies', Record<string, string>>

/** Imported by the package that is installed beside hubmesh, subpaths included. */
const isInstalled = (id: string): boolean =>
  [...Object.keys(dependencies), ...Object.keys(peerDependencies), ...builtinModules].some(
    (name) => id === name || id.startsWith(`${name}/`),
  ) || id.startsWith('node:')

/**
 * Not ECMAScript modules: Vite's development server hands what a worker of a package imports to the
 * browser as it is, so these come along.
 */
const COMMON_JS: ReadonlySet<string> = new Set(['chardet', 'papaparse', 'wink-porter2-stemmer'])

const WORKERS = {
  'engine.worker': path('workers/engine.worker.ts'),
  'embed.worker': path('workers/embed.worker.ts'),
}

/**
 * Entries of a page, one for each sub-path of the package; `engine` is the engine alone, for
 * bundlers that share what is lazy among entries.
 */
const PAGE = {
  index: path('src/index.ts'),
  engine: path('src/entries/page_engine.ts'),
  inline: path('src/entries/inline.ts'),
}

/**
 * Entries beside the engine: language models, and what joins it to other libraries, which are
 * optional peers.
 */
const BESIDE = {
  chat: path('src/entries/chat.ts'),
  langchain: path('src/entries/langchain.ts'),
  react: path('src/entries/react.ts'),
}

/**
 * The plain wasm runtime is half the size of the WebGPU one (14.3 against 26.9 MB) and faster on a
 * processor. Its build without embedded wasm is the right one: the embedding worker hands over
 * bytes that it verified.
 */
export const RUNTIME: NonNullable<UserConfig['resolve']> = {
  alias: [{ find: 'onnxruntime-web/webgpu', replacement: 'onnxruntime-web/wasm' }],
  conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
}

/**
 * Points `new Worker(new URL(…, import.meta.url))` of the sources at the built worker beside it.
 * The literal form must reach the user's bundler untouched, so Vite's own worker handling is kept
 * from seeing it.
 */
function ownWorkers(): Plugin {
  return {
    name: 'hubmesh-own-workers',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/port/spawn.ts')) return null
      return code.replace(
        /'\.\.\/\.\.\/workers\/(engine|embed)\.worker\.ts'/g,
        '__HUBMESH_WORKER__.$1',
      )
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        chunk.code = chunk.code.replace(
          /__HUBMESH_WORKER__\.(engine|embed)/g,
          (_match, role: string) => {
            const to = relative(dirname(chunk.fileName), `${role}.worker.js`)
            return JSON.stringify(to.startsWith('.') ? to : `../${to}`)
          },
        )
      }
    },
  }
}

/**
 * Folders are Node's: a page must not carry that storage, and a bundler for pages cannot resolve
 * what it imports. `createEngine` refuses the option.
 */
export function withoutFolders(): Plugin {
  const id = '\0hubmesh-no-folders'
  return {
    name: 'hubmesh-without-folders',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/folder/storage.ts') ? id : null),
    load: (loaded) =>
      loaded === id
        ? ['openDirectoryStorage', 'listDirectoryCorpora', 'deleteDirectoryCorpus']
            .map(
              (name) =>
                `export function ${name}() { throw new Error('Folders are for hubmesh/node.') }`,
            )
            .join('\n')
        : null,
  }
}

/**
 * One file a source file, so that a bundler leaves out what an app does not use, file by file. The
 * file that makes the workers lies beside them: a bundler that leaves `new URL` alone (esbuild)
 * finds them beside its output.
 */
function moduleFile({
  name,
  isEntry,
}: {
  readonly name: string
  readonly isEntry: boolean
}): string {
  // npm packs no folder of that name.
  return isEntry
    ? '[name].js'
    : name === 'port/spawn'
      ? 'spawn.js'
      : `lib/${name.replace(/^.*node_modules\//, 'with/')}.js`
}

function library(
  outDir: string,
  entry: Record<string, string>,
  options: { readonly bundled: boolean; readonly node?: boolean },
): UserConfig {
  const page = options.node !== true
  return {
    root: path('.'),
    publicDir: false,
    plugins: page ? [ownWorkers(), withoutFolders(), inlineWorkers()] : [],
    ...(options.bundled ? { resolve: RUNTIME } : {}),
    // Names of the host that a bundle for every page must not ask for.
    define: options.bundled ? { 'process.env.NODE_ENV': '"production"' } : {},
    build: {
      outDir: path(outDir),
      emptyOutDir: true,
      target: 'es2022',
      minify: options.bundled,
      sourcemap: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4000,
      lib: { entry, formats: ['es'] },
      ...(page ? {} : { ssr: true }),
      rolldownOptions: {
        // What chunks share lies in a chunk of its own, never in an entry, which would then export
        // it too, under names of one letter.
        preserveEntrySignatures: 'strict',
        external: options.bundled
          ? []
          : page
            ? (id) => isInstalled(id) && !COMMON_JS.has(id)
            : isInstalled,
        output:
          page && !options.bundled
            ? {
                preserveModules: true,
                preserveModulesRoot: path('src'),
                entryFileNames: moduleFile,
              }
            : { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  }
}

/** By `--mode`. `library` empties dist, so it comes first. */
export const LIBRARY: ReadonlyMap<string, UserConfig> = new Map([
  [
    'library',
    library(
      'dist',
      { ...PAGE, stores: path('src/entries/stores.ts'), ...BESIDE, ...WORKERS },
      { bundled: false },
    ),
  ],
  [
    'browser',
    library(
      'dist/browser',
      { hubmesh: PAGE.index, inline: PAGE.inline, chat: BESIDE.chat, ...WORKERS },
      { bundled: true },
    ),
  ],
  [
    'node',
    library(
      'dist/node',
      {
        index: path('src/node.ts'),
        mcp: path('src/mcp/index.ts'),
        cli: path('src/cli/main.ts'),
        'mcp-cli': path('src/cli/mcp_main.ts'),
      },
      { bundled: false, node: true },
    ),
  ],
])
