/**
 * The states of the page that nobody meets on a good day: each says what happened and what to do,
 * loses nothing, and lets the page go on.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { BROWSER } from './playwright.config.ts'
import { BROWSER_ARGS } from './run/find_browser.mjs'
import {
  addFilms,
  ask,
  expect,
  FILMS,
  openPage,
  QUESTION,
  servePageWith,
  closeSheet,
  shelf,
  side,
} from './support/demo_page.ts'
import { test } from './support/test.ts'

const text = (
  name: string,
  words: string | Buffer,
): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(words as string),
})
const films = text('films.jsonl', FILMS.map((film) => JSON.stringify(film)).join('\n'))
const add = (page: Page, ...files: ReturnType<typeof text>[]): Promise<void> =>
  page.getByLabel('Files to add').setInputFiles(files)

async function createCorpus(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New collection…' }).click()
  await page.getByLabel('Name of the new collection').fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('.corpora li.current')).toContainText(name)
  await expect(page.getByText('Empty so far.')).toBeVisible()
}

async function deleteCorpus(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page
    .getByRole('group', { name: `Delete ${name}?` })
    .getByRole('button', { name: 'Delete' })
    .click()
}

test('where site data are blocked the page says so, goes on in memory when told to, and loses no corpus there', async ({
  demo,
  watch,
}) => {
  const profile = mkdtempSync(join(tmpdir(), 'hubmesh-blocked-'))
  mkdirSync(join(profile, 'Default'))
  writeFileSync(
    join(profile, 'Default', 'Preferences'),
    JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
  )
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: BROWSER,
    args: BROWSER_ARGS,
    headless: true,
  })
  await watch.attach(context)
  const page = await context.newPage()
  await openPage(page, demo.origin)
  await expect(page.getByText('This browser refuses to save', { exact: true })).toBeVisible()
  await expect(
    page.getByText('This browser cannot keep the page for offline use.').first(),
  ).toBeVisible()
  await expect(page.getByPlaceholder('No collection is open')).toBeVisible()
  await add(page, films)
  await expect(page.getByText('This browser refuses to save', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Go on in memory' }).click()
  await expect(page.locator('.report'), 'what was dropped before is taken').toContainText(
    '4 documents added.',
  )
  await expect(page.getByText('In memory only: gone when this tab closes.')).toBeVisible()
  await expect(page.getByText('This browser refuses to save')).toHaveCount(0)
  await createCorpus(page, 'second')
  await add(page, text('note.txt', 'Ada Quill lives in Porto.'))
  await expect(page.locator('.report')).toContainText('1 document added.')
  await page.getByRole('button', { name: 'My documents', exact: true }).click()
  await ask(page, QUESTION)
  await expect(page.locator('.source').filter({ hasText: 'Burbank' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'second', exact: true }).click()
  await ask(page, 'Where does Ada Quill live?')
  await expect(page.locator('.source').first()).toContainText('Porto')
  await watch.inspect(page)
  await context.close()
  rmSync(profile, { recursive: true, force: true })
})

test('an engine that does not load is told, and “Try again” takes what was dropped', async ({
  browser,
  demo,
  watch,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await watch.attach(context)
  watch.expectError(/ERR_FAILED|Failed to load|service ?worker/i)
  const page = await context.newPage()
  await openPage(page, demo.origin)
  await context.route('**/engine.worker*', (route) => route.abort())
  await add(page, films)
  await expect(page.getByText('The engine could not start', { exact: true })).toBeVisible()
  await context.unroute('**/engine.worker*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('.report')).toContainText('4 documents added.')
  await ask(page, QUESTION)
  await context.close()
})

