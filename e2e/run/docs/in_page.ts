/**
 * Running a block in a page of a real Chromium, under the policy it asks for, from the built
 * package.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { strictPolicy } from '../../../demo/build/csp.ts'
import { ROOT, serveFolders, type Mount, type TestServer } from '../../support/server.ts'
import { BROWSER_ARGS, ensureBrowser } from '../find_browser.mjs'
import type { StandIns } from './stand_ins.ts'

export interface Pages {
  /** What the code prints; `under` is the value of a block's mark. */
  run(code: string, under: string | undefined): Promise<string>
  /** Breaches of the policies, in words. */
  breaches(): readonly string[]
  close(): Promise<void>
}

/** `folder` is served at `/`, beside the package, the model and the runtime. */
export async function openPages(folder: string, standIns: StandIns): Promise<Pages> {
  const mounts = [
    { prefix: '/hubmesh/', folder: join(ROOT, 'dist/browser') },
    { prefix: '/models/', folder: join(ROOT, 'public/models') },
    { prefix: '/ort/', folder: join(ROOT, 'node_modules/onnxruntime-web/dist') },
    { prefix: '/', folder },
  ]
  const servers = await openServers(mounts, standIns)
  const browser: Browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: BROWSER_ARGS,
  })
  let count = 0
  return {
    async run(code, under = '') {
      const server = servers.get(under),
        file = `page_${String(++count)}`
      if (server === undefined)
        throw new Error(
          `it is under ${under}, and there are pages under ${[...servers.keys()].join(' ')}`,
        )
      writeFileSync(join(folder, `${file}.js`), `${code}\ndocument.title = 'done'\n`)
      writeFileSync(
        join(folder, `${file}.html`),
        '<!doctype html><meta charset="utf-8"><title>running</title><link rel="icon" ' +
          `href="data:,"><script type="module" src="/${file}.js"></script>`,
      )
      return printedBy(browser, `${server.origin}/${file}.html`)
    },
    breaches: () => [...servers.values()].flatMap(({ breaches }) => breaches),
    async close() {
      await browser.close()
      for (const server of servers.values()) await server.close()
    },
  }
}

/** One server for each policy that a block can ask for. */
async function openServers(
  mounts: readonly Mount[],
  standIns: StandIns,
): Promise<Map<string, TestServer>> {
  const plain = strictPolicy()
    .split('; ')
    .filter((directive) => !directive.includes('trusted-types'))
  const more = new Map([
    ['script-src', standIns.scripts],
    ['worker-src', `blob: ${standIns.scripts}`],
    ['connect-src', `${standIns.scripts} ${standIns.model}`],
  ])
  const elsewhere = plain.map((directive) =>
    [directive, more.get(directive.split(' ')[0]!) ?? ''].join(' '),
  )
  const open = (policy: string): Promise<TestServer> => serveFolders(mounts, 0, undefined, policy)
  return new Map([
    ['', await open(plain.join('; '))],
    ['trusted', await open(strictPolicy())],
    ['elsewhere', await open(elsewhere.join('; '))],
  ])
}

/** What a page prints until it is done; rejects with its errors. */
async function printedBy(browser: Browser, address: string): Promise<string> {
  const context = await browser.newContext(),
    page = await context.newPage(),
    printed: string[] = [],
    errors: string[] = []
  page.on('console', (message) => {
    ;(message.type() === 'error' ? errors : printed).push(message.text())
  })
  page.on('pageerror', (error) => {
    errors.push(error.message)
  })
  try {
    await page.goto(address)
    await page
      .waitForFunction(() => document.title === 'done', undefined, { timeout: 180_000 })
      .catch((error: unknown) => {
        throw errors.length > 0 ? new Error(errors.join('; ')) : error
      })
    if (errors.length > 0) throw new Error(errors.join('; '))
    return printed.join('\n').trim()
  } finally {
    await context.close()
  }
}
