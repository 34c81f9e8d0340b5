/**
 * The disk is full while documents, derived data and the model are written: a named error with the
 * bytes, the state before it, and questions that go on.
 */
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import type { Engine } from '../../src/index.ts'
import { expect, openInside, test } from './support/test.ts'

interface Scope {
  engine: Engine
}

const sessions = new WeakMap<Page, CDPSession>()

/**
 * Leaves the origin so many bytes more than it uses; null lifts the limit. To be set before the run
 * first uses its database: Chromium remembers for half a minute what room there was.
 */
async function leave(
  context: BrowserContext,
  page: Page,
  origin: string,
  bytes: number | null,
): Promise<void> {
  // The limit lasts as long as the session that set it.
  const session = sessions.get(page) ?? (await context.newCDPSession(page))
  sessions.set(page, session)
  const used = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
  await session.send('Storage.overrideQuotaForOrigin', {
    origin,
    ...(bytes === null ? {} : { quotaSize: used + bytes }),
  })
}

/** The control: a plain write past the limit, so that what follows is known to meet one. */
const throttled = (page: Page, bytes: number): Promise<string> =>
  page.evaluate(
    (size) =>
      new Promise<string>((resolve) => {
        const request = indexedDB.open('control', 1)
        request.onupgradeneeded = () => {
          request.result.createObjectStore('bytes')
        }
        request.onsuccess = () => {
          const database = request.result,
            transaction = database.transaction('bytes', 'readwrite')
          transaction
            .objectStore('bytes')
            .put(crypto.getRandomValues(new Uint8Array(65_536)), 'some')
          for (let i = 0; i * 65_536 < size; i++)
            transaction.objectStore('bytes').put(crypto.getRandomValues(new Uint8Array(65_536)), i)
          const end = (how: string): void => {
            database.close()
            indexedDB.deleteDatabase('control').onsuccess = () => {
              resolve(how)
            }
          }
          transaction.oncomplete = () => {
            end('complete')
          }
          transaction.onabort = () => {
            end(transaction.error?.name ?? 'no name')
          }
        }
      }),
    bytes,
  )

test('the limit works: a plain write past it fails', async ({ profile, site, watch }) => {
  const run = await profile.open((context) => watch.attach(context))
  await openInside(run.page, site.origin)
  await leave(run.context, run.page, site.origin, 1_500_000)
  expect(await throttled(run.page, 6_000_000)).toBe('QuotaExceededError')
  await leave(run.context, run.page, site.origin, null)
  expect(await throttled(run.page, 6_000_000)).toBe('complete')
  await run.close()
})

test(
  'without room a commit is store/quota with the bytes, nothing of it is kept, and once ' +
    'there is room it is taken',
  async ({ profile, site, watch }) => {
    const run = await profile.open((context) => watch.attach(context))
    const { page, context } = run
    await openInside(page, site.origin)
    await leave(context, page, site.origin, 1_500_000)
    await page.evaluate(async () => {
      const scope = globalThis as unknown as Scope
      scope.engine = await openEngine({ model: new inside.HashingEmbedder() })
      await scope.engine.add(Array.from({ length: 10 }, (_, n) => inside.makeDocument(n, 1)))
      await scope.engine.ready('vectors')
    })
    const full = await page.evaluate(async () => {
      const { engine } = globalThis as unknown as Scope
      const before = await engine.status()
      const large = Array.from({ length: 40 }, (_, i) => ({
        id: `large-${String(i)}`,
        text: `Carla Castell met Hugo Galt in note ${String(i)}. `.repeat(3000),
      }))
      Object.assign(globalThis, { large })
      const error = await caught(engine.add(large))
      const after = await engine.status()
      const answer = await engine.retrieve('Whom did Anna Alder meet?', { tier: 'full' })
      return {
        error,
        before: before.documents,
        after: after.documents,
        generation: [before.generation, after.generation],
        sources: answer.sources.length,
        tier: answer.debug.tier,
        look: await inside.look('test'),
      }
    })
    expect(full.error).toMatchObject({
      code: 'store/quota',
      known: true,
      details: {
        neededBytes: expect.any(Number) as unknown,
        availableBytes: expect.any(Number) as unknown,
      },
    })
    const { neededBytes, availableBytes } = full.error.details as {
      neededBytes: number
      availableBytes: number
    }
    expect(neededBytes).toBeGreaterThan(1_500_000)
    // Chromium counts 10 GiB as free whatever the limit is, and the message says that it refuses all
    // the same.
    expect(full.error.message).toContain(
      neededBytes > availableBytes
        ? `${String(availableBytes)} bytes are free`
        : `counts ${String(availableBytes)} bytes as free`,
    )
    expect({
      after: full.after,
      faults: full.look.faults,
      stored: full.look.stored.length,
      tier: full.tier,
    }).toEqual({ after: full.before, faults: [], stored: 10, tier: 'full' })
    expect(full.generation[1]).toBe(full.generation[0])
    expect(full.sources).toBeGreaterThan(0)
    await leave(context, page, site.origin, null)
    const taken = await page.evaluate(async () => {
      const { engine, large } = globalThis as unknown as Scope & {
        large: readonly { id: string; text: string }[]
      }
      const { added } = await engine.add(large)
      const { documents } = await engine.status()
      await engine.close()
      return { added: added.length, documents }
    })
    expect(taken).toEqual({ added: 40, documents: 50 })
    console.log(`${String(neededBytes)} bytes needed, ${String(availableBytes)} free`)
    await run.close()
  },
)

