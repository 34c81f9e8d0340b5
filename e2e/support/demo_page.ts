/** Steps that tests of the page share, and the page served with more than its own files. */
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { told } from '../../demo/build/connect.ts'
import { strictPolicy } from '../../demo/build/csp.ts'
import { ROOT, serveFolders } from './server.ts'
import type { Alteration, Answer, TestServer } from './server.ts'
import { expect as once } from './test.ts'

/** These tests measure nothing, so a machine with other work may take its time. */
export const expect = once.configure({ timeout: 30_000 })

/**
 * The page as a build with `--connect` serves it: it may talk to `origins`, and is told so.
 * `archives`: a folder under /archives/.
 */
export async function servePageWith({
  origins = [],
  archives,
  alter,
  answer,
}: {
  readonly origins?: readonly string[]
  readonly archives?: string
  readonly alter?: Alteration
  readonly answer?: Answer
}): Promise<TestServer> {
  const folder = join(ROOT, 'dist-demo')
  const tell = (pathname: string, file: string): Buffer | undefined =>
    pathname === '/' || pathname === '/index.html'
      ? Buffer.from(told(readFileSync(file, 'utf8'), origins))
      : alter?.(pathname, file)
  return serveFolders(
    [
      ...(archives === undefined ? [] : [{ prefix: '/archives/', folder: archives }]),
      { prefix: '/', folder },
    ],
    0,
    tell,
    strictPolicy(origins),
    answer,
  )
}

export const FILMS = [
  {
    id: 'ed-wood',
    title: 'Ed Wood',
    text: 'Ed Wood is a 1994 film directed by Tim Burton about the maker of cheap films.',
  },
  {
    id: 'burton',
    title: 'Tim Burton',
    text: 'Tim Burton is an American director. He was born in Burbank, California.',
  },
  {
    id: 'burbank',
    title: 'Burbank',
    text: 'Burbank is a city in Los Angeles County. It is home to film studios.',
  },
  {
    id: 'kubrick',
    title: 'Stanley Kubrick',
    text: 'Stanley Kubrick directed 2001: A Space Odyssey. He was born in New York.',
  },
]
export const QUESTION = 'Where was the director of Ed Wood born?'

export async function openPage(page: Page, address: string, width = 1440): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible()
}

/** Four short documents, searchable. */
export async function addFilms(page: Page): Promise<void> {
  await page.getByLabel('Files to add').setInputFiles([
    {
      name: 'films.jsonl',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(FILMS.map((film) => JSON.stringify(film)).join('\n')),
    },
  ])
  await expect(page.getByLabel('Your question')).toBeEnabled({ timeout: 60_000 })
  await expect(page.locator('.report')).toContainText('4 documents added.')
}

/** Asks, and waits for the card of that question and what stands under and beside it. */
export async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('.turn.present .turn-question')).toHaveText(question.trim())
  await expect(page.locator('.turn.present .card')).toBeVisible()
  await expect(page.locator('main')).toHaveAttribute('data-asking', 'false')
  if ((page.viewportSize()?.width ?? 0) >= 1100 && (await page.locator('.panel-side').isVisible()))
    await side(page, 'Why')
}

/** Shows a part of the side panel, which is a sheet where there is one column. */
export async function side(
  page: Page,
  part: 'Document' | 'Why' | 'Graph' | 'Developer',
): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 1100 && !(await page.locator('.panel-side').isVisible()))
    await page.getByRole('button', { name: 'Why this answer' }).click()
  await page.getByRole('tab', { name: part }).click()
  // An answer is drawn in several tasks, its sources last.
  if (part === 'Why' && (await page.locator('.turn.present .quote').count()) > 0)
    await expect(page.locator('.source').first()).toBeVisible()
}

/** Shows the shelf, a sheet where there is one column. */
export async function shelf(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 1100 && !(await page.locator('.panel-shelf').isVisible()))
    await page.getByRole('button', { name: 'Documents', exact: true }).click()
  await expect(page.locator('.panel-shelf')).toBeVisible()
}

export async function closeSheet(page: Page): Promise<void> {
  await page.locator('.sheet-close').click()
}

/** The example of a first visit becomes a collection of this device. */
export async function keepSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keep the sample on this device' }).click()
  await expect(page.getByRole('progressbar', { name: 'Searchable' })).toHaveAttribute(
    'aria-valuenow',
    '100',
    { timeout: 60_000 },
  )
  await expect(page.locator('.corpora li.current')).toContainText('Wikipedia sample')
}
