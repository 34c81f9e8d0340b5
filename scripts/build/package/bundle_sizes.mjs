/**
 * What an app gets of the package, bundled as an app bundles it, laid out for size-limit: `first`
 * is loaded before anything is asked, `lazy` when it is needed.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { build } from 'vite'

/** What an app writes; each is one bundle. */
const APPS = {
  page: 'import { createEngine } from "hubmesh"; globalThis.used = createEngine',
  corpora:
    'import { CorpusManager, listCorpora, deleteCorpus, isHubmeshError } from "hubmesh"; ' +
    'globalThis.used = [CorpusManager, listCorpora, deleteCorpus, isHubmeshError]',
  chunker: 'import { chunkBySentences } from "hubmesh"; globalThis.used = chunkBySentences',
  inline: 'import { createEngine } from "hubmesh/inline"; globalThis.used = createEngine',
  engine_worker: 'import "hubmesh/engine.worker.js"',
  embed_worker: 'import "hubmesh/embed.worker.js"',
}

/** Bundles from an install of the package in `app` to `out`. */
export async function bundleSizes(app, out) {
  rmSync(out, { recursive: true, force: true })
  for (const [name, code] of Object.entries(APPS)) {
    const entry = join(app, `size_${name}.js`)
    writeFileSync(entry, code)
    lay(join(out, name), await withVite(app, entry))
  }
  const entry = join(app, 'size_page_esbuild.js')
  writeFileSync(entry, APPS.page.replace('"hubmesh"', '"hubmesh/engine"'))
  lay(join(out, 'page_esbuild'), await withEsbuild(app, entry))
}

async function withVite(root, entry) {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    // As for an app: the workers are apps of their own here, so that no bundle holds another.
    plugins: [
      {
        name: 'no-workers',
        enforce: 'pre',
        transform: (code, id) =>
          id.endsWith('/dist/spawn.js') ? code.replaceAll('new URL(', 'String(') : null,
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: entry,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  const chunks = [built]
    .flat()
    .flatMap(({ output }) => output)
    .filter(({ type }) => type === 'chunk')
  return chunks.map(({ fileName, code, imports, isEntry }) => ({
    file: fileName,
    code,
    imports,
    entry: isEntry,
  }))
}

async function withEsbuild(root, entry) {
  const { metafile, outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    outdir: join(root, 'size_out'),
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  return outputFiles.map(({ path, contents }) => {
    const file = path.slice(root.length + 1),
      output = metafile.outputs[file]
    return {
      file: file.replace('size_out/', ''),
      code: contents,
      imports: output.imports
        .filter(({ kind }) => kind === 'import-statement')
        .map((one) => one.path.replace('size_out/', '')),
      entry: output.entryPoint !== undefined && entry.endsWith(output.entryPoint),
    }
  })
}

/** `first` is the entry and all that it imports outright. */
function lay(out, files) {
  const byName = new Map(files.map((file) => [file.file, file])),
    first = new Set()
  const visit = (name) => {
    if (first.has(name)) return
    first.add(name)
    byName.get(name).imports.forEach(visit)
  }
  const entry = files.find((file) => file.entry)
  if (entry === undefined) throw new Error(`No bundle of ${out} is the entry.`)
  visit(entry.file)
  for (const { file, code } of files) {
    const to = join(out, first.has(file) ? 'first' : 'lazy', file)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, code)
  }
}
