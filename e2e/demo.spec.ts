/** The page as a newcomer meets it: an example, own files, follow-ups, reload, offline. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { ask, keepSample, shelf, side } from './support/demo_page.ts'
import { expect, test } from './support/test.ts'

async function openPage(page: Page, origin: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${origin}/`)
  await expect(page.locator('.card')).toBeVisible({ timeout: 30_000 })
}

const QUESTION = 'Are Christopher Nolan and Sathish Kalathil both film directors?'

test('a first visit begins with a finished example, answered live and not saved', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  const turn = page.locator('.turn.present')
  await expect(turn.locator('.quote mark.m-answer').first()).toBeVisible()
  await expect(turn.locator('.path-line .path-node').first()).toBeVisible()
  await expect(turn.locator('.context-block').first()).toBeVisible()
  await expect(page.getByText('An example, not saved')).toBeVisible()
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  // A phone shows the first quote without scrolling.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.evaluate(() => {
    scrollTo(0, 0)
  })
  await expect(turn.locator('.quote blockquote').first()).toBeInViewport({ ratio: 0.6 })
})

test('keep the sample, click a question, read the card and why, steer it', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await keepSample(page)
  await page.locator('.suggestion').first().click()
  await expect(page.getByRole('button', { name: 'Packed context' })).toBeVisible()
  await expect(page.locator('.context-block').first()).toBeVisible()

  await ask(page, QUESTION)
  const sources = page.locator('.source')
  await expect(sources.first()).toContainText(/Nolan|Kalathil/)
  await expect(page.locator('.chip').filter({ hasText: 'Christopher Nolan' })).toBeVisible()
  await expect(page.locator('.paths li').first()).toBeVisible()
  // Meaning comes in between the two questions, so the two may change places.
  const firstTwo = (): Promise<string[]> =>
    sources.evaluateAll((cards) =>
      cards
        .slice(0, 2)
        .map((card) => (card.getAttribute('aria-label') ?? '').replace(/^Source \d+: /, ''))
        .sort(),
    )
  const cased = await firstTwo()

  await ask(page, QUESTION.toLowerCase())
  await expect.poll(firstTwo).toEqual(cased)

  await sources
    .first()
    .getByRole('button', { name: /^Exclude/ })
    .click()
  await expect(page.getByText('Left out', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Include .* again$/ }).click()
  await page.getByRole('button', { name: 'Do not start from Christopher Nolan' }).click()
  await expect(page.locator('.chip').filter({ hasText: 'Christopher Nolan' })).toHaveCount(0)
  await page.getByRole('button', { name: 'bring back 1 name' }).click()
  await expect(page.locator('.chip').filter({ hasText: 'Christopher Nolan' })).toBeVisible()
  await page.getByLabel('Add a name to start from').fill('haymo of faversham')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.locator('.chip.added').filter({ hasText: 'Haymo of Faversham' })).toBeVisible()
})

test('the budget slider keeps the context within it', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await keepSample(page)
  await ask(page, QUESTION)
  const slider = page.getByRole('slider', { name: 'Budget' })
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'End']) {
    await slider.press(key)
    const figures = page.locator('output[for="budget"]')
    await expect
      .poll(async () => {
        const [used, budget] = ((await figures.textContent()) ?? '')
          .replace(/[^\d ]/g, '')
          .split(/ +/)
          .map(Number)
        return used! > 0 && used! <= budget!
      })
      .toBe(true)
  }
})

test('no task of the page passes fifty milliseconds while the sample is indexed, embedded and asked', async ({
  browser,
  demo,
  watch,
}) => {
  test.setTimeout(240_000)
  const longest: number[] = []
  for (let run = 0; run < 3; run++) {
    const context = await browser.newContext()
    await watch.attach(context)
    const page = await context.newPage()
    await openPage(page, demo.origin)
    await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
    await keepSample(page)
    await ask(page, QUESTION)
    // Embedding is under way, and the page is told of it.
    await expect(page.getByRole('progressbar', { name: 'Meaning' })).not.toHaveAttribute(
      'aria-valuenow',
      '0',
      { timeout: 60_000 },
    )
    longest.push(longestTaskOf(await browser.stopTracing()))
    await watch.inspect(page)
    await context.close()
  }
  console.log(`longest task of each run: ${longest.join(', ')} ms of processor time`)
  expect(Math.min(...longest)).toBeGreaterThan(0)
  expect(Math.min(...longest)).toBeLessThanOrEqual(50)
})

/**
 * The longest task of a page's main thread in a trace, in milliseconds of its own processor time:
 * two workers and the browser share two cores here, and time that a task waits for a core says
 * nothing of the page. Calls of the test's own driver run in tasks of that thread too, and are not
 * the page's.
 */
