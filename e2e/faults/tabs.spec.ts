/**
 * Two tabs: one writes and embeds, the other follows; when the writer closes, crashes or freezes
 * the other goes on, and there are never two writers.
 */
import type { Browser, Page } from '@playwright/test'
import type { Engine } from '../../src/index.ts'
import { expect, openInside, test } from './support/test.ts'

interface Tab {
  engine: Engine
  /** Passages that this tab embedded itself. */
  embedded: number
}

/** Opens an engine whose embedder takes its time and counts. */
const openTab = (page: Page, msPerText: number): Promise<void> =>
  page.evaluate(async (ms) => {
    const hashing = new inside.HashingEmbedder()
    const tab = globalThis as unknown as Tab
    tab.embedded = 0
    tab.engine = await openEngine({
      model: {
        identity: hashing.identity,
        embed: async (texts, options) => {
          if (options.kind === 'passage') {
            tab.embedded += texts.length
            await new Promise((resolve) => {
              setTimeout(resolve, ms)
            })
          }
          return hashing.embed(texts, options)
        },
        close: () => Promise.resolve(),
      },
    })
  }, msPerText)

/**
 * Adds some numbered documents; gives the time at which they were acknowledged, or the code of the
 * refusal.
 */
const add = (page: Page, from: number, to: number): Promise<number | string> =>
  page.evaluate(
    async ([from, to]) => {
      const { engine } = globalThis as unknown as Tab
      try {
        await engine.update(
          Array.from({ length: to - from }, (_, i) => inside.makeDocument(from + i, 1)),
        )
        return Date.now()
      } catch (error) {
        return (error as { code: string }).code
      }
    },
    [from, to] as const,
  )

/** The time at which this tab has so many documents. */
const having = (page: Page, documents: number): Promise<number> =>
  page.evaluate(async (wanted) => {
    const { engine } = globalThis as unknown as Tab
    while ((await engine.status()).documents < wanted)
      await new Promise((resolve) => {
        setTimeout(resolve, 10)
      })
    return Date.now()
  }, documents)

/**
 * What a second means on this machine, ms: as much as on an idle one, and twenty plain writes as
 * they take here, now.
 */
async function aSecond(page: Page): Promise<number> {
  const started = Date.now()
  expect(typeof (await add(page, 58, 59))).toBe('number')
  return 1000 + 20 * (Date.now() - started)
}

/** Vectors of everything; then what this tab did for it, and answers beside a rebuild's. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const tab = globalThis as unknown as Tab
    await tab.engine.ready('vectors')
    // Before questions: those embed the sentences that may answer them.
    const { embedded } = tab
    const answers = await inside.answersOf(tab.engine)
    const status = await tab.engine.status()
    const seen = await inside.look('test')
    const fresh = await openEngine({
      corpus: 'rebuilt',
      storage: 'memory',
      model: new inside.HashingEmbedder(),
    })
    const rebuilt = await inside.rebuiltAnswers(fresh, seen.stored)
    await fresh.close()
    return {
      embedded,
      status,
      faults: seen.faults,
      stored: seen.stored.length,
      answers,
      rebuilt,
    }
  })

test(
  'the other tab sees new documents within a second, takes over their vectors and embeds ' +
    'nothing; when the writer closes it leads within a second',
  async ({ profile, site, watch }) => {
    test.setTimeout(300_000)
    const run = await profile.open((context) => watch.attach(context))
    const [first, second] = [run.page, await run.context.newPage()]
    await openInside(first, site.origin)
    await openInside(second, site.origin)
    await openTab(first, 30)
    expect(typeof (await add(first, 0, 2))).toBe('number')
    await openTab(second, 0)
    const limit = await aSecond(first)
    const acknowledged = (await add(first, 2, 12)) as number
    const seen = (await having(second, 13)) - acknowledged
    expect(seen, 'ms until the other tab has new documents').toBeLessThanOrEqual(limit)
    const following = await second.evaluate(() => (globalThis as unknown as Tab).engine.status())
    // Idle where the writer was done before we looked; that nothing was embedded here is counted
    // below.
    expect(['following', 'idle']).toContain(following.embedding.state)
    expect(await add(second, 20, 21)).toBe('writer/not-leader')
    const together = await settled(second)
    expect({
      embedded: together.embedded,
      state: together.status.embedding.state,
      faults: together.faults,
      stored: together.stored,
    }).toEqual({ embedded: 0, state: 'idle', faults: [], stored: 13 })
    expect(together.answers).toEqual(together.rebuilt)

    // The writer goes with much left to do.
    expect(typeof (await add(first, 30, 44))).toBe('number')
    await having(second, 27)
    await first.close()
    const closed = Date.now()
    const led = (await add(second, 50, 52)) as number
    expect(typeof led).toBe('number')
    expect(
      led - closed,
      'ms from the close of the writer to an acknowledged write of the other',
    ).toBeLessThanOrEqual(Math.max(limit, await aSecond(second)))
    const after = await settled(second)
    expect(after.embedded).toBeGreaterThan(0)
    expect({
      faults: after.faults,
      stored: after.stored,
      missing: after.status.passages - after.status.passagesWithVectors,
    }).toEqual({ faults: [], stored: 29, missing: 0 })
    expect(after.answers).toEqual(after.rebuilt)
    console.log(
      `documents seen after ${String(seen)} ms; led ${String(led - closed)} ms after the close`,
    )
    await run.close()
  },
)

test('when the tab of the writer crashes the other leads within a second and goes on with its work', async ({
  profile,
  site,
  watch,
}) => {
  test.setTimeout(300_000)
  const run = await profile.open((context) => watch.attach(context))
  const [first, second] = [run.page, await run.context.newPage()]
  await openInside(first, site.origin)
  await openInside(second, site.origin)
  await openTab(first, 20)
  await openTab(second, 0)
  expect(typeof (await add(first, 0, 20))).toBe('number')
  await having(second, 20)
  void add(first, 20, 40).catch(() => undefined)
  const session = await run.context.newCDPSession(first)
  void session.send('Page.crash').catch(() => undefined)
  await first.waitForEvent('crash')
  const crashed = Date.now()
  const led = (await add(second, 40, 42)) as number
  expect(typeof led).toBe('number')
  expect(
    led - crashed,
    'ms from the crash of the writer to an acknowledged write of the other',
  ).toBeLessThanOrEqual(await aSecond(second))
  const after = await settled(second)
  expect(after.faults).toEqual([])
  expect([23, 43]).toContain(after.stored)
  expect({
    embedded: after.embedded > 0,
    missing: after.status.passages - after.status.passagesWithVectors,
    documents: after.status.documents,
  }).toEqual({ embedded: true, missing: 0, documents: after.stored })
  expect(after.answers).toEqual(after.rebuilt)
  console.log(`led ${String(led - crashed)} ms after the crash`)
  await run.close()
})

/**
 * Stops the one renderer process without which `page` does not answer and `other` does; gives its
 * id.
 */
