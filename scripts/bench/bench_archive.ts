/**
 * The figures of archives: bytes a passage beyond the text, and the time from the bytes at hand to
 * the first answer with vectors, in a real Chromium and in Node.
 *
 * npm run bench:archive -- [--passages 10000] [--runs 3] [--dist dist/browser]
 *
 * Passages are those of the sets in ../shared/data, else of the sample over and over under other
 * ids; vectors of 384 components come from the hashing embedder: what is measured here does not
 * depend on what they mean.
 */
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { HashingEmbedder } from '../../src/embed/hashing.ts'
import { createEngine } from '../../src/node.ts'
import type { DocumentInput, Engine } from '../../src/types.ts'
import { BROWSER_ARGS, ensureBrowser } from '../../e2e/run/find_browser.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
    dist: { type: 'string', default: join(root, 'dist/browser') },
  },
})
const count = Number(values.passages),
  runs = Number(values.runs)
if (!existsSync(join(values.dist, 'hubmesh.js')))
  throw new Error(`${values.dist} holds no build of the package. Run: npm run build`)
const QUESTION = 'Who directed the film that Tim Burton produced in 1994?'

const documents = corpus(count)
const text = documents.reduce(
  (sum, { title = '', text }) => sum + Buffer.byteLength(title) + Buffer.byteLength(text),
  0,
)
const source = await createEngine({
  corpus: 'bench',
  model: new HashingEmbedder(384),
  chunk: { strategy: 'none' },
})
await source.add(documents)
await source.ready('vectors')
await source.ready('settled')
const folder = join(root, '.cache/bench-archive')
mkdirSync(folder, { recursive: true })
console.log(
  `${count} passages of ${(text / count).toFixed(0)} bytes of title and text\n\n| archive | ` +
    `bytes a passage | beyond the text |\n|---|---|---|`,
)
const FORMS = [
  { name: 'int8 with index', options: { vectors: 'int8', index: true } },
  { name: 'int8', options: { vectors: 'int8' } },
  { name: 'f32 with index', options: { vectors: 'f32', index: true } },
  { name: 'none with index', options: { vectors: 'none', index: true } },
] as const
const files: { readonly name: string; readonly file: string }[] = []
for (const { name, options } of FORMS) {
  const bytes = new Uint8Array(await (await source.export(options)).arrayBuffer()),
    file = `${name.replaceAll(' ', '-')}.hubmesh`
  writeFileSync(join(folder, file), bytes)
  files.push({ name, file })
  console.log(
    `| ${name} | ${(bytes.length / count).toFixed(0)} | ${((bytes.length - text) / count).toFixed(0)} |`,
  )
}
const expected = ranks(await source.retrieve(QUESTION))
await source.close()

console.log(
  '\nFrom the bytes at hand to the first answer with vectors, ms: least and median of the ' +
    "runs; in a page, to the end of the call (processor time of the page's process)\n\n| archive " +
    '| Node | page, memory | page, IndexedDB |\n|---|---|---|---|',
)
const server = await serve()
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: BROWSER_ARGS,
})
try {
  for (const { name, file } of files.filter(({ file }) => !file.startsWith('none'))) {
    const cells = [await inNode(file)]
    for (const storage of ['memory', 'indexeddb'] as const) cells.push(await inPage(file, storage))
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
} finally {
  await browser.close()
  server.close()
}

async function inNode(file: string): Promise<string> {
  const bytes = new Uint8Array(readFileSync(join(folder, file))),
    times: number[] = []
  for (let run = 0; run < runs; run++) {
    const engine: Engine = await createEngine({
      corpus: 'bench',
      model: new HashingEmbedder(384),
      chunk: { strategy: 'none' },
    })
    const started = performance.now()
    await engine.import(bytes)
    const answer = await engine.retrieve(QUESTION)
    times.push(performance.now() - started)
    if (answer.debug.tier !== 'full' || (file.startsWith('f32') && ranks(answer) !== expected))
      throw new Error(`${file} was answered from otherwise than the corpus it was made of.`)
    await engine.close()
  }
  return shown(times)
}

/** A page of its own for each run: nothing is compiled or cached from the one before. */
async function inPage(file: string, storage: 'memory' | 'indexeddb'): Promise<string> {
  const times: number[] = [],
    saved: number[] = [],
    processor: number[] = [],
    session = await browser.newBrowserCDPSession()
  const spent = async (): Promise<number> =>
    (await session.send('SystemInfo.getProcessInfo')).processInfo.reduce(
      (sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0),
      0,
    )
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext(),
      page = await context.newPage()
    // the name that this file's compiler asks for in every function
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.goto(`${server.origin}/`)
    await page.evaluate(openInPage, { file, storage })
    const before = await spent()
    const { ms, stored, tier, passages, vectors } = await page.evaluate(importAndAsk, QUESTION)
    processor.push(((await spent()) - before) * 1000)
    if (tier !== 'full' || passages !== count || vectors !== count)
      throw new Error(
        `${file}: answered on the tier ${tier} from ${passages} passages with ${vectors} vectors.`,
      )
    times.push(ms)
    saved.push(stored)
    await context.close()
  }
  return `${shown(times)}; ${Math.min(...saved).toFixed(0)} (${Math.min(...processor).toFixed(0)})`
}

