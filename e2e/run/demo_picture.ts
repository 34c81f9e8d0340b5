/**
 * Takes the README's pictures of the demo's first visit, `docs/pictures/demo.png` and
 * `demo_phone.png`: `npm run docs:picture`.
 */
import { join } from 'node:path'
import { chromium } from 'playwright'
import { ROOT, servePage } from '../support/server.ts'
import { ensureBuilt } from '../../scripts/build/ensure_built.mjs'
import { ensureBrowser } from './find_browser.mjs'

const PICTURES = [
  ['demo.png', { width: 1440, height: 900 }],
  ['demo_phone.png', { width: 360, height: 740 }],
] as const

if (!ensureBuilt(process.argv.includes('--build'))) process.exit(1)
const server = await servePage()
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox'],
})
try {
  for (const [name, viewport] of PICTURES) {
    const page = await browser.newPage({ viewport })
    page.setDefaultTimeout(300_000)
    await page.goto(`${server.origin}/`)
    await page.locator('.turn.present .card').waitFor()
    await page.getByText('Works offline.').first().waitFor({ state: 'attached' })
    if (viewport.width > 1000) await page.locator('.source').first().waitFor()
    await page.waitForTimeout(1000)
    await page.screenshot({ path: join(ROOT, 'docs/pictures', name) })
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
}