test('a language model that is missing or damaged is told, ranks nothing, and is used once it is whole', async ({
  page,
  watch,
}) => {
  let sent: 'missing' | 'damaged' | 'whole' = 'missing'
  const server = await servePageWith({
    answer: (pathname, response) => {
      if (sent !== 'missing' || !pathname.endsWith('.onnx')) return false
      response.writeHead(404).end()
      return true
    },
    alter: (pathname, file) => {
      if (sent !== 'damaged' || !pathname.endsWith('.onnx')) return undefined
      const bytes = readFileSync(file)
      bytes[bytes.length >> 1]! ^= 1
      return bytes
    },
  })
  watch.trust(server)
  watch.expectError(/404|Failed to load resource/)
  await openPage(page, server.origin)
  await addFilms(page)
  const vectors = page.locator('.bars .notice')
  await expect(vectors.locator('.notice-title')).toHaveText('The meaning model could not be loaded')
  await expect(vectors).toContainText('Names and words still rank')
  await ask(page, QUESTION)
  await expect(page.locator('.notes')).toContainText(
    'Ranked by names and words only: the meaning model is not there.',
  )
  await expect(page.locator('.source').first()).toContainText(/Burton|Burbank/)
  // The head says besides that a file is missing offline; on a phone, name and settings keep their
  // line.
  await expect(page.locator('.network.warn')).toContainText('Not ready for offline use')
  await page.setViewportSize({ width: 360, height: 780 })
  for (const part of ['.brand', '.head-buttons'])
    expect((await page.locator(part).boundingBox())!.height, part).toBeLessThan(50)
  await page.setViewportSize({ width: 1440, height: 900 })
  sent = 'damaged'
  await vectors.getByRole('button', { name: 'Try again' }).click()
  await expect(vectors.locator('.notice-title')).toHaveText('The meaning model is damaged')
  sent = 'whole'
  await vectors.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Meaning counts everywhere').first()).toBeVisible({ timeout: 60_000 })
  await expect(vectors).toHaveCount(0)
  await ask(page, QUESTION)
  await expect(page.locator('.notes')).toHaveCount(0)
  await server.close()
})

test('the engine dies between two questions: the second is answered, and nothing is gone', async ({
  page,
  demo,
  watch,
}) => {
  watch.expectError(/a fault of our own/)
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  const engine = page.workers().find((worker) => worker.url().includes('engine'))!,
    gone = new Promise((resolve) => {
      engine.once('close', resolve)
    })
  await engine.evaluate(() => {
    setTimeout(() => {
      throw new Error('a fault of our own')
    })
  })
  await gone
  await ask(page, 'Who directed 2001: A Space Odyssey?')
  await expect(page.locator('.source').first()).toContainText('Kubrick')
  await expect(page.locator('.corpora li.current')).toContainText('4 documents')
})

test(
  'questions on their way when their corpus is deleted end with it, and a thousand in a ' +
    'hurry leave the last',
  async ({ page, demo }) => {
    await openPage(page, demo.origin)
    await addFilms(page)
    const hurry = (count: number): Promise<void> =>
      page.evaluate((times) => {
        const box = document.querySelector<HTMLTextAreaElement>('#question')!
        for (let i = 1; i <= times; i++) {
          box.value =
            i === times ? 'Where was Stanley Kubrick born?' : `Who is number ${String(i)}?`
          box.dispatchEvent(new Event('input', { bubbles: true }))
          box.form!.requestSubmit()
        }
      }, count)
    await hurry(1000)
    await expect(page.locator('.chip').filter({ hasText: 'Stanley Kubrick' })).toBeVisible()
    await expect(page.locator('.source').first()).toContainText('Kubrick')

    await page.getByRole('button', { name: 'Delete My documents' }).click()
    await hurry(5)
    await page.evaluate(() => {
      document.querySelector<HTMLButtonElement>('.confirm .danger')!.click()
    })
    await expect(page.getByText('No collection yet.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Load the sample' })).toBeVisible()
    await expect(page.locator('.source, .context, .paths')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
  },
)

test('a corpus that another tab writes to is not deleted, says so, and stays open', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  const other = await page.context().newPage()
  await openPage(other, demo.origin)
  await expect(other.locator('#question')).toBeEnabled()
  await deleteCorpus(other, 'My documents')
  await expect(other.getByText('It was not deleted.')).toBeVisible({ timeout: 60_000 })
  await ask(other, QUESTION)
  await page.close()
  await deleteCorpus(other, 'My documents')
  await expect(other.getByText('No collection yet.')).toBeVisible({ timeout: 60_000 })
})

