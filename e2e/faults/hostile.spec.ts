/** Documents, names and files that try to be markup, code or keys: everywhere on the page they are text. */
import { expect, test } from './support/test.ts'

const MARKUP = [
  '<script>window.hacked=1</script>', '<img src=x onerror="window.hacked=1">', '<svg onload="window.hacked=1"></svg>', '"><iframe src="javascript:window.hacked=1"></iframe>',
  '<a href="javascript:window.hacked=1">Zora Bell</a>', '<mark>Zora Bell</mark>', '{{constructor.constructor("window.hacked=1")()}}', '</textarea><style>*{display:none}</style>',
]
const NAMES = ['__proto__', 'constructor', '<img src=x onerror=window.hacked=1>', 'Zora Bell "><script>window.hacked=1</script>']

test('hostile text, titles, ids and file names are text in sources, context, evidence and lists', async ({ page, demo }) => {
  let dialogs = 0
  page.on('dialog', (dialog) => { dialogs++; void dialog.dismiss() })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${demo.origin}/`)
  await expect(page.getByRole('button', { name: 'Load the sample' })).toBeVisible()
  const lines = MARKUP.map((markup, i) => JSON.stringify({ id: NAMES[i % NAMES.length]! + String(i), title: i % 2 === 0 ? `Zora Bell ${markup}` : NAMES[i % NAMES.length], text: `Zora Bell wrote ${markup} to Quentin Marsh in Oslo. ${markup} was the answer of Quentin Marsh.` }))
  await page.getByLabel('Files to add').setInputFiles([
    { name: 'hostile.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) },
    { name: '<img src=x onerror=window.hacked=1>.txt', mimeType: 'text/plain', buffer: Buffer.from(`Zora Bell and Quentin Marsh met. ${MARKUP.join(' ')}`) },
    { name: '__proto__.md', mimeType: 'text/markdown', buffer: Buffer.from(`# Zora Bell ${MARKUP[1]!}\n\n[Quentin Marsh](javascript:window.hacked=1) knew Zora Bell.`) },
  ])
  await expect(page.getByRole('progressbar', { name: 'Searchable' })).toHaveAttribute('aria-valuenow', '100', { timeout: 30_000 })
  await page.getByLabel('Your question').fill('What did Zora Bell write to Quentin Marsh? <img src=x onerror="window.hacked=1">')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Packed context' })).toBeVisible()
  await expect(page.locator('.source').first()).toContainText('Zora Bell')
  await expect(page.locator('body')).toContainText('<img src=x onerror')
  const check = async (where: string): Promise<void> => {
    const found = await page.evaluate(() => ({
      hacked: (globalThis as { hacked?: unknown }).hacked ?? null,
      elements: [...document.querySelectorAll('img[src="x"], iframe, svg[onload], body script:not([src]), body style, [onerror], [onload]')].map((element) => element.tagName),
      links: [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')!).filter((href) => href.trim().toLowerCase().startsWith('javascript')),
    }))
    expect(found, where).toEqual({ hacked: null, elements: [], links: [] })
  }
  await check('all')
  // A narrow page shows its parts one at a time.
  await page.setViewportSize({ width: 800, height: 900 })
  for (const tab of ['Why', 'Corpus']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
    await check(tab)
  }
  expect(dialogs).toBe(0)
})
