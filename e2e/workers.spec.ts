/**
 * Workers that die, fail to load or are somebody else's: every call ends with a code, and the
 * engine comes back.
 */
import { LIMITS } from '../src/base/limits.ts'
import type { Page, Worker as PageWorker } from '@playwright/test'
import { expect, test } from './support/test.ts'

const engineWorker = (page: Page): PageWorker =>
  page.workers().find((worker) => worker.url().endsWith('/engine.worker.js'))!

/** An uncaught exception in the worker, as a fault of our own would be. */
const crash = (worker: PageWorker): Promise<unknown> =>
  worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('a fault of our own')
    })
  })

test('a dead engine worker rejects what is pending and is replaced; everything acknowledged is there', async ({
  app,
}) => {
  await app.evaluate(async () => {
    const { documents } = await loadSample()
    const engine = await openEngine()
    Object.assign(globalThis, { engine, documents })
    await engine.add(documents.slice(0, 100))
    const scope = globalThis as unknown as { read: unknown; write: unknown }
    scope.read = caught(engine.ready('vectors'))
    // Long enough to be under way when the worker dies.
    const many = Array.from({ length: 20_000 }, (_, i) => ({
      id: `late-${String(i)}`,
      text: `Late document number ${String(i)}. ${documents[i % 900]!.text}`,
    }))
    let begun = (): void => undefined
    const underWay = new Promise<void>((resolve) => {
      begun = resolve
    })
    scope.write = caught(
      engine.add(many, {
        onProgress: () => {
          begun()
        },
      }),
    )
    await underWay
  })
  await crash(engineWorker(app))
  const outcome = await app.evaluate(async () => {
    const scope = globalThis as unknown as {
      engine: Awaited<ReturnType<typeof openEngine>>
      documents: Sample['documents']
      read: Promise<{ code: string }>
      write: ReturnType<typeof caught>
    }
    const write = await scope.write
    const { documents } = await scope.engine.status()
    const whole = (
      await Promise.all(
        scope.documents
          .slice(0, 100)
          .map(async ({ id, text }) => (await scope.engine.getDocument(id!))?.text === text),
      )
    ).every(Boolean)
    const answer = await scope.engine.retrieve(scope.documents[0]!.title!)
    const again = await scope.engine.add(scope.documents.slice(0, 100))
    await scope.engine.destroy()
    return {
      write,
      documents,
      whole,
      first: answer.sources[0]?.documentId,
      unchanged: again.unchanged.length,
      workers: made.engine.length,
    }
  })
  expect(outcome.write).toMatchObject({ code: 'store/indeterminate', known: true, isError: true })
  expect(outcome.documents).toBeGreaterThanOrEqual(100)
  expect(outcome.whole).toBe(true)
  expect(outcome.unchanged).toBe(100)
  expect(outcome.workers).toBe(2)
})

test('a corpus in memory that died with its worker is never answered from as if it were empty', async ({
  app,
}) => {
  await app.evaluate(async () => {
    const engine = await openEngine({ storage: 'memory' })
    await engine.add('Something to remember.')
    Object.assign(globalThis, {
      engine,
      pending: caught(engine.ready('vectors', { signal: new AbortController().signal })),
    })
  })
  await crash(engineWorker(app))
  const error = await app.evaluate(async () => {
    const scope = globalThis as unknown as { engine: Awaited<ReturnType<typeof openEngine>> }
    let last = await caught(scope.engine.status())
    while (last.code === 'none') last = await caught(scope.engine.status())
    return last
  })
  expect(error).toMatchObject({ code: 'worker/crashed', known: true })
  expect(error.message).toContain('memory')
})

test('a worker script that is missing, or is another file, is named as soon as the browser says so', async ({
  app,
  watch,
}) => {
  watch.expectError(/nowhere\.js|404/)
  const outcomes = await app.evaluate(async () => {
    const made = (url: string) => (): Worker => {
      const policy = (globalThis as unknown as { trusted(url: string): string }).trusted
      return new Worker(policy(url), { type: 'module' })
    }
    const outcomes = []
    for (const url of ['/hubmesh/nowhere.js', '/hubmesh/embed.worker.js']) {
      const started = performance.now()
      const error = await caught(openEngine({ workers: { engine: made(url) } }))
      outcomes.push({ url, ...error, ms: performance.now() - started })
    }
    return outcomes
  })
  for (const { url, code, known } of outcomes)
    expect.soft({ url, code, known }).toEqual({ url, code: 'worker/start-failed', known: true })
  // not by the end of the wait for a worker that says nothing
  for (const { url, ms } of outcomes) expect.soft(ms, url).toBeLessThan(LIMITS.workerStartMs / 2)
})

test('under Trusted Types without factories the start is refused by name', async ({
  app,
  watch,
}) => {
  watch.expectError(/require-trusted-types-for|TrustedScriptURL/)
  const error = await app.evaluate(() => caught(hubmesh.createEngine({ corpus: 'test' })))
  expect(error).toMatchObject({ code: 'worker/start-failed', known: true })
  expect(error.message).toContain('factories')
})

test('an embedding worker that dies is replaced and every passage gets its vector', async ({
  app,
}) => {
  await app.evaluate(async () => {
    const { documents } = await loadSample()
    const engine = await openEngine({ storage: 'memory', model: MODEL })
    Object.assign(globalThis, { engine })
    await engine.add(documents.slice(0, 30))
    await new Promise<void>((resolve) => {
      const stop = engine.onStatus(({ passagesWithVectors }) => {
        if (passagesWithVectors < 3) return
        stop()
        resolve()
      })
    })
  })
  const worker = app.workers().find((candidate) => candidate.url().endsWith('/embed.worker.js'))!
  await crash(worker)
  const status = await app.evaluate(async () => {
    const { engine } = globalThis as unknown as { engine: Awaited<ReturnType<typeof openEngine>> }
    await engine.ready('vectors')
    const status = await engine.status()
    await engine.close()
    return { ...status, workers: made.embed.length }
  })
  expect(status.passagesWithVectors).toBe(status.passages)
  expect(status.embedding.error).toBeNull()
  expect(status.workers).toBeGreaterThanOrEqual(2)
})

test(
  'an unknown model is refused, and a model that cannot be fetched leaves the text tier ' +
    'answering and says so',
  async ({ app, watch }) => {
    watch.expectError(/404/)
    const outcome = await app.evaluate(async () => {
      const unknown = await caught(openEngine({ model: '/models/unheard-of/' }))
      const engine = await openEngine({
        storage: 'memory',
        model: '/nowhere/all-MiniLM-L6-v2/',
        ort: '/ort/',
      })
      await engine.add('Ed Wood directed Plan 9 from Outer Space.')
      const waiting = await caught(engine.ready('vectors'))
      const answer = await engine.retrieve('Who directed Plan 9?')
      const full = await caught(engine.retrieve('Who directed Plan 9?', { tier: 'full' }))
      const { embedding } = await engine.status()
      await engine.close()
      return {
        unknown,
        waiting,
        full,
        tier: answer.debug.tier,
        warnings: answer.debug.warnings,
        sources: answer.sources.length,
        embedding,
      }
    })
    expect(outcome.unknown.code).toBe('input/invalid')
    expect(outcome.waiting.code).toBe('model/fetch')
    expect(outcome.full.code).toBe('model/fetch')
    expect(outcome.embedding).toMatchObject({ state: 'failed', error: { code: 'model/fetch' } })
    expect({ tier: outcome.tier, sources: outcome.sources }).toEqual({ tier: 'text', sources: 1 })
    expect(outcome.warnings.length).toBeGreaterThan(0)
  },
)
