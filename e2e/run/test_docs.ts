/**
 * The documentation as code: every block of README.md and of the pages below `docs/` runs, in Node,
 * in a page of a real Chromium, in a shell or as the settings of a client, from the built package,
 * and prints what the page says; or it says why it does not (`e2e/run/docs/fences.ts`). The site is
 * built without a warning. `npm run test:docs`.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolsAsClient, toolsAt } from './docs/as_client.ts'
import { contains, fits, pagesOf, readBlocks, type Block } from './docs/fences.ts'
import { givenCode, givenFiles } from './docs/givens.ts'
import { openPages } from './docs/in_page.ts'
import { makePlace, removePlace, run, serve, shell, type Place } from './docs/place.ts'
import { startStandIns } from './docs/stand_ins.ts'
import { ensureBuilt, ROOT } from '../../scripts/build/package/pack.mjs'

const WORK = join(ROOT, '.cache/docs'),
  TOOLS = 10
const WHERE = {
  page: 'in a page',
  node: 'in Node',
  run: 'in a shell',
  client: 'as a client',
} as const
/** Words name pages to run alone, without the site. */
const wanted = process.argv.slice(2)

let passed = 0,
  failed = 0
async function check(name: string, body: () => Promise<void> | void): Promise<void> {
  const began = performance.now()
  try {
    await body()
    passed++
    console.log(`ok     ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failed++
    console.log(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

ensureBuilt()
rmSync(WORK, { recursive: true, force: true })
mkdirSync(WORK, { recursive: true })
// The site takes one core for the longest time of all, so it is built beside the blocks.
const builder = makePlace(ROOT),
  site =
    wanted.length > 0
      ? null
      : run(
          process.execPath,
          [join(ROOT, 'node_modules/typedoc/bin/typedoc'), '--treatWarningsAsErrors'],
          builder,
          { cwd: ROOT, longest: 480_000 },
        ).then(
          () => null,
          (error: unknown) => error,
        )
const standIns = await startStandIns(ROOT),
  pages = await openPages(WORK, standIns)

/** All that the block prints. */
async function printedBy(block: Block, place: Place, file: string): Promise<string> {
  const before = givenFiles(block.given, place.folder, ROOT),
    from = block.way === 'page' ? 'hubmesh' : 'hubmesh/node'
  if (before !== '') await shell(before, place)
  const text = standIns.put(
    block.code.replace(
      / *(#[^\n]*)?$/,
      (_, comment: string | undefined) => ` ${block.marks.get('adds') ?? ''} ${comment ?? ''}`,
    ),
  )
  if (block.way === 'client') {
    const tools = await toolsAsClient(text, place)
    if (tools.length !== TOOLS) throw new Error(`the client is offered ${tools.join(', ')}`)
    return ''
  }
  if (block.way === 'run') {
    const url = block.marks.get('serves')
    if (url === undefined)
      return await shell(text, place, block.marks.has('at') ? ROOT : place.folder)
    const close = await serve(text, place, standIns.put(url))
    return await toolsAt(standIns.put(url))
      .then((tools) => tools.join('\n'))
      .finally(close)
  }
  const given = givenCode(block.given, from),
    code = [given.before, text, given.after ?? ''].filter((part) => part !== '').join('\n')
  if (block.way === 'page') {
    for (const made of ['site.hubmesh'])
      if (existsSync(join(place.folder, made)))
        copyFileSync(join(place.folder, made), join(WORK, made))
    return await pages.run(
      code.replaceAll(
        /(from |import\()'hubmesh(?:\/(\w+))?'/g,
        (_, how: string, entry: string | undefined) => `${how}'/hubmesh/${entry ?? 'hubmesh'}.js'`,
      ),
      block.marks.get('under'),
    )
  }
  // Beside the package, which resolves itself from there; run in the page's folder.
  writeFileSync(join(WORK, `${file}.ts`), code)
  return await run(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(WORK, `${file}.ts`)],
    place,
    { stdoutAlone: true },
  )
}

function compare({ prints, says, way }: Block, printed: string): void {
  if (prints !== null && !fits(printed, prints))
    throw new Error(`it printed\n${printed}\nand the page says\n${prints}`)
  if (says !== null && !contains(printed, says))
    throw new Error(`it printed\n${printed}\nwithout ${says}`)
  if (prints === null && way !== 'run' && printed !== '')
    throw new Error(`it printed\n${printed}\nand nothing says so`)
}

let ran = 0
for (const page of pagesOf(ROOT).filter(
  (name) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
)) {
  const { blocks, faults } = readBlocks(ROOT, page)
  if (faults.length > 0)
    await check(`${page} marks every block`, () => {
      throw new Error(faults.join('\n'))
    })
  if (page.startsWith('docs/guides/'))
    await check(`${page} has blocks that run`, () => {
      if (blocks.length === 0) throw new Error('a guide shows what it tells of')
    })
  const place = makePlace(ROOT)
  for (const block of blocks) {
    ran++
    await check(`${block.name}, ${WHERE[block.way]}`, async () => {
      compare(block, await printedBy(block, place, `block_${String(ran)}`))
    })
  }
  removePlace(place)
}
await pages.close()
await standIns.close()
await check('no block broke the policy of its page', () => {
  if (pages.breaches().length > 0) throw new Error(pages.breaches().join('; '))
})
await check('no block asked of a server what it does not take', () => {
  if (standIns.misfits().length > 0) throw new Error(standIns.misfits().join('; '))
})
if (site !== null)
  await check('the site is built without a warning', async () => {
    const error = await site
    if (error instanceof Error) throw error
  })
removePlace(builder)
console.log(`${String(passed)} passed, ${String(failed)} failed`)
process.exit(failed === 0 && ran > 0 ? 0 : 1)