function longestTaskOf(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const thread = ({ pid, tid }: TraceEvent): string => `${String(pid)}:${String(tid)}`
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(thread),
  )
  const own = traceEvents.filter((event) => main.has(thread(event))),
    driven = own.filter(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === DRIVER)
  expect(driven.length).toBeGreaterThan(0)
  const tasks = own.filter(
    (task) =>
      task.name.endsWith('RunTask') &&
      task.tdur !== undefined &&
      !driven.some(
        (call) =>
          thread(call) === thread(task) &&
          call.ts >= task.ts &&
          call.ts <= task.ts + (task.dur ?? 0),
      ),
  )
  return Math.round(Math.max(0, ...tasks.map(({ tdur }) => tdur!)) / 1000)
}

/** What the driver's calls come by. */
const DRIVER = 'blink.mojom.DevToolsSession'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds: its start, how long it was, and its processor time. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: {
    readonly name?: string
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string }
  }
}

test('own files, pasted text and files that cannot be read', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await page.getByLabel('Files to add').setInputFiles([
    {
      name: 'notes.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Zebra Project\n\nThe Zebra Project is led by Ada Quill in Porto.'),
    },
    {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('id,title,text\n1,Ada Quill,Ada Quill was born in Lisbon.\n'),
    },
    {
      name: 'evil.html',
      mimeType: 'text/html',
      buffer: Buffer.from(
        '<h1>Hello</h1><img src=x ' +
          'onerror="window.hacked=1"><script>window.hacked=1</script><p>Ada Quill likes tea.</p>',
      ),
    },
    {
      name: 'binary.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from([0, 1, 2, 3, 255, 254, 0, 0]),
    },
  ])
  await expect(page.getByRole('progressbar', { name: 'Searchable' })).toHaveAttribute(
    'aria-valuenow',
    '100',
    { timeout: 30_000 },
  )
  await expect(page.getByText('binary.txt').first()).toBeVisible()
  await ask(page, 'Where was the leader of the Zebra Project born?')
  await expect(page.locator('.source').filter({ hasText: 'Lisbon' })).toBeVisible()
  expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined()
})

test('after a reload the corpus is there, and without a network too', async ({
  browser,
  watch,
}) => {
  const { servePage } = await import('./support/server.ts')
  const server = await servePage()
  watch.trust(server.origin)
  const context = await browser.newContext()
  await watch.attach(context)
  const page = await context.newPage()
  await openPage(page, server.origin)
  await keepSample(page)
  await expect(page.getByText('Works offline.').first()).toBeVisible({ timeout: 90_000 })
  await page.reload()
  await expect(page.getByRole('progressbar', { name: 'Searchable' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  )
  await ask(page, QUESTION)

  // A service worker is not reached by the browser's own offline switch: the server goes away as
  // well.
  await server.close()
  await context.setOffline(true)
  watch.expectError(
    /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|Failed to load resource|FetchEvent/,
  )
  await page.reload()
  await expect(page.getByRole('progressbar', { name: 'Searchable' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  )
  await ask(
    page,
    'Who directed the film that was shot in or around Leland, North Carolina in 1986?',
  )
  await expect(page.locator('.source').first()).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Meaning' })).not.toHaveAttribute(
    'aria-valuenow',
    '0',
    { timeout: 60_000 },
  )
  await watch.inspect(page)
  await context.close()
})

for (const width of [360, 1440]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds no serious fault and nothing scrolls sideways at ${String(width)} px, ${colorScheme}`, async ({
      page,
      demo,
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await openPage(page, demo.origin)
      await page.setViewportSize({ width, height: 800 })
      const check = async (state: string): Promise<void> => {
        // axe is given to the page by the test's own channel; the page's policy stays as it is.
        const { violations } = await new AxeBuilder({ page }).analyze()
        const serious = violations.filter(
          ({ impact }) => impact === 'serious' || impact === 'critical',
        )
        expect
          .soft(
            serious.map(
              ({ id, nodes }) =>
                `${state}: ${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
            ),
          )
          .toEqual([])
        expect
          .soft(
            await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            ),
            `${state} scrolls sideways`,
          )
          .toBeLessThanOrEqual(0)
      }
      await expect(page.locator('.card')).toBeVisible()
      await check('example')
      await shelf(page)
      await check('shelf')
      await keepSample(page)
      if (width < 1100) await page.locator('.sheet-close').click()
      await ask(page, QUESTION)
      await check('answered')
      await ask(page, 'zzzz qqqq')
      await check('not found')
      await ask(page, QUESTION)
      for (const part of ['Why', 'Developer', 'Document'] as const) {
        await side(page, part)
        await check(part)
      }
      await side(page, 'Graph')
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await expect(page.locator('.graph-list')).toBeVisible()
      await check('Graph')
    })
  }
}
