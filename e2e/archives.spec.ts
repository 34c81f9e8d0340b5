/**
 * An archive that the command line made in Node is opened in a page by its address: same answers,
 * without a wait, and a clear word where there is none.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Engine, RetrieveResult } from '../src/index.ts'
import { ROOT } from './support/server.ts'
import { expect, test } from './support/test.ts'

const QUESTIONS = [
  'Who directed Ed Wood?',
  'Where was the director of the film about the maker of cheap films born?',
  'Which actor is named in both?',
]
const answer = ({ context, sources, reasoning, debug }: RetrieveResult): string =>
  JSON.stringify({ context, sources, reasoning, seeds: debug.seeds, tier: debug.tier })

/** Answers of the package's own Node engine from the same file, on words and names. */
async function askInNode(archive: string): Promise<string[]> {
  const built: string = join(ROOT, 'dist/node/index.js')
  const { createEngine } = (await import(built)) as typeof import('../src/node.ts')
  const engine: Engine = await createEngine({ corpus: 'node' })
  await engine.import(new Uint8Array(readFileSync(archive)))
  await engine.ready('settled')
  const answers: string[] = []
  for (const question of QUESTIONS) answers.push(answer(await engine.retrieve(question)))
  await engine.close()
  return answers
}

test('the page answers from what `hubmesh index` wrote as Node does, and is settled at once', async ({
  app,
}) => {
  const archive = join(ROOT, '.cache/e2e/notes.hubmesh'),
    source = mkdtempSync(join(tmpdir(), 'hubmesh-notes-'))
  mkdirSync(dirname(archive), { recursive: true })
  const lines = readFileSync(join(ROOT, 'public/samples/hotpotqa_train100/corpus.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(0, 300)
  writeFileSync(join(source, 'films.jsonl'), lines.join('\n'))
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'dist/node/cli.js'),
    'index',
    source,
    '-o',
    archive,
    '--vectors',
    'none',
  ])
  rmSync(source, { recursive: true, force: true })
  const outcome = await app.evaluate(async (questions) => {
    const engine = await openEngine({ storage: 'memory' })
    const phases: string[] = []
    const { added } = await engine.import('/archives/notes.hubmesh', {
      onProgress: ({ phase }) => {
        phases.push(phase)
      },
    })
    const { settled, warnings } = await engine.status()
    const results = []
    for (const question of questions) results.push(await engine.retrieve(question))
    await engine.close()
    return { added: added.length, settled, warnings, phases: [...new Set(phases)], results }
  }, QUESTIONS)
  expect(outcome).toMatchObject({ added: 300, settled: true, warnings: [] })
  expect(outcome.phases).toContain('fetching')
  expect(outcome.results.map(answer)).toEqual(await askInNode(archive))
})

test(
  'from 8-bit vectors and a kept index page and Node answer alike, and rank as from whole ' +
    'vectors but for near ties',
  async ({ app, archive }) => {
    test.setTimeout(180_000)
    const built: string = join(ROOT, 'dist/node/index.js'),
      small = join(ROOT, '.cache/e2e/int8.hubmesh')
    const { createEngine } = (await import(built)) as typeof import('../src/node.ts')
    const open = (): Promise<Engine> =>
      createEngine({
        corpus: 'int8',
        model: join(ROOT, 'public/models/all-MiniLM-L6-v2'),
        runtime: 'wasm',
      })
    const questions = readFileSync(
      join(ROOT, 'public/samples/hotpotqa_train100/queries.jsonl'),
      'utf8',
    )
      .trim()
      .split('\n')
      .slice(0, 25)
      .map((line) => (JSON.parse(line) as { question: string }).question)
    const ask = async (engine: Engine): Promise<RetrieveResult[]> => {
      const results: RetrieveResult[] = []
      for (const question of questions)
        results.push(await engine.retrieve(question, { tier: 'full' }))
      await engine.close()
      return results
    }
    const whole = await open()
    await whole.import(new Uint8Array(readFileSync(archive)))
    await whole.ready('settled')
    writeFileSync(
      small,
      new Uint8Array(await (await whole.export({ vectors: 'int8', index: true })).arrayBuffer()),
    )
    const exact = await ask(whole),
      node = await open()
    await node.import(new Uint8Array(readFileSync(small)))
    const inNode = await ask(node)
    const { results, settled, missing } = await app.evaluate(async (asked) => {
      const engine = await openEngine({ storage: 'memory', model: MODEL })
      await engine.import('/archives/int8.hubmesh')
      const { settled, passages, passagesWithVectors } = await engine.status(),
        results = []
      for (const question of asked) results.push(await engine.retrieve(question, { tier: 'full' }))
      await engine.close()
      return { results, settled, missing: passages - passagesWithVectors }
    }, questions)
    expect({ settled, missing }).toEqual({ settled: true, missing: 0 })
    expect(results.map(answer)).toEqual(inNode.map(answer))
    const top = ({ sources }: RetrieveResult): string[] =>
      sources.slice(0, 5).map(({ documentId }) => documentId)
    const shared = exact.map(
      (result, i) => top(result).filter((id) => top(inNode[i]!).includes(id)).length,
    )
    console.log(
      `of the first five sources ${String(shared.reduce((sum, count) => sum + count, 0))} of ` +
        `${String(5 * questions.length)} are those of whole vectors`,
    )
    expect(shared.filter((count) => count < 4)).toEqual([])
  },
)

test(
  'an address without an archive, of another origin, or of half an archive is named as ' +
    'such, and leaves nothing behind',
  async ({ app, watch, archive }) => {
    watch.expectError(/404|Failed to load resource/)
    const half = readFileSync(archive).subarray(0, 200_000)
    writeFileSync(join(ROOT, '.cache/e2e/half.hubmesh'), half)
    copyFileSync(join(ROOT, 'e2e/fixtures/index.html'), join(ROOT, '.cache/e2e/page.html'))
    const outcome = await app.evaluate(async () => {
      const engine = await openEngine({ storage: 'memory' })
      const codes: Record<string, string | null> = {}
      for (const path of [
        '/archives/nothing.hubmesh',
        '/archives/page.html',
        '/archives/half.hubmesh',
        'https://elsewhere.invalid/a.hubmesh',
      ])
        codes[path] = (await caught(engine.import(path))).code
      const controller = new AbortController()
      controller.abort()
      codes['aborted'] = (
        await caught(engine.import('/archives/half.hubmesh', { signal: controller.signal }))
      ).code
      const { documents } = await engine.status()
      await engine.close()
      return { codes, documents }
    })
    expect(outcome).toEqual({
      codes: {
        '/archives/nothing.hubmesh': 'remote/unavailable',
        '/archives/page.html': 'archive/invalid',
        '/archives/half.hubmesh': 'archive/invalid',
        'https://elsewhere.invalid/a.hubmesh': 'input/invalid',
        aborted: 'aborted',
      },
      documents: 0,
    })
  },
)
