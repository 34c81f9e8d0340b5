/**
 * What a newcomer does in the first half hour, each beside the obvious way: the page says what is
 * so, and offers what comes next.
 */
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  addFilms,
  ask,
  expect,
  openPage,
  QUESTION,
  servePageWith,
  side,
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
  await expect(page.getByText('Meaning counts everywhere').first()).toBeVisible({ timeout: 60_000 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ])
  return readFileSync(await download.path())
}

test('an archive that is asked before the meaning model is there answers better by itself once it is', async ({
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
  await expect(page.locator('.notes')).toContainText('meaning is not ready yet')
  await expect(page.getByText('The meaning model that reads questions is loading.')).toBeVisible()

  holding = false
  for (const send of held) send()
  // Nobody has to ask again.
  await expect(page.locator('.notes')).toHaveCount(0)
  await expect(page.locator('.source')).toHaveCount(4)
  await side(page, 'Developer')
  await expect(page.locator('.facts-list')).toContainText('meaning, words and names')
  await server.close()
})

test('a saved archive that is dropped on a corpus just named goes into it, as the drop zone says', async ({
  page,
  demo,
}) => {
  const archive = await savedFilms(page, demo.origin),
    zone = page.locator('.drop-zone')
  await expect(zone).toContainText(
    'Goes into My documents. A saved .hubmesh opens as a collection of its own.',
  )
  await page.getByRole('button', { name: 'New collection…' }).click()
  await page.getByLabel('Name of the new collection').fill('Second home')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(zone).toContainText(
    'Read on this device only. Goes into Second-home. A saved .hubmesh goes there too.',
  )
  await drop(page, 'x.hubmesh', Buffer.from('this is no archive'))
  await expect(page.locator('.panel-shelf .notice-title')).toHaveText(
    'This is not a hubmesh archive, or it is damaged',
  )
  await drop(page, 'x.hubmesh', archive)
  await expect(page.locator('.report')).toContainText('4 documents added.')
  await expect(page.locator('.panel-shelf .notice-title')).toHaveCount(0)
  await expect(page.locator('.corpora li.current')).toContainText('Second-home')
  expect(await page.locator('.corpus-name').allTextContents()).toEqual([
    'Second-home',
    'My documents',
  ])
  await ask(page, QUESTION)
  await drop(page, 'x.hubmesh', archive)
  await expect(page.locator('.corpora li.current')).toContainText('x')
})

test('on a phone shelf and panel are sheets over the thread, closed by Escape, and focus returns', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await page.setViewportSize({ width: 360, height: 640 })
  const documents = page.getByRole('button', { name: 'Documents', exact: true })
  await documents.click()
  const sheet = page.getByRole('dialog', { name: 'Your documents' })
  await expect(sheet).toBeVisible()
  await expect(sheet).toBeFocused()
  await expect(page.locator('.thread')).toHaveAttribute('inert', '')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(documents).toBeFocused()

  await page.getByRole('button', { name: 'Why this answer' }).click()
  await expect(page.getByRole('dialog', { name: 'Beside the answer' })).toBeVisible()
  await expect(page.locator('.source').first()).toBeVisible()
  await page.locator('.sheet-close').click()
  // Path and context are one tap away.
  const turn = page.locator('.turn.present')
  await expect(turn.locator('.context-block')).toHaveCount(0)
  await turn.getByRole('button', { name: 'Packed context' }).click()
  await expect(turn.locator('.context-block').first()).toBeVisible()
})

test('nothing taken and the sample there already are said as they are', async ({ page, demo }) => {
  await openPage(page, demo.origin)
  await drop(page, 'noise.txt', Buffer.from([0, 1, 2, 3, 255, 254, 0, 0]))
  await expect(page.locator('.report')).toContainText('Nothing was added.')
  await expect(page.locator('.report summary')).toHaveText('1 file or record could not be taken')
  await expect(page.locator('.report .remedy')).toContainText('UTF-8')

  await page.locator('.welcome').getByRole('button', { name: 'Load the sample' }).click()
  await expect(page.locator('#question')).toBeEnabled({ timeout: 60_000 })
  await page.getByRole('button', { name: 'New collection…' }).click()
  await page.getByLabel('Name of the new collection').fill('mine')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('.welcome')).toContainText('“mine” is empty.')
  await page.getByRole('button', { name: 'Open the sample' }).click()
  await expect(page.locator('.corpora li.current')).toContainText('Wikipedia sample')
})

test('a document is taken out of the collection after a second word, and no answer shows it any more', async ({
  page,
  demo,
}) => {
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  const dialog = page.locator('.panel-side'),
    sure = page.getByRole('group', { name: 'Remove Burbank?' })
  await page.locator('.source').getByRole('button', { name: 'Open Burbank', exact: true }).click()
  await dialog.getByRole('button', { name: 'Remove from this collection' }).click()
  await expect(sure.getByRole('button', { name: 'Keep' })).toBeFocused()
  await sure.getByRole('button', { name: 'Keep' }).click()
  await expect(dialog).toContainText('Burbank is a city')
  await dialog.getByRole('button', { name: 'Remove from this collection' }).click()
  await sure.getByRole('button', { name: 'Remove' }).click()
  await side(page, 'Why')
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

test('a collection is kept in step with a folder: what is new, changed and gone is taken over and told', async ({
  page,
  demo,
}) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'hubmesh-step-')), 'diary')
  mkdirSync(folder)
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text)
  }
  write('one.txt', 'Ada Quill was born in Porto.')
  write('two.txt', 'Ben Marsh was born in Oslo.')
  write('three.txt', 'Eve Stone was born in Turin.')
  await openPage(page, demo.origin)
  await addFilms(page)
  await page.getByLabel('Folder to keep in step with').setInputFiles(folder)
  await expect(page.locator('.corpora li.current')).toContainText('diary')
  await expect(page.locator('.synced')).toContainText('3 new files, 0 changed, 0 gone')
  write('two.txt', 'Ben Marsh was born in Bergen, not in Oslo.')
  write('four.txt', 'Mina Harker was born in Whitby.')
  rmSync(join(folder, 'three.txt'))
  await page.getByLabel('Folder to keep in step with').setInputFiles(folder)
  await expect(page.locator('.synced')).toContainText('1 new file, 1 changed, 1 gone')
  await ask(page, 'Where was Ben Marsh born?')
  await expect(page.locator('.turn.present .quote').first()).toContainText('Bergen')
  expect((await page.locator('.document-name').allTextContents()).sort()).toEqual([
    'four',
    'one',
    'two',
  ])
  await page.getByRole('button', { name: 'My documents', exact: true }).click()
  await expect(page.locator('.corpora li.current')).toContainText('4 documents')
  rmSync(folder, { recursive: true, force: true })
})
