/**
 * The browser is killed while a corpus of the first release becomes segments: the next opening
 * finds the old layout or the new one, whole. And a log that a kill tore is renewed before anything
 * rests on it.
 */
import type { Page } from '@playwright/test'
import { random } from './fixtures/documents.ts'
import { isTorn, tear } from './support/browser_log.ts'
import { oldDatabase } from './support/old_database.ts'
import { FULL, SEED, expect, openInside, test } from './support/test.ts'

const KILLS = FULL ? 50 : 20
/** Documents beside those of 0.1.0, so that the step takes a while: 12 MB, more than one write. */
const COPIES = 1000
/** Moments are swept from the first opening on, ms. */
const WINDOW = 900

test(
  `killed ${String(KILLS)} times while a corpus of 0.1.0 becomes segments, it is in the old ` +
    'layout or in the new one, whole, and goes on',
  async ({ profile, site, watch }) => {
    test.setTimeout(KILLS * 60_000)
    console.log(`seed ${String(SEED)}`)
    const moments = random(SEED + 2),
      found = { old: 0, new: 0, torn: 0 },
      database = oldDatabase(),
      whole = { documents: 15 + COPIES, vectors: 96, kept: 2, faults: [], quarantined: 0 }
    for (let round = 0; round <= KILLS; round++) {
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
      if (round > 0) {
        const corpus = `round-${String(round - 1)}`
        const { layout, ...rest } = await run.page.evaluate(
          (corpus) => inside.lookOld(corpus),
          corpus,
        )
        // what was added after the step may be there, too
        expect({ ...rest, documents: whole.documents }, corpus).toEqual(whole)
        expect([whole.documents, whole.documents + 1]).toContain(rest.documents)
        expect(['old', 'new']).toContain(layout)
        found[layout as 'old' | 'new']++
        expect(await run.page.evaluate((corpus) => inside.writeToOld(corpus), corpus)).toEqual({
          ...whole,
          layout: 'new',
          documents: whole.documents + 1,
        })
      }
      if (round === KILLS) {
        await run.close()
        break
      }
      const corpus = `round-${String(round)}`
      await run.page.evaluate(
        ({ corpus, database, copies }) => inside.restoreOld(corpus, database, copies),
        { corpus, database, copies: COPIES },
      )
      void run.page
        .evaluate(async (corpus) => {
          await (globalThis as unknown as { began(): Promise<void> }).began()
          await inside.writeToOld(corpus)
        }, corpus)
        .catch(() => undefined)
      await underWay
      await new Promise((resolve) => {
        setTimeout(
          resolve,
          Math.floor((WINDOW * round) / KILLS) + moments(Math.ceil(WINDOW / KILLS)),
        )
      })
      await run.kill()
      // Some kills tear a record of the browser's log; every second round is made one of them.
      if (isTorn(profile.folder, site.origin)) found.torn++
      else if (round % 2 === 1) tear(profile.folder, site.origin)
    }
    console.log(
      `${String(KILLS)} kills: ${String(found.old)} times the old layout, ${String(found.new)} ` +
        `times the new one; ${String(found.torn)} tore a record of the browser's log by themselves`,
    )
    expect(found.old, 'kills that struck before the switch').toBeGreaterThan(0)
    expect(found.new, 'kills that struck after the switch').toBeGreaterThan(0)
  },
)

/** Documents that were added before the tear and after it, and what two more openings say. */
async function acrossTear(
  open: () => Promise<{ page: Page; kill(): Promise<void> }>,
  torn: () => void,
): Promise<{ readonly said: string; readonly documents: number }> {
  const add = (page: Page, from: number): Promise<void> =>
    page.evaluate(async (first) => {
      const settings = {
        formatVersion: inside.FORMAT_VERSION,
        chunk: { strategy: 'sentences', tokens: 200, overlap: 0 },
        embedder: null,
      } as const
      const storage = await inside.openIndexedDbStorage({ corpus: 'torn', settings })
      const documents = Array.from({ length: 20 }, (_, i) => inside.makeDocument(first + i, 1))
      await storage.commit({
        remove: [],
        put: documents.map(({ id, title, text, metadata }) => ({
          id,
          title,
          text,
          metadata: metadata!,
          hash: inside.contentHash(title, text),
          passages: Int32Array.of(0, text.length),
        })),
      })
    }, from)
  const first = await open()
  await add(first.page, 0)
  await first.kill()
  torn()
  const second = await open()
  await add(second.page, 20)
  await second.kill()
  const third = await open()
  const seen = await third.page.evaluate(async () => {
    try {
      const { stored, faults } = await inside.look('torn')
      return { said: faults.join() || 'none', documents: stored.length }
    } catch (error) {
      return { said: (error as { code: string }).code, documents: 0 }
    }
  })
  await third.kill()
  return seen
}

test('a log torn by a kill is renewed at the next opening, so that the kill after that costs nothing', async ({
  profile,
  site,
  watch,
}) => {
  test.setTimeout(600_000)
  const open = async (hidden: boolean) => {
    const run = await profile.open(async (context) => {
      await watch.attach(context)
      // Without its name the package takes the browser for another one, and renews nothing.
      if (hidden)
        await context.addInitScript(() => {
          Object.defineProperty(Navigator.prototype, 'userAgentData', { value: undefined })
        })
    })
    await openInside(run.page, site.origin)
    return run
  }
  const torn = (): void => {
    tear(profile.folder, site.origin)
    expect(isTorn(profile.folder, site.origin)).toBe(true)
  }
  expect(await acrossTear(() => open(false), torn)).toEqual({ said: 'none', documents: 40 })
  // The control: what the same kills cost without the renewal, all or, in a browser that mends its
  // log by itself, nothing. Whether the loss is noticed hangs
  // on whether the sign that there was a corpus, which lies elsewhere, had reached the disk before
  // the kill.
  const control = await acrossTear(() => open(true), torn)
  console.log(`without the renewal: ${control.said}, ${String(control.documents)} documents`)
  expect([
    { said: 'store/evicted', documents: 0 },
    { said: 'none', documents: 0 },
    { said: 'none', documents: 40 },
  ]).toContainEqual(control)
})
