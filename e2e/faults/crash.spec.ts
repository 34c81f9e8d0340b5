/**
 * The browser is killed at swept moments of writing and of recovering: what was acknowledged is
 * there, whole, and answers as a rebuild does.
 */
import type { Page } from '@playwright/test'
import { random } from './fixtures/documents.ts'
import type { Operation } from './fixtures/documents.ts'
import { isTorn, tear } from './support/browser_log.ts'
import { History } from './support/history.ts'
import { FULL, SEED, expect, openInside, test } from './support/test.ts'

/** In full after each kill. */
const COMPARE_EVERY = FULL ? 1 : 4
const WRITING = FULL ? 200 : 20,
  RECOVERING = FULL ? 50 : 20,
  HUGE = FULL ? 12 : 3
/**
 * Moments are swept over this long after the first write began, ms: several writes, with vectors on
 * their way.
 */
const WINDOW = 900
/**
 * Every fifth run stops writing early and is killed while vectors and the index are being saved, 2
 * s after the last change.
 */
const QUIET_FROM = 1700,
  QUIET_WINDOW = 900
/** Recovery: from the start of the page until it has written again, ms. */
const RECOVERY_WINDOW = 900

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

test(
  `killed ${String(WRITING)} times while indexing and ${String(RECOVERING)} times while ` +
    'recovering, nothing acknowledged is lost and nothing is half there',
  async ({ profile, site, watch }) => {
    // A kill takes some two seconds; a machine that is busy with other things is given fifty times
    // that.
    test.setTimeout((WRITING + RECOVERING) * 100_000)
    console.log(`seed ${String(SEED)}`)
    const moments = random(SEED),
      history = new History()
    let version = 0,
      recovered = 0,
      compared = 0,
      vectorless = 0,
      torn = 0
    for (let round = 0; round <= WRITING; round++) {
      let begun = (): void => undefined,
        quiet = (): void => undefined
      const underWay = new Promise<void>((resolve) => {
          begun = resolve
        }),
        stopped = new Promise<void>((resolve) => {
          quiet = resolve
        })
      const run = await profile.open(async (context) => {
        await watch.attach(context)
        await context.exposeBinding('began', (_source, operation: Operation) => {
          version = operation.version
          history.begin(operation)
          begun()
        })
        await context.exposeBinding('acknowledged', () => {
          history.acknowledge()
        })
        await context.exposeBinding('quiet', () => {
          quiet()
        })
      })
      await openInside(run.page, site.origin)
      // Answers are compared with those of a rebuild every few rounds, the documents themselves after
      // each.
      const answering = round % COMPARE_EVERY === 0 || round === WRITING
      const seen = await checked(run.page, answering)
      expect(
        history.settle(seen.stored),
        `after kill ${String(round)} of seed ${String(SEED)}`,
      ).toEqual([])
      expect({
        faults: seen.faults,
        quarantined: seen.quarantined,
        warnings: seen.warnings,
        held: seen.held,
      }).toEqual({ faults: [], quarantined: [], warnings: [], held: [] })
      expect(seen.answers, `answers after kill ${String(round)} of seed ${String(SEED)}`).toEqual(
        seen.rebuilt,
      )
      compared += seen.answers.length
      vectorless += seen.missing > 0 ? 1 : 0
      if (round === WRITING) {
        await run.close()
        break
      }

      const resting = round % 5 === 4
      void run.page
        .evaluate(write, { seed: SEED, from: version + 1, most: resting ? 3 : Infinity })
        .catch(() => undefined)
      await (resting ? stopped : underWay)
      await wait(
        resting
          ? QUIET_FROM + moments(QUIET_WINDOW)
          : Math.floor((WINDOW * round) / WRITING) + moments(Math.ceil(WINDOW / WRITING)),
      )
      await run.kill()
      // Some kills tear a record of the browser's log; every third round is made one of them.
      if (isTorn(profile.folder, site.origin)) torn++
      else if (round % 3 === 2) tear(profile.folder, site.origin)

      if (recovered * WRITING > RECOVERING * round) continue
      const again = await profile.open(async (context) => {
        await watch.attach(context)
        await context.exposeBinding('began', (_source, operation: Operation) => {
          version = operation.version
          history.begin(operation)
        })
        await context.exposeBinding('acknowledged', () => {
          history.acknowledge()
        })
        await context.exposeBinding('quiet', () => undefined)
      })
      // What the last kill left is settled by whoever looks next; a write of this run starts from
      // either of its two states.
      await openInside(again.page, site.origin)
      const before = await again.page.evaluate(() => inside.look('test'))
      expect(
        history.settle(before.stored),
        `during recovery ${String(recovered)} of seed ${String(SEED)}`,
      ).toEqual([])
      void again.page
        .evaluate(write, { seed: SEED, from: version + 1, most: 1 })
        .catch(() => undefined)
      await wait(
        Math.floor((RECOVERY_WINDOW * recovered) / RECOVERING) +
          moments(Math.ceil(RECOVERY_WINDOW / RECOVERING)),
      )
      await again.kill()
      recovered++
    }
    const { kept, gone } = history.uncertain
    console.log(
      `${String(WRITING)} kills while writing, ${String(recovered)} while recovering; ` +
        `${String(history.acknowledged)} writes acknowledged, of those under way ${String(kept)} ` +
        `whole and ${String(gone)} absent; ${String(torn)} tore the browser's log by themselves; ` +
        `${String(vectorless)} times vectors were missing and made again; ${String(compared)} ` +
        `answers equal to a rebuild's`,
    )
    expect(recovered).toBe(RECOVERING)
    expect(history.acknowledged).toBeGreaterThan(WRITING)
    // A sweep that never hits a write shows nothing.
    expect(kept + gone).toBeGreaterThan(0)
  },
)

