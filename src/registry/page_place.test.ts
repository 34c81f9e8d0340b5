import 'fake-indexeddb/auto'
import { afterEach, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { LocalEngine } from '../engine/engine.ts'
import { Corpora } from './corpora.ts'
import { filesReader, pagePlace } from './page_place.ts'
import { pythonCorpusFiles } from './python_corpus.ts'

const open: Corpora[] = []
const corpora = (): Corpora => {
  const made = new Corpora(
    pagePlace((name, { embedder, chunk }) =>
      LocalEngine.open({
        corpus: name,
        storage: 'indexeddb',
        embedder: embedder === undefined ? new HashingEmbedder(8) : embedder,
        ...(chunk ? { chunk } : {}),
      }),
    ),
  )
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const graph = {
  nodes: [
    ['doc:a', { kind: 'doc', doc_id: 'a' }],
    ['ent:anna', { kind: 'entity', canonical: 'anna', label: 'Anna' }],
  ],
  edges: [['doc:a', 'ent:anna', { kind: 'mentions', weight: 1 }]],
  doc_to_entities: { a: ['ent:anna'] },
  entity_to_docs: { 'ent:anna': ['a'] },
  entity_canonical_to_node: { anna: 'ent:anna' },
  entity_node_to_label: { 'ent:anna': 'Anna' },
  alias_to_node: {},
}
const dropped = (): {
  name: string
  size: number
  webkitRelativePath: string
  bytes: () => Promise<Uint8Array>
}[] =>
  [
    ...pythonCorpusFiles({
      documents: [
        { id: 'a', text: 'Anna met Bo.', metadata: {}, vector: Float32Array.of(1, 0, 0) },
      ],
      dims: 3,
      embedding: 'm',
      graph,
    }),
  ].map(([path, bytes]) => ({
    name: path.split('/').at(-1)!,
    size: bytes.length,
    webkitRelativePath: `demo/${path}`,
    bytes: () => Promise.resolve(bytes),
  }))

it('a page builds, lists and deletes corpora in its database', async () => {
  const pages = corpora()
  await pages.build('notes', [{ id: 'one', text: 'Ada Quist met Bela Trom.' }])
  expect(await pages.list()).toMatchObject([{ name: 'notes', format: 'hubmesh', documents: 1 }])
  await expect(pages.load('none')).rejects.toMatchObject({ code: 'corpus/not-found' })
  expect(await pages.warmup()).toMatchObject({ 'corpus:notes': 'ok' })
  await pages.delete('notes')
  expect(await pages.list()).toEqual([])
})

it('a page imports a dropped folder of hubmesh for Python, and keeps its graph and vectors over a reload', async () => {
  const first = corpora()
  expect(await first.importPython(filesReader(dropped()), 'mine')).toMatchObject({
    documents: 1,
    embedding: { model: 'm', dims: 3 },
  })
  await first.close()
  const second = corpora(),
    planner = await second.planner('mine')
  expect(planner.kg?.graph.size).toBe(1)
  expect((await planner.retrieve('Anna', { queryVector: [1, 0, 0] })).sources).toMatchObject([
    { id: 'a', cosine: 1 },
  ])
  const back = await second.exportPython('mine')
  expect(new TextDecoder().decode(back.get('CURRENT'))).toBe(
    new TextDecoder().decode(
      await dropped()
        .find(({ name }) => name === 'CURRENT')!
        .bytes(),
    ),
  )
  await second.delete('mine')
})

it('files that are no corpus are said to be none', async () => {
  await expect(
    corpora().importPython(
      filesReader([{ name: 'x.txt', size: 1, bytes: () => Promise.resolve(new Uint8Array(1)) }]),
      'mine',
    ),
  ).rejects.toMatchObject({ code: 'corpus/not-found' })
})