test(
  'without room for vectors embedding stops by name, questions go on, and nothing embedded ' +
    'is lost once there is room',
  async ({ profile, site, watch }) => {
    const run = await profile.open((context) => watch.attach(context))
    const { page, context } = run
    await openInside(page, site.origin)
    await leave(context, page, site.origin, 2_000_000)
    await page.evaluate(async () => {
      const scope = globalThis as unknown as Scope
      scope.engine = await openEngine({ model: new inside.DenseEmbedder(4096) })
      await scope.engine.pauseEmbedding()
      await scope.engine.add(Array.from({ length: 16 }, (_, n) => inside.makeDocument(n, 1)))
    })
    const full = await page.evaluate(async () => {
      const { engine } = globalThis as unknown as Scope
      await engine.resumeEmbedding()
      let status = await engine.status()
      for (let i = 0; i < 600 && status.embedding.state !== 'failed'; i++) {
        await new Promise((resolve) => {
          setTimeout(resolve, 20)
        })
        status = await engine.status()
      }
      const answer = await engine.retrieve('Whom did Anna Alder meet?')
      return {
        error: status.embedding.error,
        state: status.embedding.state,
        vectors: `${String(status.passagesWithVectors)} of ${String(status.passages)}`,
        warnings: status.warnings,
        usage: status.storage.usageBytes,
        sources: answer.sources.length,
        documents: status.documents,
        faults: (await inside.look('test')).faults,
      }
    })
    expect(full.error?.code, JSON.stringify(full)).toBe('store/quota')
    expect(full.error?.message).toMatch(/needs about \d+ bytes and .*\d+ bytes/)
    expect(full.sources).toBeGreaterThan(0)
    await leave(context, page, site.origin, null)
    const after = await page.evaluate(async () => {
      const { engine } = globalThis as unknown as Scope
      await engine.resumeEmbedding()
      await engine.ready('vectors')
      await engine.close()
      const again = await openEngine({ model: new inside.DenseEmbedder(4096) })
      await again.pauseEmbedding()
      let status = await again.status()
      for (let i = 0; i < 500 && status.passagesWithVectors < status.passages; i++) {
        await new Promise((resolve) => {
          setTimeout(resolve, 10)
        })
        status = await again.status()
      }
      await again.close()
      return { passages: status.passages, stored: status.passagesWithVectors }
    })
    expect(after.stored, 'vectors that came back from storage').toBe(after.passages)
    await run.close()
  },
)

test(
  'without room for derived data and for the model both are told with their bytes, and the ' +
    'engine works without',
  async ({ profile, site, watch }) => {
    const run = await profile.open((context) => watch.attach(context))
    const { page, context } = run
    await openInside(page, site.origin)
    await leave(context, page, site.origin, 3_000_000)
    const derived = await page.evaluate(async () => {
      const engine = await openEngine({ model: new inside.HashingEmbedder() })
      await engine.add(Array.from({ length: 10 }, (_, n) => inside.makeDocument(n, 1)))
      await engine.ready('vectors')
      const before = await inside.answersOf(engine)
      await engine.close()
      const settings = {
        formatVersion: inside.FORMAT_VERSION,
        chunk: { strategy: 'sentences', tokens: 200, overlap: 0 },
        embedder: new inside.HashingEmbedder().identity,
      } as const
      const storage = await inside.openIndexedDbStorage({ corpus: 'test', settings })
      const bytes = new Uint8Array(8_000_000)
      for (let at = 0; at < bytes.length; at += 65_536)
        crypto.getRandomValues(bytes.subarray(at, at + 65_536))
      const error = await caught(storage.writeDerived('large', bytes))
      const text = (await storage.readDerived('text'))?.length ?? 0
      await storage.close()
      const again = await openEngine({ model: new inside.HashingEmbedder() })
      const after = await inside.answersOf(again)
      await again.close()
      return { error, text, before, after }
    })
    expect(derived.error).toMatchObject({
      code: 'store/quota',
      details: {
        neededBytes: expect.any(Number) as unknown,
        availableBytes: expect.any(Number) as unknown,
      },
    })
    expect(derived.text, 'the index that was there before').toBeGreaterThan(0)
    expect(derived.after).toEqual(derived.before)

    const model = await page.evaluate(async () => {
      const engine = await openEngine({ corpus: 'model', storage: 'memory', model: MODEL })
      await engine.add('Ed Wood directed Plan 9 from Outer Space.')
      await engine.ready('vectors')
      const { warnings, embedding, passagesWithVectors } = await engine.status()
      const answer = await engine.retrieve('Who directed Plan 9?', { tier: 'full' })
      await engine.close()
      return {
        warnings,
        error: embedding.error,
        passagesWithVectors,
        sources: answer.sources.length,
      }
    })
    expect(model.warnings.join()).toMatch(
      /no room to keep onnx\/model_quantized\.onnx \(\d+ bytes, \d+ free\).*store\/quota/,
    )
    expect({
      error: model.error,
      vectors: model.passagesWithVectors,
      sources: model.sources,
    }).toEqual({ error: null, vectors: 1, sources: 1 })
    await run.close()
  },
)
