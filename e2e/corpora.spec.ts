/**
 * CorpusManager in a page: corpora in the browser's database, a folder of hubmesh for Python
 * brought over and back, a rebuild in one switch.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from './support/test.ts'

const FOLDER = fileURLToPath(new URL('../examples/data/python_corpus/', import.meta.url))

/** The folder's files as a drop gives them: path, and bytes in Base64 on the way to the page. */
function dropped(): { readonly path: string; readonly base64: string }[] {
  const read = (path: string) => ({
    path: `companies/${path}`,
    base64: readFileSync(`${FOLDER}${path}`).toString('base64'),
  })
  const generation = readFileSync(`${FOLDER}CURRENT`, 'utf8')
  return [
    read('CURRENT'),
    ...readdirSync(`${FOLDER}${generation}`).map((name) => read(`${generation}/${name}`)),
  ]
}

test('a page keeps corpora by name: built, listed with their sizes, rebuilt to other documents, deleted', async ({
  app,
}) => {
  const seen = await app.evaluate(async () => {
    const worker = (role: string) => () =>
      new Worker(trusted(`/hubmesh/${role}.worker.js`), { type: 'module' })
    const open = () =>
      new hubmesh.CorpusManager({ workers: { engine: worker('engine'), embed: worker('embed') } })
    const corpora = open()
    const first = await corpora.build('notes', [
      { id: 'one', text: 'Ada Quist met Bela Trom in Aarhus.' },
      { id: 'two', text: 'Bela Trom wrote to Dora Wex.' },
    ])
    const again = await corpora.build('notes', [
      { id: 'two', text: 'Bela Trom wrote to Dora Wex.' },
      { id: 'three', text: 'Dora Wex stayed.' },
    ])
    await corpora.close()
    const second = open(),
      listed = await second.list()
    const ids = (await (await second.load('notes')).listDocuments()).documents.map(({ id }) => id)
    const unknown = await caught(second.load('nothing')),
      warm = await second.warmup()
    await second.delete('notes')
    const left = await second.list()
    await second.close()
    return { first, again, listed, ids, unknown, warm, left }
  })
  expect(seen.first).toMatchObject({ added: ['one', 'two'], removed: [] })
  expect(seen.again).toMatchObject({ added: ['three'], unchanged: ['two'], removed: ['one'] })
  expect(seen.listed).toEqual([
    { name: 'notes', format: 'hubmesh', documents: 2, bytes: expect.any(Number) as unknown },
  ])
  expect(seen.ids).toEqual(['three', 'two'])
  expect(seen.unknown).toMatchObject({
    code: 'corpus/not-found',
    message: expect.stringContaining('no corpus') as unknown,
  })
  expect(seen.warm).toMatchObject({ 'corpus:notes': 'ok' })
  expect(seen.left).toEqual([])
})

test(
  'a dropped folder of hubmesh for Python becomes a corpus of the page, answers by its ' +
    'graph, and goes back file by file',
  async ({ app }) => {
    const files = dropped()
    const seen = await app.evaluate(async (given) => {
      const worker = (role: string) => () =>
        new Worker(trusted(`/hubmesh/${role}.worker.js`), { type: 'module' })
      const corpora = new hubmesh.CorpusManager({
        workers: { engine: worker('engine'), embed: worker('embed') },
      })
      const drop = given.map(({ path, base64 }) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
          file = new File([bytes], path.slice(path.lastIndexOf('/') + 1))
        Object.defineProperty(file, 'webkitRelativePath', { value: path })
        return file
      })
      const imported = await corpora.importPython(drop, 'companies')
      const planner = await corpora.planner('companies')
      // No model is loaded, so the question brings a vector; which one is all the same to the names
      // it begins at.
      const answer = await planner.retrieve('Who set up Nimbus Analytics?', {
        topK: 3,
        queryVector: Array.from({ length: 384 }, (_, i) => Math.cos(i)),
      })
      const back = await corpora.exportPython('companies'),
        texts: [string, string][] = []
      for (const [path, bytes] of back)
        if (!path.endsWith('.npz'))
          texts.push([path.slice(path.indexOf('/') + 1), new TextDecoder().decode(bytes)])
      await corpora.delete('companies')
      await corpora.close()
      return {
        imported,
        mode: answer.debug.mode,
        seeds: (answer.debug as { pprSeeds?: unknown }).pprSeeds,
        sources: answer.sources.length,
        texts,
      }
    }, files)
    expect(seen.imported).toMatchObject({
      documents: 30,
      rejected: [],
      embedding: { model: 'all-MiniLM-L6-v2', dims: 384 },
    })
    expect(seen).toMatchObject({ mode: 'kg', sources: 3 })
    expect(JSON.stringify(seen.seeds)).toContain('nimbus analytics')
    const texts = new Map(seen.texts),
      before = (name: string): string =>
        Buffer.from(files.find(({ path }) => path.endsWith(name))!.base64, 'base64').toString(
          'utf8',
        )
    const records = (text: string): unknown[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    expect(JSON.parse(texts.get('kg.json')!)).toEqual(JSON.parse(before('kg.json')))
    expect(JSON.parse(texts.get('meta.json')!)).toEqual(JSON.parse(before('meta.json')))
    expect(records(texts.get('docs.jsonl')!)).toEqual(
      expect.arrayContaining(records(before('docs.jsonl'))),
    )
  },
)