test('names of files and corpora are text, whatever they spell', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await add(
    page,
    text(
      '<img src=x onerror="globalThis.hacked=1">.txt',
      'The <script>globalThis.hacked=1</script> Ada Quill & <b>Ben</b> live in Porto.',
    ),
    text('a\u202egpj.txt', 'Bidi Green met Ada Quill.'),
    text(`${'L'.repeat(180)}.txt`, 'Long Name met Ada Quill.'),
    text('constructor.txt', 'Constructor Jones met Ada Quill.'),
    text(
      'records.jsonl',
      '{"id":"__proto__","title":"__proto__","text":"Proto Two met Ada ' +
        'Quill."}\n{"__proto__":{"x":1},"id":"k2","text":"Key Two met Ada Quill."}',
    ),
  )
  await expect(page.locator('.report')).toContainText('6 documents added.')
  await ask(page, 'Where does Ada Quill live?')
  await expect(page.locator('.source').first()).toContainText(
    'The <script>globalThis.hacked=1</script> Ada Quill',
  )
  await expect(page.locator('.source h4').filter({ hasText: '__proto__' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 780 })
  const sideways = (): Promise<number> =>
    page.evaluate(() =>
      Math.max(
        ...[document.documentElement, ...document.querySelectorAll('.sheet')].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      ),
    )
  expect(await sideways(), 'thread').toBeLessThanOrEqual(0)
  for (const part of ['Why', 'Document', 'Developer'] as const) {
    await side(page, part)
    expect(await sideways(), part).toBeLessThanOrEqual(0)
  }
  await closeSheet(page)
  await shelf(page)
  expect(await sideways(), 'shelf').toBeLessThanOrEqual(0)
  await createCorpus(page, '__proto__')
  await add(page, text('here.txt', 'Proto Corp is here.'))
  await expect(page.locator('.report')).toContainText('1 document added.')
  await page.reload()
  await shelf(page)
  await expect(page.locator('.corpora li.current')).toContainText('__proto__')
  await expect(page.locator('.corpora li.current')).toContainText('1 document')
  expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined()
})

test('a folder of a thousand files and a text of one line go in, beside an archive that is none', async ({
  page,
  demo,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'hubmesh-many-'))
  for (let d = 0; d < 10; d++) {
    mkdirSync(join(folder, `d${String(d)}`))
    for (let i = 0; i < 100; i++)
      writeFileSync(
        join(folder, `d${String(d)}`, `f${String(i)}.txt`),
        `Person${String(d * 100 + i)} Smith met Ada Quill in Town${String(i)}.`,
      )
  }
  await openPage(page, demo.origin)
  // Left aside while it is looked through, nothing of it comes.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const cancel = [...document.querySelectorAll<HTMLElement>('.panel-shelf button')].find(
        (button) =>
          button.textContent === 'Cancel' &&
          button.parentElement?.textContent.startsWith('Looking through'),
      )
      if (cancel === undefined) return
      observer.disconnect()
      cancel.click()
    })
    observer.observe(document.querySelector('.panel-shelf')!, { childList: true, subtree: true })
  })
  await page.getByLabel('Folder to add').setInputFiles(folder)
  await expect(page.locator('.notice-title')).toHaveText('Cancelled')
  await expect(page.getByText('No collection yet.')).toBeVisible()
  await page.getByLabel('Folder to add').setInputFiles(folder)
  await expect(page.locator('.report')).toContainText('1,000 documents added.', { timeout: 60_000 })
  rmSync(folder, { recursive: true, force: true })
  await createCorpus(page, 'one-line')
  await add(
    page,
    text('line.txt', 'Ada Quill met Ben Marsh in Porto and then again. '.repeat(20_000)),
    text('broken.hubmesh', 'this is no archive'),
  )
  await expect(page.locator('.report').filter({ hasText: '1 file:' })).toContainText(
    '1 document added.',
    { timeout: 60_000 },
  )
  await expect(page.locator('.report').filter({ hasText: 'broken.hubmesh:' })).toContainText(
    'could not be taken',
  )
  await page.getByRole('button', { name: 'one-line', exact: true }).click()
  await ask(page, 'Where did Ada Quill meet Ben Marsh?')
  await page.locator('.source').first().getByRole('button', { name: /^Open/ }).click()
  await expect(page.getByText(/part 1 of \d\d/)).toBeVisible()
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(page.getByText(/part 2 of \d\d/)).toBeVisible()
})

