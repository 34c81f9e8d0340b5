/**
 * What every fixture app must do in a browser: index, answer, find all again after a reload, and
 * ask no other origin for anything.
 */
import assert from 'node:assert/strict'
import { chromium } from 'playwright'
import { BROWSER_ARGS, findBrowser } from '../run/find_browser.mjs'

const LOAD_MS = 180_000,
  STARTS = 3

/** Starts the browser; only this is tried again, and said. */
export async function startBrowser() {
  for (let left = STARTS; ; left--) {
    try {
      return await chromium.launch({
        executablePath: findBrowser(),
        headless: true,
        args: BROWSER_ARGS,
        timeout: 60_000,
      })
    } catch (error) {
      if (left === 1) throw error
      console.log(
        `The browser did not start (${String(error.message).split('\n')[0]}); it is started again.`,
      )
    }
  }
}

/**
 * Opens `url` in a profile of its own. `origins` are those it may ask; `expected` the errors it
 * provokes. Gives what `work` gives.
 */
export async function inPage(browser, url, { origins = [], expected = [] } = {}, work) {
  const context = await browser.newContext(),
    problems = [],
    allowed = new Set([new URL(url).origin, ...origins])
  context.on('console', (message) => {
    if (message.type() === 'error')
      problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => {
    problems.push(`uncaught: ${error.error().message}`)
  })
  context.on('request', (request) => {
    const { protocol, origin, href } = new URL(request.url())
    if (protocol !== 'blob:' && protocol !== 'data:' && !allowed.has(origin.replace(/^ws/, 'http')))
      problems.push(`request to ${href}`)
  })
  try {
    const page = await context.newPage()
    await page.goto(url, { timeout: LOAD_MS })
    const said = await work(page)
    assert.deepEqual(
      problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
      [],
      'what no app may do',
    )
    return said
  } finally {
    await context.close()
  }
}

/** What the app wrote on its page. */
export async function resultOf(page) {
  await page.waitForSelector('#result', { state: 'attached', timeout: LOAD_MS })
  return JSON.parse(await page.textContent('#result'))
}

/**
 * Runs the app twice in one profile. The same package, documents and question give the same answer,
 * however it was built: `known` collects it.
 */
export async function driveApp(browser, url, known, options = {}) {
  return inPage(browser, url, options, async (page) => {
    const first = await resultOf(page)
    assert.equal(first.error, undefined, JSON.stringify(first.error))
    const {
      before,
      added,
      unchanged,
      passages,
      passagesWithVectors,
      tier,
      context,
      path,
      sources,
    } = first
    assert.deepEqual(
      { before, added, unchanged, passages, passagesWithVectors, tier },
      { before: 0, added: 3, unchanged: 0, passages: 3, passagesWithVectors: 3, tier: 'full' },
    )
    assert.match(context, /Burbank/)
    assert.match(path ?? '', /Tim Burton/)
    known.answer ??= { context, path, sources }
    assert.deepEqual(
      { context, path, sources },
      known.answer,
      'the answer is that of the other apps',
    )
    await page.reload({ timeout: LOAD_MS })
    const again = await resultOf(page)
    assert.deepEqual(
      { ...again, before: 0, added: 3, unchanged: 0 },
      first,
      'the answer after a reload',
    )
    assert.deepEqual(
      { before: again.before, added: again.added, unchanged: again.unchanged },
      { before: 3, added: 0, unchanged: 3 },
    )
    await options.also?.(page)
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ initiatorType, name }) => initiatorType === 'script' || name.endsWith('.js'))
        .map(({ encodedBodySize }) => encodedBodySize),
    )
    return (
      `${String(scripts.length)} scripts of ` +
      `${(scripts.reduce((sum, bytes) => sum + bytes, 0) / 1000).toFixed(0)} kB on the ` +
      'page, not compressed'
    )
  })
}
