/**
 * Embedding in a page: what a question touched comes first, a hidden tab is throttled and says so,
 * a pause holds, and a dead worker costs no vector.
 */
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

interface Scope {
  engine: Awaited<ReturnType<typeof openEngine>>
}

/** Headless tabs are never hidden: what the browser would say is said in its place. */
const turn = (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate((to) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => to })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

const throttled = (page: Page): Promise<string> =>
  page.evaluate(
    async () =>
      (await (globalThis as unknown as Scope).engine.status()).embedding.throttled ?? 'no',
  )

test(
  'embedding is throttled while the tab is hidden, stands while it is paused, survives a ' +
    'dead worker, and ends whole',
  async ({ app }) => {
    test.setTimeout(300_000)
    await app.evaluate(async () => {
      const { documents } = await loadSample()
      const engine = await openEngine({
        storage: 'memory',
        model: MODEL,
        embedding: { workers: 2 },
      })
      Object.assign(globalThis, { engine })
      await engine.pauseEmbedding()
      await engine.add(documents.slice(0, 60))
    })
    const paused = await app.evaluate(
      async () => await (globalThis as unknown as Scope).engine.status(),
    )
    expect(paused).toMatchObject({ passagesWithVectors: 0, embedding: { state: 'paused' } })

    // A question asked now decides what is embedded first.
    const { wanted } = await app.evaluate(async () => {
      const { engine } = globalThis as unknown as Scope
      const { sources } = await engine.retrieve('Which film did Tim Burton direct?', {
        topK: 3,
        tier: 'text',
      })
      return { wanted: sources.map(({ documentId }) => documentId) }
    })
    await turn(app, 'hidden')
    await app.evaluate(() => (globalThis as unknown as Scope).engine.resumeEmbedding())
    await expect.poll(() => throttled(app)).toBe('hidden')
    const first = await app.evaluate(async (enough) => {
      const { engine } = globalThis as unknown as Scope
      for (;;) {
        const { documents } = await engine.listDocuments({ limit: 100 })
        const done = documents
          .filter(({ passagesWithVectors }) => passagesWithVectors > 0)
          .map(({ id }) => id)
        if (done.length >= enough) return done
      }
    }, wanted.length)
    expect(first).toEqual(expect.arrayContaining(wanted))
    // Hidden, one worker is enough.
    expect(await app.evaluate(() => made.embed.length)).toBe(1)
    await turn(app, 'visible')
    await expect.poll(() => throttled(app)).toBe('no')
    await app
      .workers()
      .find((worker) => worker.url().endsWith('/embed.worker.js'))!
      .evaluate(() => {
        setTimeout(() => {
          throw new Error('a fault of our own')
        })
      })
    const status = await app.evaluate(async () => {
      const { engine } = globalThis as unknown as Scope
      await engine.ready('vectors')
      const status = await engine.status()
      await engine.close()
      return { ...status, workers: made.embed.length }
    })
    expect(status.passagesWithVectors).toBe(status.passages)
    expect(status.embedding.error).toBeNull()
    expect(status.workers).toBeGreaterThanOrEqual(2)
  },
)
