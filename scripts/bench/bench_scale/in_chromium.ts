/** The figures of a page in a real Chromium, its engine in a worker, its corpus in IndexedDB. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium, type Browser } from 'playwright'
import type { BenchPassage } from '../../../src/bench/dataset.ts'
import { BROWSER_ARGS, ensureBrowser } from '../../../e2e/run/find_browser.mjs'
import { documentsOf, ROOT } from './corpora.ts'
import type { SizeFigures } from './figures.ts'
import { BenchPage, measurePage } from './measure_page.ts'

const ARGS = [
  ...BROWSER_ARGS,
  // a page in the background must not be slowed down
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
]
const PART = 200

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
    const files = await bundle(),
      server = createServer()
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
    const documents = documentsOf(passages)
    this.parts = []
    for (let i = 0; i < documents.length; i += PART)
      this.parts.push(JSON.stringify(documents.slice(i, i + PART)))
    const context = await this.browser.newContext()
    try {
      const page = await context.newPage(),
        origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`
      page.setDefaultTimeout(600_000)
      return await measurePage(new BenchPage(page, origin), await context.newCDPSession(page), {
        passages,
        documents,
        parts: this.parts.length,
        questions,
        rounds,
      })
    } finally {
      await context.close()
    }
  }
}

/** The bench's page and its worker, bundled; by path. */
async function bundle(): Promise<Map<string, string>> {
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
  return files
}
