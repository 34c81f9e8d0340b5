/**
 * The page as a product: how little it needs to start, what can be carried away and shared, how it
 * shows itself to a newcomer, and how it stands when something is gone.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import {
  addFilms,
  ask,
  closeSheet,
  expect,
  openPage,
  QUESTION,
  servePageWith,
  shelf,
  side,
} from './support/demo_page.ts'
import { ROOT } from './support/server.ts'
import { test } from './support/test.ts'

/** Moves of what was already drawn, that no click asked for (https://web.dev/articles/cls). */
async function watchShifts(page: Page): Promise<() => Promise<{ sum: number; what: string[] }>> {
  await page.addInitScript(() => {
    const shifts: { value: number; what: string }[] = []
    Object.assign(globalThis, { __shifts: shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      })[]) {
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            what: entry.sources
              .map(({ node }) =>
                node instanceof Element
                  ? `${node.tagName}.${node.className}`
                  : (node?.parentElement?.className ?? ''),
              )
              .join(' '),
          })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => {
      const shifts = (globalThis as unknown as { __shifts: { value: number; what: string }[] })
        .__shifts
      return {
        sum: shifts.reduce((sum, { value }) => sum + value, 0),
        what: shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`),
      }
    })
}

test('the shell starts with less than 150 kB, and nothing on it moves by itself', async ({
  page,
  demo,
}) => {
  const sizes = new Map<string, number>()
  page.on('response', (response) => {
    // What the service worker fetches afterwards is for offline use, not for the start.
    if (response.request().serviceWorker() !== null) return
    void response.body().then(
      (body) => {
        sizes.set(new URL(response.url()).pathname, gzipSync(body).length)
      },
      () => undefined,
    )
  })
  const shifts = await watchShifts(page)
  await openPage(page, demo.origin)
  await expect(page.locator('.card')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const files = [...sizes].filter(([name]) => !/^\/(models|ort|samples)\//.test(name)),
    // What the example's engine loads into its worker.
    engine = files.filter(([name]) => /engine\.worker|_storage|\/(json|text|records)-/.test(name)),
    sum = (list: typeof files): number => list.reduce((all, [, size]) => all + size, 0),
    total = sum(files) - sum(engine)
  console.log(
    `shell: ${(total / 1000).toFixed(1)} kB gzipped in ${String(files.length - engine.length)} files, ` +
      `engine: ${(sum(engine) / 1000).toFixed(1)} kB`,
  )
  expect(
    [...sizes.keys()].filter((name) => /^\/(models|ort)\//.test(name)),
    'the model waits for the first documents',
  ).toEqual([])
  expect(files.map(([name]) => name)).toContain('/')
  expect(total).toBeLessThan(150_000)
  await expect(page.getByText('Works offline.').first()).toBeVisible({ timeout: 90_000 })
  const moved = await shifts()
  console.log(`layout shift while the shell loads and is kept: ${moved.sum.toFixed(4)}`)
  expect(moved.sum, moved.what.join('\n')).toBeLessThan(0.01)
})

test('nothing moves by itself while documents are added and vectors come, in one column too', async ({
  page,
  demo,
}) => {
  const shifts = await watchShifts(page)
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await expect(page.getByText('Meaning counts everywhere').first()).toBeVisible({ timeout: 60_000 })
  const { sum, what } = await shifts()
  expect(sum, what.join('\n')).toBeLessThan(0.1)
})

test('a corpus is saved as a file, deleted, and opened again from it with the same answer', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await expect(page.locator('.corpora li.current')).toContainText(/4 documents.*(bytes|kB).*20\d\d/)
  await ask(page, QUESTION)
  const sources = async (): Promise<(string | null)[]> =>
    page
      .locator('.source')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))
  await expect(page.getByText('Meaning counts everywhere').first()).toBeVisible({ timeout: 60_000 })
  await ask(page, QUESTION)
  await expect(page.getByText('meaning is not ready yet')).toHaveCount(0)
  // An answer is drawn in several tasks, its sources last.
  await expect(page.locator('.source')).toHaveCount(4)
  const before = await sources()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('my-documents.hubmesh')
  const file = await download.path()
  expect(readFileSync(file).length).toBeGreaterThan(1000)
  await page.getByRole('button', { name: 'Delete My documents' }).click()
  await page
    .getByRole('group', { name: 'Delete My documents?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByText('No collection yet.')).toBeVisible()

  await page
    .getByLabel('Files to add')
    .setInputFiles([
      { name: 'carried.hubmesh', mimeType: 'application/octet-stream', buffer: readFileSync(file) },
    ])
  await expect(page.locator('.corpora li.current')).toContainText('carried')
  await expect(
    page.getByRole('progressbar', { name: 'Meaning' }),
    'vectors come with the file',
  ).toHaveAttribute('aria-valuenow', '100')
  await ask(page, QUESTION)
  await expect.poll(sources).toEqual(before)

  await page.getByLabel('Files to add').setInputFiles([
    {
      name: 'broken.hubmesh',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('this is no archive'),
    },
  ])
  await expect(page.getByText('This is not a hubmesh archive, or it is damaged')).toBeVisible()
  await expect(page.getByText('“broken” is empty')).toHaveCount(0)
})

test('a link opens an archive once a person agrees, asks its question, and knows it the next time', async ({
  page,
  watch,
  archive,
}) => {
  const folder = join(ROOT, '.cache', 'e2e-links')
  mkdirSync(folder, { recursive: true })
  copyFileSync(archive, join(folder, 'wikipedia sample.hubmesh'))
  const server = await servePageWith({ archives: folder })
  watch.trust(server)
  const question = 'Are Christopher Nolan and Sathish Kalathil both film directors?'
  const asked = new URLSearchParams({
      open: '/archives/wikipedia%20sample.hubmesh',
      ask: question,
    }),
    link = `${server.origin}/#${asked.toString()}`
  await openPage(page, link)
  const offer = page.getByRole('region', { name: 'A link wants to open a collection' })
  await expect(offer).toContainText('Open “wikipedia sample”?')
  expect(
    server.asked.filter((path) => path.startsWith('/archives/')),
    'nothing is fetched before',
  ).toEqual([])
  await offer.getByRole('button', { name: 'Open it' }).click()
  await expect(page.getByRole('button', { name: 'Packed context' })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.locator('.turn.present .turn-question')).toHaveText(question)
  await expect(page.locator('.source').first()).toContainText(/Nolan|Kalathil/)
  expect(new URL(page.url()).hash).toBe('')

  // The link that Share makes is that link.
  await page.getByRole('button', { name: 'Share…' }).click()
  await expect(page.getByLabel('Link', { exact: true })).toHaveValue(link)
  await page.getByRole('button', { name: 'Close' }).click()

  await page.goto('about:blank')
  await page.goto(link)
  await expect(offer).toContainText('is already here')
  await offer.getByRole('button', { name: 'Go there' }).click()
  await expect(page.getByRole('button', { name: 'Packed context' })).toBeVisible()
  expect(server.asked.filter((path) => path.startsWith('/archives/'))).toHaveLength(1)

  await page.goto(
    `${server.origin}/#open=${encodeURIComponent('https://elsewhere.example/a.hubmesh')}`,
  )
  await expect(offer).toContainText('this page may fetch from its own address only')
  await expect(offer.getByRole('button', { name: 'Open it' })).toHaveCount(0)
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toHaveCount(0)

  watch.expectError(/404/)
  await page.goto(`${server.origin}/#open=%2Farchives%2Fmissing.hubmesh`)
  await offer.getByRole('button', { name: 'Open it' }).click()
  await expect(page.getByText('A server does not have what it was asked for').first()).toBeVisible()
  await server.close()
})

test(
  'the picture is one stop of the tab key, its arrows walk it, a line shows its sentence ' +
    'with the name marked, and a document leads to its source',
  async ({ page, demo }) => {
    await openPage(page, demo.origin)
    await addFilms(page)
    await ask(page, QUESTION)
    await expect(page.locator('.picture .node')).not.toHaveCount(0)
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
    await page.locator('.paths-block .block-head').getByRole('button', { name: 'Copy' }).focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Name: Ed Wood')
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(() => document.activeElement?.closest('svg') ?? null),
      'it is left by the next',
    ).toBeNull()
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Name: Ed Wood')

    await page.keyboard.press('ArrowRight')
    expect(await focused()).toMatch(/^Ed Wood to .+: Ed Wood is a 1994 film directed by Tim Burton/)
    await expect(page.locator('.step-detail')).toContainText(
      'Ed Wood is a 1994 film directed by Tim Burton',
    )
    await expect(page.locator('.step-detail mark.m-name').first()).toHaveText('Ed Wood')
    // Every item is met once by the arrows, in an order that begins with the names of the question.
    const met = [await focused()],
      count = await page.locator('.picture svg [role="button"]').count()
    for (let i = 2; i < count; i++) {
      await page.keyboard.press('ArrowRight')
      met.push(await focused())
    }
    expect(new Set(met).size).toBe(count - 1)
    await page.keyboard.press('Home')
    expect(await focused()).toBe('Name: Ed Wood')

    // The best path's line under the pointer says the sentence too, and a click on a document goes to
    // its source.
    await page.locator('.picture .edge.best').last().dispatchEvent('pointerenter')
    await expect(page.locator('.step-detail mark.m-name')).not.toHaveCount(0)
    await page
      .locator('.picture .node.document')
      .filter({ has: page.locator('title', { hasText: /^Tim Burton$/ }) })
      .first()
      .click()
    await expect(page.locator('.source:focus')).toContainText('He was born in Burbank, California.')
    await expect(page.locator('.source:focus')).toBeInViewport()

    // A hop further: the names of a source become names to start from.
    await page
      .locator('.source')
      .filter({ hasText: 'He was born in Burbank' })
      .getByRole('button', { name: /^Ask from here/ })
      .click()
    await expect(page.locator('.chip.added')).not.toHaveCount(0)
  },
)

