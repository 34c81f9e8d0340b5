/**
 * What a newcomer does in the first half hour, each beside the obvious way: the page says what is
 * so, and offers what comes next.
 */
import { createReadStream, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  addFilms,
  ask,
  expect,
  FILMS,
  openPage,
  QUESTION,
  servePageWith,
} from './support/demo_page.ts'
import { ROOT } from './support/server.ts'
import { test } from './support/test.ts'

const drop = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page
    .getByLabel('Files to add')
    .setInputFiles([{ name, mimeType: 'application/octet-stream', buffer }])

/** The films with their vectors, saved as a file by the page itself. */
async function savedFilms(page: Page, origin: string): Promise<Buffer> {
  await openPage(page, origin)
  await addFilms(page)
  await expect(page.getByText('All passages have vectors').first()).toBeVisible({ timeout: 60_000 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ])
  return readFileSync(await download.path())
}

test('an archive that is asked before the language model is there is asked again with meaning once it is', async ({
  page,
  demo,
  watch,
}) => {
  const archive = await savedFilms(page, demo.origin)
  const held: (() => void)[] = []
  let holding = true
  const server = await servePageWith({
    answer: (pathname: string, response: ServerResponse) => {
      if (!holding || !pathname.endsWith('.onnx')) return false
      held.push(() => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' })
        createReadStream(join(ROOT, 'dist-demo', pathname)).pipe(response)
      })
      return true
    },
  })
  watch.trust(server)
  await openPage(page, server.origin)
  await drop(page, 'films.hubmesh', archive)
  await expect(page.locator('.report')).toContainText('4 documents added.')
  await ask(page, QUESTION)
  const again = page.locator('.notes').getByRole('button')
  await expect(page.locator('.notes')).toContainText('meaning is not ready yet')
  await expect(page.getByText('The language model that reads questions is loading.')).toBeVisible()
  await expect(again).toHaveCount(0)

  holding = false
  for (const send of held) send()
  await expect(again).toHaveText('Ask again, with meaning')
  await again.click()
  await expect(page.locator('.notes')).toHaveCount(0)
  await expect(page.locator('.source')).toHaveCount(4)
  await server.close()
})

test('a saved archive that is dropped on a corpus just named goes into it, as the drop zone says', async ({
  page,
  demo,
}) => {
  const archive = await savedFilms(page, demo.origin),
    zone = page.locator('.drop-zone')
  await expect(zone).toContainText(
    'Goes into My documents; a saved .hubmesh opens as a corpus of its own.',
  )
  await page.getByRole('button', { name: 'New corpus…' }).click()
  await page.getByLabel('Name of the new corpus').fill('Second home')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(zone).toContainText(
    'or a saved .hubmesh, read on this device only. Goes into Second-home.',
  )
  await drop(page, 'x.hubmesh', Buffer.from('this is no archive'))
  await expect(page.locator('.panel-corpus .notice-title')).toHaveText(
    'This is not a hubmesh archive, or it is damaged',
  )
  await drop(page, 'x.hubmesh', archive)
  await expect(page.locator('.report')).toContainText('4 documents added.')
  await expect(page.locator('.panel-corpus .notice-title')).toHaveCount(0)
  await expect(page.locator('.corpora li.current')).toContainText('Second-home')
  expect(await page.locator('.corpus-name').allTextContents()).toEqual([
    'Second-home',
    'My documents',
  ])
  await ask(page, QUESTION)
  await drop(page, 'x.hubmesh', archive)
  await expect(page.locator('.corpora li.current')).toContainText('x')
})

test('on a phone a tab shows its beginning, however far down the one before was read', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await page.setViewportSize({ width: 360, height: 640 })
  const deep = async (): Promise<void> => {
    await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight)
    })
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  }
  for (const tab of ['Why', 'Corpus', 'Ask']) {
    await deep()
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
    await expect(page.getByRole('tabpanel', { name: new RegExp(`^${tab}`) })).toBeInViewport()
    expect(await page.evaluate(() => scrollY), tab).toBe(0)
  }
  await deep()
  await page
    .getByRole('button', { name: /^Why: source/ })
    .first()
    .click()
  await expect(page.locator('.source:focus'), 'what leads to a source leads there').toBeInViewport()
})

test('nothing taken, the sample there already and the tour over own documents are said as they are', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await drop(page, 'noise.txt', Buffer.from([0, 1, 2, 3, 255, 254, 0, 0]))
  await expect(page.locator('.report')).toContainText('Nothing was added.')
  await expect(page.locator('.report summary')).toHaveText('1 file or record could not be taken')

  await page.getByRole('button', { name: 'Load the sample' }).click()
  await expect(page.getByLabel('Your question')).toBeEnabled({ timeout: 60_000 })
  await page.getByRole('button', { name: 'New corpus…' }).click()
  await page.getByLabel('Name of the new corpus').fill('mine')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('.welcome')).toContainText('on this device already')
  await expect(page.getByRole('button', { name: 'Load the sample' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open the sample' }).click()
  await expect(page.locator('.corpora li.current')).toContainText('Wikipedia sample')

  await page.getByRole('button', { name: 'New corpus…' }).click()
  await page.getByLabel('Name of the new corpus').fill('films')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Take the 30-second tour' }).click()
  const words = page.locator('#tour-words'),
    next = page.locator('.tour').getByRole('button', { name: 'Next' })
  await expect(words).toContainText('Next opens the Wikipedia sample')
  await page.getByLabel('Files to add').setInputFiles([
    {
      name: 'films.jsonl',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(FILMS.map((film) => JSON.stringify(film)).join('\n')),
    },
  ])
  await expect(words).toContainText('What you added is on it.')
  await next.click()
  await expect(words).toContainText(/Next asks: “What is said about .+\?”/)
  const question = /“(.+)”/.exec((await words.textContent()) ?? '')![1]!
  await next.click()
  await expect(page.locator('.tour h2')).toHaveText('What to read')
  await expect(page.getByLabel('Your question')).toHaveValue(question)
  await expect(page.locator('.context-block').first()).toBeVisible()
})

test('a document is taken out of the corpus after a second word, and no answer shows it any more', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  const dialog = page.getByRole('dialog'),
    sure = page.getByRole('group', { name: 'Remove Burbank?' })
  await page.getByRole('button', { name: 'Open Burbank', exact: true }).click()
  await dialog.getByRole('button', { name: 'Remove from this corpus' }).click()
  await expect(sure.getByRole('button', { name: 'Keep' })).toBeFocused()
  await sure.getByRole('button', { name: 'Keep' }).click()
  await expect(dialog).toContainText('Burbank is a city')
  await dialog.getByRole('button', { name: 'Remove from this corpus' }).click()
  await sure.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(
    page
      .locator('[role=status]')
      .filter({ hasText: 'Burbank removed. My documents holds 3 documents.' }),
  ).toHaveCount(1)
  await expect(page.locator('.source')).toHaveCount(3)
  await expect(
    page.locator('.source, .context-block').filter({ hasText: 'Burbank is a city' }),
  ).toHaveCount(0)
  await expect(page.locator('.corpora li.current')).toContainText('3 documents')
  await page.reload()
  await expect(page.locator('.corpora li.current')).toContainText('3 documents')
})