test('nothing found and nothing known are said in words', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await page.locator('#question').fill('   ')
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeDisabled()
  await ask(page, 'zzzz qqqq')
  await expect(page.getByText('Probably not in your documents').first()).toBeVisible()
  await expect(page.getByText('no name known here')).toBeVisible()
  await expect(page.locator('.turn.present .path-line, .picture svg')).toHaveCount(0)
  await ask(page, QUESTION)
  for (const { title } of FILMS)
    await page.getByRole('button', { name: `Exclude ${title}`, exact: true }).click()
  await expect(page.locator('.turn.present .card')).toHaveAttribute(
    'aria-label',
    'Nothing was found',
  )
  await expect(page.locator('.notes').getByText('Nothing was found.')).toBeVisible()
  await expect(page.getByText('None: nothing was found.')).toBeVisible()
  await page.getByRole('button', { name: 'Include Burbank again' }).click()
  await expect(page.locator('.source')).toHaveCount(1)
})

test('storage that is nearly full is told with its numbers and what to do, and what is there still answers', async ({
  page,
  watch,
}) => {
  // The engine asks the browser in its worker, so the worker is given a browser that is nearly
  // full.
  const full =
    'Object.defineProperty(StorageManager.prototype, "estimate", { value: () => ' +
    'Promise.resolve({ usage: 9_530_000_000, quota: 10_000_000_000 }) });\n'
  const server = await servePageWith({
    alter: (pathname, file) =>
      /^\/assets\/engine\.worker[^/]*\.js$/.test(pathname)
        ? Buffer.from(full + readFileSync(file, 'utf8'))
        : undefined,
  })
  watch.trust(server)
  await openPage(page, server.origin)
  await addFilms(page)
  const words = page.locator('.panel-shelf .warn').filter({ hasText: 'Nearly full' })
  await expect(words).toHaveText(
    'Nearly full: 9.5 GB of 10 GB used. Delete a collection to make room.',
  )
  await ask(page, QUESTION)
  await page.setViewportSize({ width: 360, height: 780 })
  await shelf(page)
  await expect(words).toBeVisible()
  await server.close()
})

test('senseless budgets, of settings that somebody changed or a slider that is pushed, are none', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  const figures = page.locator('output[for="budget"]'),
    tokens = async (): Promise<[number, number]> => {
      const [used, budget] = ((await figures.textContent()) ?? '')
        .replaceAll(',', '')
        .split(' of ')
        .map((part) => parseInt(part, 10))
      return [used!, budget!]
    }
  for (const budget of ['0', '-1', '1e9', '2000.5', '"many"', 'null', '{}', '[2000]']) {
    // The page saves its own settings when it goes, so they are changed before its next start.
    await page.addInitScript((stored) => {
      localStorage.setItem(
        'hubmesh-demo',
        `{"corpus":"my-documents","budget":${stored},"topK":${stored}}`,
      )
    }, budget)
    await page.reload()
    await ask(page, QUESTION)
    const [used, of] = await tokens()
    expect(of, budget).toBe(2000)
    expect(used > 0 && used <= of, budget).toBe(true)
    await expect(page.locator('.source'), budget).toHaveCount(4)
  }
  for (const value of ['0', '-1', '1e9', 'many', '']) {
    await page.locator('#budget').evaluate((slider: HTMLInputElement, pushed) => {
      slider.removeAttribute('min')
      slider.removeAttribute('max')
      slider.type = 'text'
      slider.value = pushed
      slider.dispatchEvent(new Event('input', { bubbles: true }))
    }, value)
    await expect
      .poll(async () => {
        const [used, of] = await tokens()
        return used <= of && of >= 64 && of <= 8000
      }, value)
      .toBe(true)
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
})