/** Writes one operation after another, telling of each before and after; runs in the page. */
async function write({
  seed,
  from,
  most,
}: {
  seed: number
  from: number
  most: number
}): Promise<void> {
  const scope = globalThis as unknown as {
    began(operation: Operation): Promise<void>
    acknowledged(): Promise<void>
    quiet(): Promise<void>
  }
  const engine = await openEngine({ model: new inside.HashingEmbedder() })
  for (let version = from; version < from + most; version++) {
    const operation = inside.makeOperation(seed, version)
    await scope.began(operation)
    if (operation.kind === 'remove')
      await engine.remove(operation.numbers.map((n) => inside.makeDocument(n, version).id))
    else await engine.update(operation.numbers.map((n) => inside.makeDocument(n, version)))
    await scope.acknowledged()
  }
  await scope.quiet()
}

/** The invariants, and the answers beside those of a rebuild. */
async function checked(page: Page, answering: boolean) {
  return page.evaluate(async (answering) => {
    const seen = await inside.look('test')
    const engine = await openEngine({ model: new inside.HashingEmbedder() })
    const { passages, passagesWithVectors, warnings } = await engine.status()
    const answers = answering ? await inside.answersOf(engine) : []
    await engine.close()
    const fresh = await openEngine({
      corpus: 'rebuilt',
      storage: 'memory',
      model: new inside.HashingEmbedder(),
    })
    const rebuilt = answering ? await inside.rebuiltAnswers(fresh, seen.stored) : []
    await fresh.close()
    const { held = [] } = await navigator.locks.query()
    return {
      ...seen,
      warnings: [...seen.warnings, ...warnings],
      answers,
      rebuilt,
      missing: passages - passagesWithVectors,
      held: held.map(({ name }) => name),
    }
  }, answering)
}

