/**
 * Agents in the browser and the page: what it offers them, when, and how a person forbids it.
 * Chromium behind its flag; a browser without WebMCP gets a stand-in.
 */
import { BROWSER } from './playwright.config.ts'
import { BROWSER_ARGS } from './run/find_browser.mjs'
import { addFilms, expect, openPage } from './support/demo_page.ts'
import { test } from './support/test.ts'
import { ensureContext, WEB_MCP, type WithContext } from './support/web_mcp.ts'

test.use({ launchOptions: { executablePath: BROWSER, args: [...BROWSER_ARGS, WEB_MCP] } })

test('an agent finds the tools of the open corpus, asks it, and finds none once a person forbade it', async ({
  page,
  demo,
}) => {
  await page.addInitScript(ensureContext)
  const tools = (): Promise<string[]> =>
    page.evaluate(async () =>
      (await (document as WithContext).modelContext.getTools()).map(({ name }) => name).sort(),
    )
  const settings = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Settings' }).click()
  }
  await openPage(page, demo.origin)
  await settings()
  await expect(page.getByText('Offered as soon as a collection is open.')).toBeVisible()
  expect(await tools()).toEqual([])
  await page.keyboard.press('Escape')

  await addFilms(page)
  await expect
    .poll(tools)
    .toEqual([
      'communities',
      'entity_neighbors',
      'get_document',
      'graph_stats',
      'list_corpora',
      'passages_of',
      'path_between',
      'resolve_entities',
      'retrieve',
      'subgraph',
    ])
  await expect(page.getByText('agents in this browser may read them')).toBeVisible()
  const answer = await page.evaluate(async () => {
    const context = (document as WithContext).modelContext,
      found = (await context.getTools()).find(({ name }) => name === 'retrieve')!
    return await context.executeTool(found, {
      corpus: 'my-documents',
      query: 'Where was the director of Ed Wood born?',
      top_k: 2,
    })
  })
  expect(answer).toContain('He was born in Burbank, California.')

  await settings()
  await expect(page.getByText('10 tools that read the open documents')).toBeVisible()
  await page.getByLabel('They may read the open documents').uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(tools).toEqual([])
  await expect(page.getByText('Nothing leaves this device.')).toBeVisible()
  await page.reload()
  await expect(page.locator('#question')).toBeEnabled()
  expect(await tools(), 'the choice is kept').toEqual([])
  await settings()
  await page.getByLabel('They may read the open documents').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await tools()).length).toBe(10)
})

test('a browser without WebMCP is said to have none, and the page promises what it did', async ({
  page,
  demo,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Document.prototype, 'modelContext')
  })
  await openPage(page, demo.origin)
  expect(await page.evaluate(() => 'modelContext' in document)).toBe(false)
  await addFilms(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText('Not in this browser: it has no WebMCP')).toBeVisible()
  await expect(page.getByLabel('They may read the open documents')).toBeDisabled()
  await expect(page.getByText('Nothing leaves this device.')).toBeVisible()
})
