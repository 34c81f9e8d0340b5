/**
 * What every browser test watches, whatever it is about: no error on the console, no breach of the
 * policy in a page or a worker, no request to elsewhere, `Object.prototype` untouched in both.
 */
import { expect, test as base } from '@playwright/test'
import type { BrowserContext, ConsoleMessage, Page, Request } from '@playwright/test'
import { sampleArchive } from './archive.ts'
import { serveApi, servePage } from './server.ts'
import type { TestServer } from './server.ts'

/** What happened in a context so far. */
export class Watch {
  private readonly noticed: string[] = []
  private readonly allowed: RegExp[] = []
  private readonly origins = new Set<string>()
  private readonly servers: { readonly server: TestServer; readonly from: number }[] = []
  private readonly contexts: BrowserContext[] = []

  /** A server that pages may speak to; what browsers report to it from now on are problems. */
  trust(server: string | TestServer): void {
    this.origins.add(typeof server === 'string' ? server : server.origin)
    if (typeof server !== 'string') this.servers.push({ server, from: server.breaches.length })
  }

  /** Names an error that the test provokes. */
  expectError(pattern: RegExp): void {
    this.allowed.push(pattern)
  }

  get problems(): readonly string[] {
    return [...this.noticed, ...this.reported()].filter(
      (problem) => !this.allowed.some((pattern) => pattern.test(problem)),
    )
  }

  /** Gives what was noticed since, expected or not: for the test of the watch itself. */
  everything(): () => readonly string[] {
    const from = this.noticed.length
    return () => [...this.noticed.slice(from), ...this.reported()]
  }

  private reported(): string[] {
    return this.servers.flatMap(({ server, from }) =>
      server.breaches.slice(from).map((breach) => `reported: ${breach}`),
    )
  }

  async attach(context: BrowserContext): Promise<void> {
    this.contexts.push(context)
    await context.exposeBinding('__hubmeshProblem', (_source, problem: string) => {
      this.noticed.push(problem)
    })
    await context.addInitScript(watchPage)
    context.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error')
        this.noticed.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', (error) => {
      this.noticed.push(`uncaught: ${error.error().message}`)
    })
    context.on('request', (request: Request) => {
      const url = new URL(request.url())
      if (url.protocol !== 'blob:' && url.protocol !== 'data:' && !this.origins.has(url.origin))
        this.noticed.push(`request to ${url.href}`)
    })
  }

  /**
   * Looks at what a page and its workers can tell before it goes; at all pages that are still open
   * where none is named.
   */
  async inspect(only?: Page): Promise<void> {
    const open = this.contexts
      .filter((context) => context.browser()?.isConnected() !== false)
      .flatMap((context) => context.pages())
    for (const page of only === undefined ? open : [only]) {
      if (page.isClosed() || page.url() === 'about:blank') continue
      const [changes, names] = await page.evaluate(() => {
        const scope = globalThis as unknown as {
          __prototypeChanges(): string[]
          __prototypeNames: string
        }
        return [scope.__prototypeChanges(), scope.__prototypeNames] as const
      })
      this.noticed.push(...changes)
      for (const worker of page.workers()) {
        // One that ends meanwhile can tell nothing.
        const now = await worker
          .evaluate(() => Reflect.ownKeys(Object.prototype).map(String).sort().join())
          .catch(() => names)
        if (now !== names)
          this.noticed.push(`Object.prototype of a worker has ${now} where it should have ${names}`)
      }
    }
  }
}

/** Runs in every page before its own scripts. */
function watchPage(): void {
  const scope = globalThis as unknown as {
    __hubmeshProblem(problem: string): void
    __prototypeChanges(): string[]
    __prototypeNames: string
    __longTasks: { start: number; duration: number }[]
  }
  document.addEventListener('securitypolicyviolation', (event) => {
    scope.__hubmeshProblem(
      `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample} ` +
        `(${event.sourceFile}:${String(event.lineNumber)})`,
    )
  })
  const owned = Object.getOwnPropertyDescriptors(Object.prototype) as Record<
    PropertyKey,
    PropertyDescriptor
  >
  scope.__prototypeNames = Reflect.ownKeys(owned).map(String).sort().join()
  scope.__prototypeChanges = () => {
    const now = Object.getOwnPropertyDescriptors(Object.prototype) as Record<
      PropertyKey,
      PropertyDescriptor
    >
    const changed = [...new Set([...Reflect.ownKeys(owned), ...Reflect.ownKeys(now)])].filter(
      (key) => {
        const [a, b] = [owned[key], now[key]]
        return a?.value !== b?.value || a?.get !== b?.get || a?.set !== b?.set
      },
    )
    return changed.length === 0
      ? []
      : [`Object.prototype has changed: ${changed.map(String).join()}`]
  }
  scope.__longTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      scope.__longTasks.push({ start: startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
}

interface WorkerFixtures {
  /** The sample corpus with vectors, as a file. */
  readonly archive: string
  /** Serves the fixture app. */
  readonly api: TestServer
  /** Serves the built page. */
  readonly demo: TestServer
}

interface TestFixtures {
  readonly watch: Watch
  /** The fixture app, loaded. */
  readonly app: Page
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  archive: [
    async ({}, use) => {
      await use(await sampleArchive())
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  api: [
    async ({}, use) => {
      const server = await serveApi()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  demo: [
    async ({}, use) => {
      const server = await servePage()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  watch: [
    async ({ context, api, demo }, use) => {
      const watch = new Watch()
      watch.trust(api)
      watch.trust(demo)
      await watch.attach(context)
      await use(watch)
      await watch.inspect()
      expect(watch.problems, 'what no page may do').toEqual([])
    },
    { auto: true },
  ],

  app: async ({ page, api }, use) => {
    await openApp(page, api.origin)
    await use(page)
  },
})

export { expect }

export async function openApp(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/`)
  await page.waitForFunction(() => (globalThis as { appReady?: boolean }).appReady === true)
}

/**
 * The longest task on the page's thread since `since` (performance.now()), ms; 0 where none passed
 * 50.
 */
export async function longestTask(page: Page, since = 0): Promise<number> {
  return page.evaluate((from) => {
    const tasks = (globalThis as unknown as { __longTasks: { start: number; duration: number }[] })
      .__longTasks
    return Math.max(
      0,
      ...tasks.filter(({ start }) => start >= from).map(({ duration }) => duration),
    )
  }, since)
}