test(
  'the check of the sweeps finds a write that was acknowledged too early, one that is half ' +
    'there, and a removal undone',
  async ({ profile, site, watch }) => {
    const after = (...stored: readonly (readonly [number, number])[]): string[] => {
      const history = new History()
      history.begin({ kind: 'update', numbers: [1, 2], version: 1 })
      history.acknowledge()
      history.begin({ kind: 'remove', numbers: [2], version: 2 })
      history.acknowledge()
      history.begin({ kind: 'update', numbers: [1, 3], version: 3 })
      return history.settle(stored)
    }
    expect(after([1, 1])).toEqual([])
    expect(after([1, 3], [3, 3])).toEqual([])
    expect(after(), 'acknowledged and gone').toHaveLength(1)
    expect(after([1, 1], [2, 1]), 'removed and back').toHaveLength(1)
    expect(after([1, 3]), 'half of a write').toHaveLength(1)
    expect(after([1, 1], [3, 3]), 'the other half').toHaveLength(1)

    // The same in the browser: a page that acknowledges before it commits is found out by one kill.
    let begun = (): void => undefined
    const acknowledged = new Promise<void>((resolve) => {
        begun = resolve
      }),
      history = new History()
    const run = await profile.open(async (context) => {
      await watch.attach(context)
      await context.exposeBinding('began', (_source, operation: Operation) => {
        history.begin(operation)
      })
      await context.exposeBinding('acknowledged', () => {
        history.acknowledge()
        begun()
      })
    })
    await openInside(run.page, site.origin)
    void run.page
      .evaluate(async () => {
        const scope = globalThis as unknown as {
          began(operation: Operation): Promise<void>
          acknowledged(): Promise<void>
        }
        const engine = await openEngine({ model: new inside.HashingEmbedder() })
        const numbers = Array.from({ length: 60 }, (_, n) => n)
        await scope.began({ kind: 'update', numbers, version: 1 })
        await scope.acknowledged()
        await engine.update(numbers.map((n) => inside.makeDocument(n, 1)))
      })
      .catch(() => undefined)
    await acknowledged
    await run.kill()
    const again = await profile.open((context) => watch.attach(context))
    await openInside(again.page, site.origin)
    const seen = await again.page.evaluate(() => inside.look('test'))
    await again.close()
    expect(seen.faults).toEqual([])
    expect(
      history.settle(seen.stored).length,
      `${String(seen.stored.length)} documents are stored`,
    ).toBe(60 - seen.stored.length)
    expect(seen.stored.length).toBeLessThan(60)
  },
)

test(
  `a document larger than a transaction, killed ${String(HUGE)} times on its way, is absent ` +
    'or whole and leaves nothing behind',
  async ({ profile, site, watch }) => {
    test.setTimeout(HUGE * 200_000)
    const moments = random(SEED + 1),
      seen: boolean[] = []
    for (let round = 0; round <= HUGE; round++) {
      let begun = (): void => undefined
      const underWay = new Promise<void>((resolve) => {
        begun = resolve
      })
      const run = await profile.open(async (context) => {
        await watch.attach(context)
        await context.exposeBinding('began', () => {
          begun()
        })
      })
      await openInside(run.page, site.origin)
      const found = await run.page.evaluate(async (round) => {
        const settings = {
          formatVersion: inside.FORMAT_VERSION,
          chunk: { strategy: 'sentences', tokens: 200, overlap: 0 },
          embedder: null,
        } as const
        const storage = await inside.openIndexedDbStorage({ corpus: 'huge', settings })
        const documents: { id: string; chars: number; whole: boolean }[] = []
        for await (const page of storage.documents())
          for (const { id, text, hash } of page)
            documents.push({ id, chars: text.length, whole: inside.contentHash('', text) === hash })
        // The next write sweeps what the crash left of the parts.
        await storage.commit({ put: [], remove: documents.map(({ id }) => id) })
        const small = 'A small one.'
        await storage.commit({
          put: [
            {
              id: 'small',
              title: '',
              text: small,
              metadata: {},
              hash: inside.contentHash('', small),
              passages: Int32Array.of(0, small.length),
            },
          ],
          remove: [],
        })
        await storage.commit({ put: [], remove: ['small'] })
        const connection = new inside.Connection({ name: 'hubmesh:huge' })
        const parts = await (await connection.database()).count('segments')
        connection.close()
        const text = `Zürich ${String(round)} `.repeat(1_200_000)
        const document = {
          id: `huge-${String(round)}`,
          title: '',
          text,
          metadata: {},
          hash: inside.contentHash('', text),
          passages: Int32Array.of(0, 100),
        }
        Object.assign(globalThis, { commit: () => storage.commit({ put: [document], remove: [] }) })
        return { documents, parts, quarantined: storage.quarantined }
      }, round)
      expect(found.documents.filter(({ whole }) => !whole)).toEqual([])
      expect({ parts: found.parts, quarantined: found.quarantined }).toEqual({
        parts: 0,
        quarantined: [],
      })
      if (round > 0) seen.push(found.documents.length === 1)
      if (round === HUGE) {
        await run.close()
        break
      }
      void run.page
        .evaluate(async () => {
          const scope = globalThis as unknown as { began(): Promise<void>; commit(): Promise<void> }
          await scope.began()
          await scope.commit()
        })
        .catch(() => undefined)
      await underWay
      await wait(Math.floor((600 * round) / HUGE) + moments(150))
      await run.kill()
    }
    console.log(
      `killed ${String(HUGE)} times: ${String(seen.filter(Boolean).length)} whole, ` +
        `${String(seen.filter((whole) => !whole).length)} absent`,
    )
  },
)