test('two questions are compared by their paths', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await page.getByRole('button', { name: 'Compare…' }).click()
  await expect(page.getByText(`Kept: “${QUESTION}”`)).toBeVisible()
  await ask(page, 'What is Tim Burton?')
  const compare = page.getByRole('region', { name: 'Compared' })
  await expect(compare.locator('.pill').filter({ hasText: 'Tim Burton' }).first()).toBeVisible()
  await expect(compare).toContainText(/by both, \d+ only by the kept question/)
  await expect(page.locator('.picture svg')).toHaveCount(2)
  await expect(page.locator('.picture .node.shared').first()).toBeVisible()
  await page.getByRole('button', { name: 'End comparing' }).click()
  await expect(page.locator('.picture svg')).toHaveCount(1)
})

test('every number says what it means, by pointer and by keyboard', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  const figures = page.locator('.hint'),
    layer = page.locator('.hint-words')
  const topics = new Set(
    await figures.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-describedby')),
    ),
  )
  for (const topic of [
    'documents',
    'names',
    'size',
    'date',
    'budget',
    'blockTokens',
    'rarity',
    'pathShare',
    'score',
  ])
    expect([...topics], topic).toContain(`help-${topic}`)
  await page.locator('.turn.present .fold-head .hint').focus()
  await expect(layer).toContainText('about four characters')
  await page.keyboard.press('Escape')
  await expect(layer).toHaveCount(0)
  await page.locator('.source .hint').first().hover()
  await expect(layer).toContainText('The sum of its parts')
  const box = (await layer.boundingBox())!
  expect(
    box.x >= 0 && box.x + box.width <= 1440 && box.y >= 0 && box.y + box.height <= 900,
    JSON.stringify(box),
  ).toBe(true)
})

