/** The figures of a page in a real Chromium, its engine in a worker, its corpus in IndexedDB. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright'
import type { BenchPassage } from '../../../src/bench/dataset.ts'
import { ensureBrowser } from '../../../e2e/run/find_browser.mjs'
import { CHANGES, changeOf, documentsOf, ROOT } from './corpora.ts'
import { answersOf, spreadOf, type Answers, type AskedOnce, type SizeFigures } from './figures.ts'
import type { Account } from './inside.ts'
import type { Bench, Timed } from './page.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // a page that nobody looks at must not be slowed down
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
]
const PART = 200
type Global = { readonly bench: Bench }

/** A browser, and the bench's page behind a server of its own. */
export class ChromiumBench {
  private parts: string[] = []

  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
    private readonly files: ReadonlyMap<string, string>,
  ) {
    server.on('request', (request, response) => {
      const path = request.url ?? '/',
        part = /^\/part\/(\d+)\.json$/.exec(path),
        body = part ? this.parts[Number(part[1])] : this.files.get(path)
      const type = path.endsWith('.js')
        ? 'text/javascript'
        : path.endsWith('.json')
          ? 'application/json'
          : 'text/html'
      response
        .writeHead(body === undefined ? 404 : 200, {
          'content-type': `${type}; charset=utf-8`,
          'cache-control': 'no-store',
        })
        .end(body ?? '')
    })
  }

  static async start(): Promise<ChromiumBench> {
    const folder = join(ROOT, 'scripts/bench/bench_scale')
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'page.ts'), join(folder, 'engine.worker.ts')],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      minify: true,
      write: false,
      outdir: '/',
      logLevel: 'error',
      external: ['node:*'],
      // folders are Node's, and no page can bundle what reads them
      plugins: [
        {
          name: 'without-folders',
          setup: (esbuild) => {
            esbuild.onLoad({ filter: /directory_storage\.ts$/ }, () => ({
              contents:
                'export const openDirectoryStorage = null, listDirectoryCorpora = null, deleteDirectoryCorpus = null',
            }))
          },
        },
      ],
    })
    const files = new Map(
      outputFiles.map(({ path, text }) => [`/${path.split(/[/\\]/).at(-1) ?? ''}`, text]),
    )
    files.set(
      '/',
      '<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="/page.js"></script>',
    )
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ChromiumBench(
      await chromium.launch({ executablePath: ensureBrowser(), args: ARGS }),
      server,
      files,
    )
  }

  get version(): string {
    return this.browser.version()
  }

  async close(): Promise<void> {
    await this.browser.close()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  async measure(
    passages: readonly BenchPassage[],
    questions: readonly string[],
    rounds: number,
  ): Promise<SizeFigures> {
    const documents = documentsOf(passages),
      size = documents.length
    this.parts = []
    for (let i = 0; i < size; i += PART)
      this.parts.push(JSON.stringify(documents.slice(i, i + PART)))
    const context = await this.browser.newContext(),
      page = await context.newPage(),
      origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`
    page.setDefaultTimeout(600_000)
    const longTasks: Record<string, number> = {}
    const call = async <T>(phase: string, run: () => Promise<Timed<T>>): Promise<Timed<T>> => {
      const timed = await run()
      longTasks[phase] = Math.max(longTasks[phase] ?? 0, timed.longest)
      return timed
    }
    try {
      await visit(page, origin)
      await page.evaluate((corpus) => (globalThis as unknown as Global).bench.open(corpus), 'scale')
      const heap = await workerHeap(await context.newCDPSession(page)),
        empty = await heap()
      await page.evaluate(
        (count) => (globalThis as unknown as Global).bench.load(count, '/part'),
        this.parts.length,
      )
      const added = await call('add', () =>
        page.evaluate((asked) => (globalThis as unknown as Global).bench.add(asked), questions),
      )
      if (added.value.added !== size || added.value.answers === 0)
        throw new Error(
          `Of ${size} documents ${added.value.added} were added, and ${added.value.answers} ` +
            'answers were given meanwhile.',
        )
      const { value } = await page.evaluate(() =>
          (globalThis as unknown as Global).bench.inside({ what: 'account' }),
        ),
        account = value as Account
      const full = await heap(),
        texts = documents.reduce(
          (sum, { id, title, text }) =>
            sum + stringBytes(id) + stringBytes(title) + stringBytes(text),
          0,
        )
      const retrieveText = await this.ask(page, questions, 'text', rounds, call)
      const embedded = await call('vectors', () =>
        page.evaluate(() => (globalThis as unknown as Global).bench.embed()),
      )
      const retrieve = await this.ask(page, questions, 'full', rounds, call)
      const trips = await call('retrieve', () =>
        page.evaluate(
          (asked) => (globalThis as unknown as Global).bench.roundTrips(asked),
          questions,
        ),
      )
      const scanned = await page.evaluate(
        (asked) =>
          (globalThis as unknown as Global).bench.inside({ what: 'scan', questions: asked }),
        questions,
      )
      await page.evaluate(() => (globalThis as unknown as Global).bench.close())

      await visit(page, origin)
      const opened = await call('open', () =>
        page.evaluate(
          ([corpus, question]) =>
            (globalThis as unknown as Global).bench.openAndAsk(corpus, question),
          ['scale', questions[0] as string] as const,
        ),
      )
      const openVectors = await page.evaluate(() =>
        (globalThis as unknown as Global).bench.vectors(),
      )

      const addOne: number[] = [],
        updateOne: number[] = [],
        removeOne: number[] = []
      const put = async (
        into: number[],
        id: string,
        title: string,
        text: string,
        question: string,
      ): Promise<void> => {
        const { ms, value: found } = await call('change', () =>
          page.evaluate(
            ([document, asked]) => (globalThis as unknown as Global).bench.put(document, asked),
            [{ id, title, text }, question] as const,
          ),
        )
        if (!found) throw new Error('What was added was not found.')
        into.push(ms)
      }
      for (let i = 0; i < CHANGES; i++) {
        const { name, text, question } = changeOf(passages, i),
          other = changeOf(passages, i + CHANGES)
        await put(addOne, `new-${i}`, name, text, question)
        await put(updateOne, `new-${i}`, name, other.text.replace(other.name, name), question)
        removeOne.push(
          (
            await call('change', () =>
              page.evaluate(
                (ids) => (globalThis as unknown as Global).bench.remove(ids),
                [`new-${i}`],
              ),
            )
          ).ms,
        )
      }
      await page.evaluate(() => (globalThis as unknown as Global).bench.settled())
      const many = documents.slice(0, Math.min(1000, size >> 1)).map(({ id }) => id)
      const textRead = async (): Promise<number> =>
        (
          (
            await page.evaluate(() =>
              (globalThis as unknown as Global).bench.inside({ what: 'account' }),
            )
          ).value as Account
        ).textRead
      const before = await textRead()
      const gone = await call('remove', () =>
        page.evaluate((ids) => (globalThis as unknown as Global).bench.remove(ids), many),
      )
      const settled = await call('remove', () =>
        page.evaluate(() => (globalThis as unknown as Global).bench.settled()),
      )
      const read = (await textRead()) - before
      return {
        host: 'chromium',
        passages: size,
        ingestRate: size / (added.ms / 1000),
        answeredWhileAdding: added.value.slowest,
        accountBytes: (account.text + account.tables) / size,
        heapBytes: full === null || empty === null ? null : (full - empty - texts) / size,
        retrieveText,
        retrieve,
        roundTrip: spreadOf(trips.value),
        embedRate: size / (embedded.ms / 1000),
        exactScan: spreadOf(scanned.value as number[]),
        hnsw: null,
        addOne: spreadOf(addOne),
        updateOne: spreadOf(updateOne),
        removeOne: spreadOf(removeOne),
        removeMany: {
          documents: many.length,
          resolved: gone.ms,
          settled: gone.ms + settled.ms,
          read,
        },
        openText: opened.value,
        openVectors,
        longTasks,
      }
    } finally {
      await context.close()
    }
  }

  private async ask(
    page: Page,
    questions: readonly string[],
    tier: 'text' | 'full',
    rounds: number,
    call: <T>(phase: string, run: () => Promise<Timed<T>>) => Promise<Timed<T>>,
  ): Promise<Answers> {
    const once = async (asked: readonly string[]): Promise<AskedOnce[]> =>
      (
        await call('retrieve', () =>
          page.evaluate(
            ([list, of]) =>
              (globalThis as unknown as Global).bench.inside({
                what: 'ask',
                questions: list,
                tier: of,
              }),
            [asked, tier] as const,
          ),
        )
      ).value as AskedOnce[]
    await once(questions.slice(0, 50)) // compiled before the clock starts
    const out: AskedOnce[][] = []
    for (let round = 0; round < rounds; round++) out.push(await once(questions))
    return answersOf(out)
  }
}

async function visit(page: Page, origin: string): Promise<void> {
  await page.goto(origin)
  await page.waitForFunction(() => 'bench' in globalThis)
}

/** One byte a unit where all fit in one, else two; and the object's own head. */
function stringBytes(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return 16 + text.length * 2
  return 16 + text.length
}

/**
 * The heap of the page's worker and the buffers behind it, bytes, after a collection; asked through
 * the debugger.
 */
async function workerHeap(session: CDPSession): Promise<() => Promise<number | null>> {
  const attached = new Promise<string | null>((resolve) => {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') resolve(sessionId)
    })
    setTimeout(() => {
      resolve(null)
    }, 5000).unref()
  })
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  })
  const worker = await attached,
    replies = new Map<number, (message: Record<string, unknown>) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const reply = JSON.parse(message) as { id?: number; result?: Record<string, unknown> }
    if (reply.id !== undefined) replies.get(reply.id)?.(reply.result ?? {})
  })
  let id = 0
  const ask = (method: string): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      replies.set(++id, resolve)
      void session.send('Target.sendMessageToTarget', {
        sessionId: worker ?? '',
        message: JSON.stringify({ id, method, params: {} }),
      })
    })
  return async () => {
    if (worker === null) return null
    await ask('HeapProfiler.collectGarbage')
    const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage')
    return typeof usedSize === 'number'
      ? usedSize + (typeof backingStorageSize === 'number' ? backingStorageSize : 0)
      : null
  }
}