/** Runs in the page. */
async function openInPage({
  file,
  storage,
}: {
  readonly file: string
  readonly storage: 'memory' | 'indexeddb'
}): Promise<void> {
  const { createEngine } = (await import(
    `${location.origin}/hubmesh/hubmesh.js`
  )) as typeof import('../../src/index.ts')
  const identity = {
    model: 'hashing',
    revision: '1',
    dtype: 'f32',
    dims: 384,
    pooling: 'sum',
  }
  const embed = (texts: readonly string[]) =>
    Promise.resolve(
      texts.map((one) => {
        const vector = new Float32Array(384)
        vector[one.length % 384] = 1
        return vector
      }),
    )
  const engine = await createEngine({
    corpus: 'bench',
    storage,
    model: { identity, embed, close: () => Promise.resolve() },
  })
  Object.assign(globalThis, {
    engine,
    archive: await (await fetch(`/archives/${file}`)).blob(),
  })
}

/** Runs in the page: asked again and again while it imports, as a page would that shows what it has. */
async function importAndAsk(question: string): Promise<{
  readonly ms: number
  readonly stored: number
  readonly tier: string
  readonly passages: number
  readonly vectors: number
}> {
  const { engine, archive } = globalThis as unknown as { engine: Engine; archive: Blob }
  const started = performance.now()
  let done = false
  const importing = engine.import(archive).finally(() => {
    done = true
  })
  for (;;) {
    const last = done,
      { debug, sources } = await engine.retrieve(question)
    if ((sources.length > 0 && debug.tier === 'full') || last) {
      const ms = performance.now() - started,
        { passages, passagesWithVectors } = await engine.status()
      await importing
      return {
        ms,
        stored: performance.now() - started,
        tier: debug.tier,
        passages,
        vectors: passagesWithVectors,
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function shown(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b),
    middle = sorted[Math.floor(sorted.length / 2)]!
  return `${sorted[0]!.toFixed(0)}, ${middle.toFixed(0)}`
}

function ranks({
  sources,
}: {
  readonly sources: readonly { readonly documentId: string }[]
}): string {
  return sources.map(({ documentId }) => documentId).join()
}

function corpus(size: number): DocumentInput[] {
  const shared = join(root, '../shared/data'),
    folders = existsSync(shared)
      ? readdirSync(shared)
          .sort()
          .map((name) => join(shared, name))
      : [join(root, 'public/samples/hotpotqa_train100')]
  const out: DocumentInput[] = []
  for (let round = 0; out.length < size; round++) {
    for (const set of folders) {
      for (const line of readFileSync(join(set, 'corpus.jsonl'), 'utf8').split('\n')) {
        if (line === '' || out.length === size) continue
        const { title = '', text } = JSON.parse(line) as { title?: string; text: string }
        if (text !== '')
          out.push({ id: `${round}-${String(out.length).padStart(6, '0')}`, title, text })
      }
    }
  }
  return out
}

function serve(): Promise<{ readonly origin: string; close(): void }> {
  const mounts = [
    ['/hubmesh/', values.dist],
    ['/archives/', folder],
  ] as const
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname),
      mount = mounts.find(([prefix]) => path.startsWith(prefix))
    const file =
      mount === undefined || path.includes('..')
        ? null
        : join(mount[1], path.slice(mount[0].length))
    if (file !== null && statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(200, {
        'content-type': extname(file) === '.js' ? 'text/javascript' : 'application/octet-stream',
        'content-length': statSync(file).size,
      })
      createReadStream(file).pipe(response)
    } else if (path === '/')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>bench</title><link rel="icon" href="data:,">')
    else response.writeHead(404).end()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () => {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
}