for (const [width, height] of [
  [1440, 700],
  [360, 640],
] as const) {
  test(
    'a source takes two lines of its text, and its help is whole also at the foot of the ' +
      `window, at ${String(width)} px`,
    async ({ page, demo }) => {
      await openPage(page, demo.origin, width)
      await page.setViewportSize({ width, height })
      await expect(page.locator('.card')).toBeVisible()
      await side(page, 'Why')
      await expect(page.locator('.source')).toHaveCount(10)
      const lines = (): Promise<number[]> =>
        page
          .locator('.excerpt')
          .evaluateAll((excerpts) =>
            excerpts.map((excerpt) =>
              Math.round(
                excerpt.getBoundingClientRect().height /
                  parseFloat(getComputedStyle(excerpt).lineHeight),
              ),
            ),
          )
      await expect.poll(async () => Math.max(...(await lines()))).toBe(2)
      expect(
        await page
          .locator('.excerpt')
          .evaluateAll(
            (excerpts) =>
              excerpts.filter((excerpt) => excerpt.querySelector('mark') === null).length,
          ),
        'each shows what speaks for it',
      ).toBe(0)

      // The bar of a source, moved to the last pixels of the window.
      const bar = page.locator('.score-track').nth(4),
        number = page.locator('.source .hint').nth(4)
      const toFoot = (): Promise<void> =>
        bar.evaluate((element) => {
          const scroller = element.closest('.panel-side')!
          scroller.scrollTop += element.getBoundingClientRect().bottom - innerHeight + 4
        })
      const whole = async (part: string, over: string): Promise<void> => {
        const help = page.locator(part)
        await expect(help).toBeVisible()
        const box = (await help.boundingBox())!,
          own = (await page.locator('.source').nth(4).locator(over).boundingBox())!
        expect(
          box.y >= 0 && box.y + box.height <= height && box.x >= 0 && box.x + box.width <= width,
          JSON.stringify(box),
        ).toBe(true)
        expect(
          box.y + box.height <= own.y || box.y >= own.y + own.height,
          `${part} lies on what it is about`,
        ).toBe(true)
      }
      await toFoot()
      await bar.hover()
      await whole('.score-parts', '.score-track')
      await number.hover()
      await whole('.hint-words', '.hint')
      await page.mouse.move(5, 5)
      await bar.evaluate((element: HTMLElement) => {
        element.focus({ preventScroll: true })
      })
      await whole('.score-parts', '.score-track')
    },
  )
}

