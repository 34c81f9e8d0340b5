/**
 * How the package's trees are built: `library` for a bundler to read, `browser` for script tags,
 * `node`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions } from 'vite'
import type { Plugin, UserConfig } from 'vite'
import { inlineWorkers, inlineWorkersOfBrowser, textFile } from './build_inline.ts'
import { recordPackages } from './licences.ts'
import { slim } from './slim.ts'

export const path = (relativePath: string): string =>
  fileURLToPath(new URL(`../../${relativePath}`, import.meta.url))

const { peerDependencies } = JSON.parse(readFileSync(path('package.json'), 'utf8')) as {
  readonly peerDependencies: Record<string, string>
}

/**
 * The optional peers and Node's own modules, subpaths included; all else is bundled, so that the
 * package installs alone.
 */
const isInstalled = (id: string): boolean =>
  [...Object.keys(peerDependencies), ...builtinModules].some(
    (name) => id === name || id.startsWith(`${name}/`),
  ) || id.startsWith('node:')

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
  testing: path('src/entries/testing.ts'),
  element: path('src/entries/element.ts'),
  vue: path('src/entries/vue.ts'),
  svelte: path('src/entries/svelte.ts'),
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
 * Large modules that Node reads from the tree for bundlers, so that the package holds them once:
 * transformers.js and ONNX Runtime in the builds for a page (those for Node import sharp and the
 * native runtime outright), token tables, HNSW, the lexicon of names, pdf.js, mail, YAML, stems.
 */
const SHARED: ReadonlyMap<string, string> = new Map([
  ...stemmers(),
  ['js-yaml', 'js-yaml/dist/js-yaml.js'],
  ['postal-mime', 'postal-mime/dist/esm/postal-mime.js'],
  ['@xenova/transformers', '@xenova/transformers/dist/transformers.web.js'],
  ['onnxruntime-web/wasm', 'onnxruntime-web/dist/ort.wasm.min.js'],
  ['gpt-tokenizer/encoding/o200k_base', 'gpt-tokenizer/esm/encoding/o200k_base.js'],
  ['gpt-tokenizer/encoding/cl100k_base', 'gpt-tokenizer/esm/encoding/cl100k_base.js'],
  ['hnswlib-wasm/dist/hnswlib-317962d7.js', 'hnswlib-wasm/dist/hnswlib-317962d7.js'],
  ['compromise/three', 'compromise/src/three.js'],
  ['unpdf', 'unpdf/dist/index.js'],
])

/** Stems and stop words of each language that `src/lexical/languages.ts` loads. */
function stemmers(): (readonly [string, string])[] {
  return Object.entries({
    ...{ danish: 'dk', dutch: 'nl', finnish: 'fi', french: 'fr', german: 'de', hungarian: 'hu' },
    ...{ italian: 'it', norwegian: 'no', portuguese: 'pt', romanian: 'ro', russian: 'ru' },
    ...{ spanish: 'es', swedish: 'se', turkish: 'tr' },
  }).flatMap(([language, code]) =>
    ['stemmers', 'stopwords'].map(
      (kind) => [`@orama/${kind}/${language}`, `@orama/${kind}/dist/${code}.js`] as const,
    ),
  )
}

/** Where the thread that reads a PDF in Node finds pdf.js. */
const PDF_PARSER = '/readers/pdf/pdf_parse.ts',
  PDF_ADDRESS = "import.meta.resolve('unpdf')"

/** Needs `library` built before: a shared module that it does not hold ends the build. */
function sharedWithLibrary(): Plugin {
  const prefix = 'hubmesh-shared:'
  return {
    name: 'hubmesh-shared-with-library',
    enforce: 'pre',
    resolveId(source) {
      const file = SHARED.get(source)
      if (file === undefined) return null
      if (!existsSync(path(`dist/lib/with/${file}`)))
        throw new Error(`dist/lib/with/${file} is missing; build with --mode library first.`)
      return { id: `${prefix}${file}`, external: true }
    },
    transform: (code, id) =>
      id.endsWith(PDF_PARSER)
        ? code.replace(PDF_ADDRESS, `import.meta.resolve('${prefix}${SHARED.get('unpdf')!}')`)
        : null,
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const to = relative(dirname(`node/${chunk.fileName}`), 'lib/with')
        chunk.code = chunk.code.replaceAll(prefix, `${to}/`)
      }
    },
  }
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
            return JSON.stringify(to.startsWith('../') ? to : `./${to}`)
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
    // So is the thread for a PDF, whose address a bundler would look for.
    transform: (code, loaded) =>
      loaded.endsWith(PDF_PARSER) ? code.replace(PDF_ADDRESS, "''") : null,
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

function chunkFile({ name }: { readonly name: string }): string {
  const role = /(engine|embed)_worker_source/.exec(name)?.[1]
  return role === undefined ? 'chunks/[name]-[hash].js' : textFile(role)
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
    plugins: page
      ? [
          ownWorkers(),
          withoutFolders(),
          options.bundled ? inlineWorkers() : inlineWorkersOfBrowser(),
          slim(),
          recordPackages(options.bundled ? 'browser' : 'library'),
        ]
      : [sharedWithLibrary(), slim(), recordPackages('node')],
    ...(page ? { resolve: RUNTIME } : { ssr: { noExternal: true } }),
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
        external: options.bundled ? [] : isInstalled,
        output:
          page && !options.bundled
            ? {
                preserveModules: true,
                preserveModulesRoot: path('src'),
                entryFileNames: moduleFile,
              }
            : { entryFileNames: '[name].js', chunkFileNames: chunkFile },
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
      {
        hubmesh: PAGE.index,
        inline: PAGE.inline,
        chat: BESIDE.chat,
        element: BESIDE.element,
        ...WORKERS,
      },
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
        vite: path('src/entries/vite.ts'),
        'mcp-cli': path('src/cli/mcp_main.ts'),
      },
      { bundled: false, node: true },
    ),
  ],
])
