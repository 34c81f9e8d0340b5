/**
 * The core of the browser tests in Chromium, Firefox ESR and WebKitGTK: `npm run test:engines`,
 * with names of engines to run fewer.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ENGINES, start } from '../engines/drivers.mjs'
import { DOCUMENTS, promised, QUESTION } from '../engines/fixtures/shared.js'
import { setup } from '../engines/setup.mjs'
import { pageChecksOf, serveBare } from '../engines/page_suite.mjs'
import { checksOf } from '../engines/suite.mjs'
import { sampleArchive } from '../support/archive.ts'
import { ROOT, serveFolders } from '../support/server.ts'
import { ensureBuilt } from '../../scripts/build/ensure_built.mjs'

const QUESTIONS = 30
const wanted = process.argv.slice(2).map((name) => name.toLowerCase())

setup()
if (!ensureBuilt()) process.exit(1)
const archive = await sampleArchive()
const questions = readFileSync(join(ROOT, 'public/samples/hotpotqa_train100/queries.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).question)
  .slice(0, QUESTIONS)
const node = await answersOfNode()

const serve = () =>
  serveFolders([
    { prefix: '/hubmesh/', folder: join(ROOT, 'dist/browser') },
    { prefix: '/models/', folder: join(ROOT, 'public/models') },
    { prefix: '/ort/', folder: join(ROOT, 'node_modules/onnxruntime-web/dist') },
    { prefix: '/archives/', folder: join(ROOT, '.cache/e2e') },
    { prefix: '/', folder: join(ROOT, 'e2e/engines/fixtures') },
  ])

let passed = 0,
  failed = 0
const table = []
for (const [name, launch] of ENGINES.filter(
  ([name]) => wanted.length === 0 || wanted.some((one) => name.toLowerCase().startsWith(one)),
)) {
  const site = await serve(),
    host = await serveBare()
  let engine = null
  try {
    engine = await start(name, launch)
    console.log(`\n${name} ${engine.version}`)
    for (const [what, run] of [
      ...checksOf(engine, {
        site,
        reserve: serve,
        node,
        questions,
        archive: `/archives/${basename(archive)}`,
      }),
      ...pageChecksOf(engine, host),
    ]) {
      const began = performance.now()
      try {
        await run()
        passed++
        table.push([name, engine.version, what, 'yes'])
        console.log(`ok     ${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
      } catch (error) {
        failed++
        table.push([name, engine.version, what, 'no'])
        console.log(`FAILED ${what}\n${String(error?.stack ?? error)}`)
      }
    }
  } catch (error) {
    failed++
    console.log(`FAILED ${name} does not start\n${String(error?.stack ?? error)}`)
  } finally {
    await engine?.quit().catch((error) => {
      console.log(`${name} did not end in order: ${String(error?.message ?? error)}`)
    })
    await site.close()
    await host.close()
  }
}

printTable()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** The same in this process, with the runtime a page has. */
async function answersOfNode() {
  const { createEngine } = await import(join(ROOT, 'dist/node/index.js'))
  const model = join(ROOT, 'public/models/all-MiniLM-L6-v2')
  const open = (corpus, with_) =>
    createEngine({ corpus, model: with_ ? model : null, runtime: 'wasm' })
  const small = async (tier) => {
    const engine = await open('small', tier === 'full')
    await engine.add(DOCUMENTS)
    if (tier === 'full') await engine.ready('vectors')
    const answer = promised(
      await engine.retrieve(QUESTION, { budgetTokens: 1000, ...(tier === 'full' ? { tier } : {}) }),
    )
    await engine.close()
    return answer
  }
  const kinds = {
    full: { asked: questions, options: { tier: 'full', budgetTokens: 1000 } },
    text: { asked: questions, options: { tier: 'text', budgetTokens: 1000 } },
    lower: {
      asked: questions.map((question) => question.toLowerCase()),
      options: { tier: 'full', budgetTokens: 1000 },
    },
  }
  const engine = await open('sample', true),
    answers = {}
  await engine.import(new Uint8Array(readFileSync(archive)))
  await engine.ready('settled')
  for (const [kind, { asked, options }] of Object.entries(kinds)) {
    answers[kind] = []
    for (const question of asked)
      answers[kind].push(promised(await engine.retrieve(question, options)))
  }
  await engine.close()
  return { text: await small('text'), full: await small('full'), kinds, answers }
}

/** As it stands in the README. */
function printTable() {
  const engines = [...new Set(table.map(([name, version]) => `${name} ${version}`))]
  console.log(`\n| | ${engines.join(' | ')} |\n|---|${engines.map(() => '---').join('|')}|`)
  for (const what of new Set(table.map(([, , one]) => one))) {
    const cells = engines.map(
      (engine) =>
        table.find(
          ([name, version, one]) => `${name} ${version}` === engine && one === what,
        )?.[3] ?? '–',
    )
    console.log(`| ${what} | ${cells.join(' | ')} |`)
  }
}