async function freeze(browser: Browser, page: Page, other: Page): Promise<number> {
  const answers = (asked: Page): Promise<boolean> =>
    Promise.race([
      asked.evaluate(() => true),
      new Promise<false>((resolve) => {
        setTimeout(() => {
          resolve(false)
        }, 1500)
      }),
    ])
  const { processInfo } = await (
    await browser.newBrowserCDPSession()
  ).send('SystemInfo.getProcessInfo')
  for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
    process.kill(id, 'SIGSTOP')
    if (!(await answers(page)) && (await answers(other))) return id
    process.kill(id, 'SIGCONT')
  }
  throw new Error('No process is the renderer of this page alone.')
}

test('a frozen writer loses the lead to a tab that asks for it, and is refused when it comes back', async ({
  profile,
  site,
  watch,
}) => {
  test.setTimeout(300_000)
  const run = await profile.open((context) => watch.attach(context))
  const [first, second] = [run.page, await run.context.newPage()]
  await openInside(first, site.origin)
  await openInside(second, site.origin)
  await openTab(first, 0)
  expect(typeof (await add(first, 0, 10))).toBe('number')
  await openTab(second, 0)
  await settled(first)
  const frozen = await freeze(run.browser, first, second),
    since = Date.now()
  let refusals = 0,
    led = await add(second, 10, 12)
  while (typeof led !== 'number' && Date.now() - since < 60_000) {
    expect(led).toBe('writer/not-leader')
    refusals++
    led = await add(second, 10, 12)
  }
  expect(typeof led, 'the other tab led at last').toBe('number')
  process.kill(frozen, 'SIGCONT')
  expect(['writer/lost', 'writer/not-leader']).toContain(await add(first, 20, 22))
  expect(await having(first, 12)).toBeGreaterThan(0)
  expect(typeof (await add(second, 12, 14))).toBe('number')
  expect(await add(first, 20, 22)).toBe('writer/not-leader')
  await second.evaluate(() => (globalThis as unknown as Tab).engine.close())
  expect(typeof (await add(first, 14, 16))).toBe('number')
  const after = await settled(first)
  expect({
    faults: after.faults,
    stored: after.stored,
    documents: after.status.documents,
    missing: after.status.passages - after.status.passagesWithVectors,
  }).toEqual({ faults: [], stored: 16, documents: 16, missing: 0 })
  expect(after.answers).toEqual(after.rebuilt)
  console.log(
    `led ${String((led as number) - since)} ms after the freeze, ${String(refusals)} refusals`,
  )
  await run.close()
})

test(
  'a writer frozen by the browser never writes beside another: it is refused when it thaws, ' +
    'or the other was all along',
  async ({ profile, site, watch }) => {
    test.setTimeout(300_000)
    const run = await profile.open((context) => watch.attach(context))
    const [first, second] = [run.page, await run.context.newPage()]
    await openInside(first, site.origin)
    await openInside(second, site.origin)
    await openTab(first, 0)
    expect(typeof (await add(first, 0, 10))).toBe('number')
    await openTab(second, 0)
    await settled(first)
    const session = await run.context.newCDPSession(first)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    // The workers of a frozen page may go on; then it is alive, keeps the lead, and the other is
    // refused.
    let led = await add(second, 10, 12)
    for (let tries = 0; typeof led !== 'number' && tries < 12; tries++) {
      expect(led).toBe('writer/not-leader')
      led = await add(second, 10, 12)
    }
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    const back = await add(first, 20, 22)
    if (typeof led === 'number') expect(['writer/lost', 'writer/not-leader']).toContain(back)
    else expect(typeof back).toBe('number')
    const leader = typeof led === 'number' ? second : first
    expect(typeof (await add(leader, 30, 32))).toBe('number')
    const after = await settled(leader)
    expect({
      faults: after.faults,
      stored: after.stored,
      missing: after.status.passages - after.status.passagesWithVectors,
    }).toEqual({ faults: [], stored: 14, missing: 0 })
    expect(after.answers).toEqual(after.rebuilt)
    console.log(typeof led === 'number' ? 'the other tab led' : 'the frozen page went on leading')
    await run.close()
  },
)