test('it can be installed as an app', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await expect(page.getByText('Works offline.').first()).toBeVisible({ timeout: 90_000 })
  const session = await page.context().newCDPSession(page)
  const { errors, data } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data!) as {
    name: string
    display: string
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ short_name: 'hubmesh', display: 'standalone', start_url: './' })
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons)
    expect((await page.request.get(`${demo.origin}/${src}`)).status(), src).toBe(200)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A context without a profile cannot install anything; that is not the page's doing.
  expect(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
  ).toEqual([])
})

test('what is gone, missing or held elsewhere is told, and “Try again” makes up for it', async ({
  page,
  demo,
  watch,
}) => {
  // Two corpora, then the site's databases are cleared, as a browser does that runs out of space.
  await openPage(page, demo.origin)
  await addFilms(page)
  await page.getByRole('button', { name: 'New collection…' }).click()
  await page.getByLabel('Name of the new collection').fill('second')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Paste text' }).click()
  await page.getByLabel('Text', { exact: true }).fill('Ada Quill lives in Porto.')
  await page.getByRole('button', { name: 'Add text' }).click()
  await expect(page.locator('.report')).toContainText('1 document added.')

  // Another tab holds the writer's lock: a drop is refused, and taken by "Try again" once that tab
  // is gone.
  const other = await page.context().newPage()
  await other.setViewportSize({ width: 1440, height: 900 })
  await other.goto(demo.origin)
  await expect(other.locator('#question')).toBeEnabled({ timeout: 30_000 })
  await other
    .getByLabel('Files to add')
    .setInputFiles([
      { name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('Ben Marsh lives in Oslo.') },
    ])
  await expect(other.getByText('Another tab is writing to this collection')).toBeVisible({
    timeout: 30_000,
  })
  await page.close()
  await other.getByRole('button', { name: 'Try again' }).click()
  await expect(other.locator('.report')).toContainText('1 document added.')
  await ask(other, 'Where does Ben Marsh live?')
  await expect(other.locator('.source').first()).toContainText('Oslo')
  await other.close()

  const cleared = await page.context().newPage()
  await cleared.setViewportSize({ width: 1440, height: 900 })
  await cleared.goto(`${demo.origin}/icons/icon.svg`)
  await cleared.evaluate(async () => {
    for (const { name } of await indexedDB.databases())
      await new Promise((resolve) => {
        indexedDB.deleteDatabase(name!).onsuccess = resolve
      })
  })
  // Without a model, notes speak plainly.
  await cleared.route('**/models/**', (route) => route.fulfill({ status: 404, body: '' }))
  watch.expectError(/404/)
  await cleared.goto(demo.origin)
  await expect(cleared.getByText('The saved data of this collection are gone')).toBeVisible({
    timeout: 30_000,
  })
  await expect(cleared.getByText('The saved data of 1 collection are gone')).toBeVisible()
  await expect(cleared.locator('.notice').filter({ hasText: 'of 1 collection' })).toContainText(
    'My documents',
  )
  await cleared.getByRole('button', { name: 'Understood' }).click()
  await expect(cleared.getByText('The saved data of 1 collection are gone')).toHaveCount(0)
})

for (const [width, colorScheme] of [
  [360, 'dark'],
  [1440, 'light'],
] as const) {
  test(`dialogs and comparing pass axe and fit at ${String(width)} px, ${colorScheme}`, async ({
    page,
    demo,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await openPage(page, demo.origin, 1440)
    await addFilms(page)
    await ask(page, QUESTION)
    await page.getByRole('button', { name: 'Compare…' }).click()
    await ask(page, 'What is Tim Burton?')
    await page.setViewportSize({ width, height: 800 })
    const check = async (state: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect
        .soft(
          violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(
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
    await side(page, 'Why')
    await check('comparing')
    if (width < 1100) await closeSheet(page)
    await shelf(page)
    await page.getByRole('button', { name: 'Share…' }).click()
    await check('share')
    await page.locator('dialog').getByRole('button', { name: 'Close' }).click()
    if (width < 1100) await closeSheet(page)
    await page.getByRole('button', { name: 'Settings' }).click()
    await check('settings')
    await page.getByRole('button', { name: 'Delete everything on this device' }).last().click()
    await check('delete everything')
    await page.locator('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Language model' }).click()
    await page.getByRole('radio', { name: /^A server/ }).check()
    await check('language model')
  })
}
