/**
 * The three browsers and how they are driven: Chromium and Firefox by Playwright (DevTools and
 * WebDriver BiDi), WebKitGTK by its own WebDriver. Only the start of a browser is tried again, and
 * said so.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { chromium, firefox } from 'playwright'
import { Builder, Capabilities } from 'selenium-webdriver'
import { BROWSER_ARGS, findBrowser } from '../run/find_browser.mjs'
import { FIREFOX, MINI_BROWSER, WEBKIT_DRIVER } from './setup.mjs'

const START_MS = 90_000,
  STEP_MS = 150_000,
  LOAD_MS = 90_000,
  STARTS = 3

/**
 * Name and start of each engine; a start gives `{ version, open(url), quit() }`, `open` a tab `{
 * call(step, ...args), put(source), value(expression), reload(), close() }`.
 */
export const ENGINES = [
  [
    'Chromium',
    () =>
      playwrightEngine(() =>
        chromium.launch({
          executablePath: findBrowser(),
          headless: true,
          timeout: START_MS,
          args: BROWSER_ARGS,
        }),
      ),
  ],
  [
    'Firefox ESR',
    () =>
      playwrightEngine(() =>
        firefox.launch({
          executablePath: FIREFOX,
          channel: 'moz-firefox',
          headless: true,
          timeout: START_MS,
          firefoxUserPrefs: {
            'dom.storageManager.prompt.testing': true,
            'dom.storageManager.prompt.testing.allow': true,
          },
        }),
      ),
  ],
  ['WebKitGTK', webKitEngine],
]

/** Starts an engine; a browser that does not come up is started again, `STARTS` times in all. */
export async function start(name, launch) {
  for (let left = STARTS; ; left--) {
    try {
      return await within(launch(), START_MS, `the start of ${name}`)
    } catch (error) {
      if (left === 1) throw error
      console.log(
        `${name} did not start (${String(error?.message ?? error).split('\n')[0]}); it is started again.`,
      )
    }
  }
}

/** Rejects when `work` takes longer than `ms`. */
export async function within(work, ms, what) {
  let timer
  try {
    return await Promise.race([
      work,
      new Promise((_resolve, reject) => {
        timer = setTimeout(() => {
          reject(new Error(`${what} took longer than ${String(ms)} ms.`))
        }, ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}

const source = (step, args) => `(async () => {
  const began = performance.now()
  try {
    while (globalThis.appReady !== true) {
      if (performance.now() - began > ${String(LOAD_MS)})
        throw new Error('the app did not load, the document is ' + document.readyState)
      await new Promise((resolve) => { setTimeout(resolve, 20) })
    }
    return JSON.stringify({ value: await steps[${JSON.stringify(step)}](...${JSON.stringify(args)}) ?? null })
  } catch (error) {
    return JSON.stringify({ error: (error?.code ?? error?.name) + ': ' + error?.message })
  }
})()`

function answerOf(step, text) {
  const { error, value } = JSON.parse(text)
  if (error !== undefined) throw new Error(`${step} rejected with ${error}`)
  return value
}

async function playwrightEngine(launch) {
  const browser = await launch()
  const context = await browser.newContext()
  return {
    version: browser.version(),
    async open(url) {
      const page = await within(context.newPage(), STEP_MS, 'a new tab')
      await page.goto(url, { timeout: STEP_MS })
      return {
        call: async (step, ...args) =>
          answerOf(step, await within(page.evaluate(source(step, args)), STEP_MS, step)),
        put: (script) => within(page.evaluate(script), STEP_MS, 'a script'),
        value: (expression) => within(page.evaluate(expression), STEP_MS, expression),
        reload: () => page.reload({ timeout: STEP_MS }),
        close: () => page.close(),
      }
    },
    quit: () => within(browser.close(), STEP_MS, 'the end of the browser'),
  }
}

async function webKitEngine() {
  const port = await freePort()
  const child = spawn(
    'xvfb-run',
    ['-a', '-s', '-screen 0 1280x900x24 -noreset', WEBKIT_DRIVER, `--port=${String(port)}`],
    { detached: true, stdio: 'ignore' },
  )
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It ended by itself.
    }
  }
  process.once('exit', end)
  try {
    await answering(`http://127.0.0.1:${String(port)}/status`, child)
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
    })
    const driver = await within(
      new Builder()
        .usingServer(`http://127.0.0.1:${String(port)}`)
        .withCapabilities(capabilities)
        .build(),
      START_MS,
      'the session of WebKitGTK',
    )
    await driver.manage().setTimeouts({ script: STEP_MS, pageLoad: STEP_MS })
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 })
    const found = await driver.getCapabilities()
    const quit = async () => {
      try {
        await within(driver.quit(), STEP_MS, 'the end of the browser')
      } finally {
        end()
      }
    }
    return {
      version: String(found.get('browserVersion') ?? ''),
      open: (url) => webKitTab(driver, url),
      quit,
    }
  } catch (error) {
    end()
    throw error
  }
}

async function webKitTab(driver, url) {
  // The session's first window stays: a session without a window is at its end.
  await driver.switchTo().window((await driver.getAllWindowHandles())[0])
  await driver.switchTo().newWindow('tab')
  const handle = await driver.getWindowHandle()
  await driver.get(url)
  const inTab = async (work) => {
    await driver.switchTo().window(handle)
    return work()
  }
  return {
    call: async (step, ...args) =>
      answerOf(
        step,
        await within(
          inTab(() =>
            driver.executeAsyncScript(
              `const done = arguments[arguments.length - 1]; ${source(step, args)}.then(done)`,
            ),
          ),
          STEP_MS,
          step,
        ),
      ),
    put: (script) => inTab(() => driver.executeScript(script)),
    value: (expression) => inTab(() => driver.executeScript(`return ${expression}`)),
    reload: () => inTab(() => driver.navigate().refresh()),
    close: () => inTab(() => driver.close()),
  }
}

async function answering(url, child) {
  const started = performance.now()
  while (performance.now() - started < START_MS) {
    if (child.exitCode !== null)
      throw new Error(`The driver ended with code ${String(child.exitCode)}.`)
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok === true) return
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error(`${url} did not answer.`)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => {
        resolve(port)
      })
    })
  })
}
