/**
 * Owns what every browser test watches, whatever it is about: no error on the console, no breach of the policy, no request to
 * elsewhere, `Object.prototype` untouched. Refuses: a test that switches the watch off; it may name what it provokes.
 */
import { expect, test as base } from '@playwright/test'
import type { BrowserContext, ConsoleMessage, Page, Request } from '@playwright/test'
import { sampleArchive } from './archive.ts'
import { serveApi, servePage } from './server.ts'
import type { TestServer } from './server.ts'

/** What happened in a context so far. */
export class Watch {
  readonly #problems: string[] = []
  readonly #allowed: RegExp[] = []
  readonly #origins = new Set<string>()

  /** A server that pages may speak to. */
  trust(origin: string): void {
    this.#origins.add(origin)
  }

  /** Names an error that the test provokes. */
  expectError(pattern: RegExp): void {
    this.#allowed.push(pattern)
  }

  get problems(): readonly string[] {
    return this.#problems.filter((problem) => !this.#allowed.some((pattern) => pattern.test(problem)))
  }

  async attach(context: BrowserContext): Promise<void> {
    await context.exposeBinding('__hubmeshProblem', (_source, problem: string) => { this.#problems.push(problem) })
    await context.addInitScript(watchPage)
    context.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') this.#problems.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', (error) => { this.#problems.push(`uncaught: ${error.error().message}`) })
    context.on('request', (request: Request) => {
      const url = new URL(request.url())
      if (url.protocol !== 'blob:' && url.protocol !== 'data:' && !this.#origins.has(url.origin)) this.#problems.push(`request to ${url.href}`)
    })
  }

  /** Looks at what a page can still tell before it goes. */
  async inspect(page: Page): Promise<void> {
    if (page.isClosed() || page.url() === 'about:blank') return
    const changed = await page.evaluate(() => (globalThis as unknown as { __prototypeChanges(): string[] }).__prototypeChanges())
    for (const change of changed) this.#problems.push(change)
  }
}

/** Runs in every page before its own scripts. */
function watchPage(): void {
  const scope = globalThis as unknown as { __hubmeshProblem(problem: string): void; __prototypeChanges(): string[]; __longTasks: { start: number; duration: number }[] }
  document.addEventListener('securitypolicyviolation', (event) => {
    scope.__hubmeshProblem(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample} (${event.sourceFile}:${String(event.lineNumber)})`)
  })
  const before = Object.getOwnPropertyNames(Object.prototype).sort().join()
  scope.__prototypeChanges = () => {
    const after = Object.getOwnPropertyNames(Object.prototype).sort().join()
    return after === before ? [] : [`Object.prototype has ${after} where it had ${before}`]
  }
  scope.__longTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) scope.__longTasks.push({ start: startTime, duration })
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
  archive: [async ({}, use) => { await use(await sampleArchive()) }, { scope: 'worker', timeout: 300_000 }],

  api: [async ({}, use) => {
    const server = await serveApi()
    await use(server)
    await server.close()
  }, { scope: 'worker' }],

  demo: [async ({}, use) => {
    const server = await servePage()
    await use(server)
    await server.close()
  }, { scope: 'worker' }],

  watch: [async ({ context, api, demo }, use) => {
    const watch = new Watch()
    watch.trust(api.origin)
    watch.trust(demo.origin)
    await watch.attach(context)
    await use(watch)
    for (const page of context.pages()) await watch.inspect(page)
    expect(watch.problems, 'what no page may do').toEqual([])
  }, { auto: true }],

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

/** The longest task on the page's thread since `since` (performance.now()), ms; 0 where none passed 50. */
export async function longestTask(page: Page, since = 0): Promise<number> {
  return page.evaluate((from) => {
    const tasks = (globalThis as unknown as { __longTasks: { start: number; duration: number }[] }).__longTasks
    return Math.max(0, ...tasks.filter(({ start }) => start >= from).map(({ duration }) => duration))
  }, since)
}
