/**
 * The two workers as text, for pages that cannot host a worker file: each is one module without
 * imports.
 */
import { dirname, relative } from 'node:path/posix'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { path, RUNTIME, withoutFolders } from './build_library.ts'

const SOURCES = /^virtual:hubmesh\/(engine|embed)_worker_source$/

/**
 * Resolves `virtual:hubmesh/engine_worker_source` and `…/embed_worker_source`; each is built once a
 * run.
 */
export function inlineWorkers(): Plugin {
  return {
    name: 'hubmesh-inline-workers',
    enforce: 'pre',
    resolveId: (source) =>
      SOURCES.test(source) ? `\0${source.replace('virtual:hubmesh/', 'hubmesh-')}.js` : null,
    async load(id) {
      const role = /^\0hubmesh-(engine|embed)_worker_source\.js$/.exec(id)?.[1]
      return role === undefined
        ? null
        : `export const source = ${JSON.stringify(await workerText(role))}`
    },
  }
}

/** Where the browser tree keeps a worker's text; the tree for bundlers reads it there. */
export const textFile = (role: string): string => `chunks/${role}_worker_source.js`

/** The texts are in the package once: dist/browser has them. */
export function inlineWorkersOfBrowser(): Plugin {
  const prefix = 'hubmesh-text:'
  return {
    name: 'hubmesh-inline-workers-of-browser',
    enforce: 'pre',
    resolveId(source) {
      const role = SOURCES.exec(source)?.[1]
      return role === undefined ? null : { id: `${prefix}${role}`, external: true }
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const to = relative(dirname(chunk.fileName), 'browser')
        chunk.code = chunk.code.replace(
          /hubmesh-text:(engine|embed)/g,
          (_match, role: string) => `${to.startsWith('.') ? to : `./${to}`}/${textFile(role)}`,
        )
      }
    },
  }
}

const texts = new Map<string, Promise<string>>()

function workerText(role: string): Promise<string> {
  const known = texts.get(role)
  if (known !== undefined) return known
  const text = bundle(role)
  texts.set(role, text)
  return text
}

async function bundle(role: string): Promise<string> {
  const built = (await build({
    configFile: false,
    root: path('.'),
    publicDir: false,
    logLevel: 'warn',
    resolve: RUNTIME,
    plugins: [withoutFolders(), withoutTheLarge()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      sourcemap: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4000,
      lib: { entry: { [role]: path(`workers/${role}.worker.ts`) }, formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[]
  const chunks = built.flatMap(({ output }) => output)
  const [chunk] = chunks
  if (
    chunks.length !== 1 ||
    chunk?.type !== 'chunk' ||
    [...chunk.imports, ...chunk.dynamicImports].some((name) => name !== chunk.fileName)
  ) {
    throw new Error(
      `The ${role} worker is ${String(chunks.length)} files or imports something; as text it ` +
        'must be one file without imports.',
    )
  }
  return chunk.code
}

/** The page counts with the tokenizers itself; HNSW and pdf are refused by name. */
function withoutTheLarge(): Plugin {
  const tokenizer = '\0hubmesh-no-tokenizer',
    hnsw = '\0hubmesh-no-hnsw',
    pdf = '\0hubmesh-no-pdf'
  return {
    name: 'hubmesh-without-the-large',
    enforce: 'pre',
    resolveId: (source) =>
      source.startsWith('gpt-tokenizer/')
        ? tokenizer
        : /\/hnsw_(index|library)\.ts$/.test(source)
          ? hnsw
          : source.endsWith('/pdf_parse.ts')
            ? pdf
            : null,
    load: (id) =>
      id === tokenizer
        ? 'throw new Error("Tokenizers are not in a worker of hubmesh/inline.")'
        : id === hnsw
          ? [
              `import { HubmeshError } from ${JSON.stringify(path('src/base/errors.ts'))}`,
              // `auto` asks this before it goes over to HNSW, and stays exact.
              'export function evalIsAllowed() { return false }',
              'export function createHnswIndex() { throw new HubmeshError("input/invalid", ' +
                "\"index: 'hnsw' is not in the workers of hubmesh/inline; use index: 'exact', " +
                'or the entry hubmesh with its worker files.", { details: { option: "index" } }) ' +
                '}',
            ].join('\n')
          : id === pdf
            ? [
                `import { HubmeshError } from ${JSON.stringify(path('src/base/errors.ts'))}`,
                'export async function parsePdf() { throw new HubmeshError("input/invalid", ' +
                  "\"the format 'pdf' is not in the workers of hubmesh/inline; use the entry " +
                  'hubmesh with its worker files.", { details: { option: "format" } }) }',
              ].join('\n')
            : null,
  }
}
