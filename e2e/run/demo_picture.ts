/** Takes the README's picture of the demo, `docs/pictures/demo.png`: `npm run docs:picture`. */
import { join } from 'node:path'
import { chromium } from 'playwright'
import { ROOT, serveFolders } from '../support/server.ts'
import { ensureBuilt } from '../../scripts/build/ensure_built.mjs'
import { ensureBrowser } from './find_browser.mjs'

const QUESTION = 'From 1945-1949 Dick Humbert played for an NFL team based in what state?'
const LONGEST = 300_000

if (!ensureBuilt(process.argv.includes('--build'))) process.exit(1)
const server = await serveFolders([{ prefix: '/', folder: join(ROOT, 'dist-demo') }], 0)
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(LONGEST)
  await page.goto(`${server.origin}/`)
  await page.getByRole('button', { name: 'Load the sample' }).click()
  await page.getByText('994 documents added.', { exact: true }).waitFor()
  // With every vector, so that the answer is the one that stays.
  await page.waitForFunction(() => /Vectors\s+ready/.test(document.body.innerText), undefined, {
    polling: 1000,
  })
  await page.getByLabel('Your question').fill(QUESTION)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.locator('.source').first().waitFor()
  await page.waitForTimeout(1000)
  await page.screenshot({ path: join(ROOT, 'docs/pictures/demo.png') })
} finally {
  await browser.close()
  await server.close()
}
