/**
 * Owns the documentation as code: every block of the guides that can run does, in Node or in a page of a real Chromium, against the built package,
 * and prints what the block beneath it says; the site is built without a warning. `npm run test:docs`. Refuses: a guide without a block that ran.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { strictPolicy } from '../demo/build/csp.ts'
import { ROOT, serveFolders } from '../e2e/support/server.ts'
import { ensureBrowser } from './find_browser.mjs'
import { ensureBuilt } from './package/pack.mjs'

interface Block { readonly name: string; readonly where: 'node' | 'page'; readonly code: string; readonly expected: string | null }

const GUIDES = join(ROOT, 'docs/guides'), WORK = join(ROOT, '.cache/docs')
/** What the tests start Chromium with. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
/** A page under Trusted Types shows how workers are made there; the others are pages without. */
const TRUSTED = 'content_security_policy'

/** Fenced blocks marked `node` or `page`, each with the `text` block that follows it. */
function blocksOf(page: string): Block[] {
  const fences = [...readFileSync(join(GUIDES, page), 'utf8').matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap((fence, i) => {
    const where = /^(?:js|ts) (node|page)$/.exec(fence[1] as string)?.[1]
    if (where === undefined) return []
    const next = fences[i + 1]
    return [{ name: `${page.replace('.md', '')}, block ${String(i + 1)}`, where: where as Block['where'], code: fence[2] as string, expected: next?.[1] === 'text' ? (next[2] as string).trim() : null }]
  })
}

function inNode(block: Block, file: string): string {
  const path = join(WORK, `${file}.ts`)
  writeFileSync(path, block.code)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', path], { cwd: ROOT, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) throw new Error(`it ended with ${String(status)}: ${stderr.slice(-2000)}`)
  return stdout.trim()
}

async function inPage(block: Block, file: string, origin: string, browser: Awaited<ReturnType<typeof chromium.launch>>): Promise<string> {
  const code = block.code.replaceAll(/from 'hubmesh(?:\/(\w+))?'/g, (_, entry: string | undefined) => `from '/hubmesh/${entry ?? 'hubmesh'}.js'`)
  writeFileSync(join(WORK, `${file}.js`), `${code}\ndocument.title = 'done'\n`)
  writeFileSync(join(WORK, `${file}.html`), `<!doctype html><meta charset="utf-8"><title>running</title><link rel="icon" href="data:,"><script type="module" src="/${file}.js"></script>`)
  const context = await browser.newContext(), page = await context.newPage()
  const printed: string[] = [], errors: string[] = []
  page.on('console', (message) => { (message.type() === 'error' ? errors : printed).push(message.text()) })
  page.on('pageerror', (error) => { errors.push(error.message) })
  try {
    await page.goto(`${origin}/${file}.html`)
    await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 180_000 }).catch((error: unknown) => { throw errors.length > 0 ? new Error(errors.join('; ')) : error })
    if (errors.length > 0) throw new Error(errors.join('; '))
    return printed.join('\n').trim()
  } finally {
    await context.close()
  }
}

let passed = 0, failed = 0
async function check(name: string, body: () => Promise<void> | void): Promise<void> {
  try {
    await body()
    passed++
    console.log(`ok     ${name}`)
  } catch (error) {
    failed++
    console.log(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

ensureBuilt()
rmSync(WORK, { recursive: true, force: true })
mkdirSync(WORK, { recursive: true })
const mounts = [
  { prefix: '/hubmesh/', folder: join(ROOT, 'dist/browser') }, { prefix: '/models/', folder: join(ROOT, 'public/models') },
  { prefix: '/ort/', folder: join(ROOT, 'node_modules/onnxruntime-web/dist') }, { prefix: '/', folder: WORK },
]
const plain = strictPolicy().split('; ').filter((directive) => !directive.includes('trusted-types')).join('; ')
const servers = { plain: await serveFolders(mounts, 0, undefined, plain), trusted: await serveFolders(mounts) }
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: FLAGS })
for (const page of readdirSync(GUIDES).filter((name) => name.endsWith('.md')).sort()) {
  const blocks = blocksOf(page), name = page.replace('.md', '')
  await check(`${name} has blocks that run`, () => { if (blocks.length === 0) throw new Error('mark one with "node" or "page" after its language') })
  for (const [i, block] of blocks.entries()) {
    await check(`${block.name}, in ${block.where === 'node' ? 'Node' : 'a page'}`, async () => {
      const file = `${name}_${String(i)}`
      const printed = block.where === 'node' ? inNode(block, file) : await inPage(block, file, (name === TRUSTED ? servers.trusted : servers.plain).origin, browser)
      if (block.expected !== null && printed !== block.expected) throw new Error(`it printed\n${printed}\nand the guide says\n${block.expected}`)
    })
  }
}
await browser.close()
await check('no block broke the policy of its page', () => { if (servers.trusted.breaches.length + servers.plain.breaches.length > 0) throw new Error([...servers.trusted.breaches, ...servers.plain.breaches].join('; ')) })
await servers.plain.close()
await servers.trusted.close()
await check('the site is built without a warning', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typedoc/bin/typedoc'), '--treatWarningsAsErrors'], { cwd: ROOT, encoding: 'utf8', timeout: 600_000 })
  if (status !== 0) throw new Error(`${stdout}${stderr}`.slice(-3000))
})
console.log(`${String(passed)} passed, ${String(failed)} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
