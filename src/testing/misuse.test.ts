/** A table of mistakes people make, each with the code and the words that put it right. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isHubmeshError } from '../base/errors.ts'
import {
  buildEntityKG,
  chunkByChars,
  chunkDocuments,
  CorpusManager,
  createEngine,
  createTokenCounter,
  HashingEmbedder,
  InMemoryStore,
  packContext,
  Planner,
} from '../node.ts'
import type { Engine } from '../types.ts'

/** What a program without types passes. */
const untyped = (value: unknown): never => value as never

let engine: Engine, closed: Engine
beforeAll(async () => {
  engine = await createEngine({ corpus: 'notes' })
  await engine.add([
    { id: 'a', title: 'Oslo', text: 'Oslo lies on a fjord. Greta Holm lives in Oslo.' },
  ])
  closed = await createEngine({ corpus: 'closed' })
  await closed.close()
})
afterAll(() => engine.close())

type Row = readonly [mistake: string, run: () => unknown, words: RegExp, code?: string]
const open = (options: object) => () => createEngine(untyped({ corpus: 'x', ...options }))
const manager = () => new CorpusManager('/nowhere', { embedder: null })
const ask = (options: object) => () => engine.retrieve('Oslo', untyped(options))
const add = (input: unknown, options: unknown = {}) => {
  return () => engine.add(untyped(input), untyped(options))
}

const OPENING: readonly Row[] = [
  ['no options', () => createEngine(untyped(undefined)), /takes an object/],
  ['a name for options', () => createEngine(untyped('notes')), /takes an object/],
  ['no corpus', () => createEngine(untyped({})), /cannot be called undefined.*Use 1 to 64/],
  ['an empty corpus name', open({ corpus: '' }), /Use 1 to 64/],
  ['a path as corpus name', open({ corpus: 'a/b' }), /"a\/b".*Use 1 to 64/],
  ['a device as corpus name', open({ corpus: 'CON' }), /name of a device/],
  ['a number as corpus name', open({ corpus: 5 }), /Use 1 to 64/],
  ['a misspelt option', open({ modle: null }), /did you mean "model"/],
  ['the storage of a page', open({ storage: 'indexeddb' }), /In Node give { directory/],
  ['a misspelt storage', open({ storage: { dir: '/x' } }), /directory: a path/],
  ['a directory that is no path', open({ storage: { directory: 5 } }), /directory: a path/],
  ['a number as model', open({ model: 5 }), /folder of a model's files/],
  ['an embedder without identity', open({ model: { embed: () => [] } }), /Embedder { identity/],
  ['an empty identity', open({ model: { embed: () => [], identity: {} } }), /dims, a whole number/],
  ['a model that is not there', open({ model: '/no/all-MiniLM-L6-v2' }), /Check/, 'model/fetch'],
  ['a model nobody knows', open({ model: '/no/mine' }), /Pass `manifest`/],
  ['an empty manifest', open({ model: '/no/mine', manifest: {} }), /such as MINILM_INT8/],
  ['a runtime of another name', open({ runtime: 'gpu' }), /"wasm" or "native"/],
  ['a counter of another name', open({ countTokens: 'gpt4' }), /"o200k" or "cl100k"/],
  ['an index of another name', open({ index: 'ivf' }), /"exact", "hnsw" or "auto"/],
  ['a ranking of another name', open({ ranking: 'bm25' }), /an object of weights/],
  ['some of the weights', open({ ranking: { graph: 1 } }), /\.\.\.DEFAULT_WEIGHTS/],
  ['a planner without its ranking', open({ planner: { mode: 'kg' } }), /ranking: "python"/],
  ['negative passages', open({ chunk: { tokens: -1 } }), /chunk\.tokens is -1.*whole number/],
  ['a strategy of another name', open({ chunk: { strategy: 'page' } }), /"chars" or "none"/],
  ['a number for chunk', open({ chunk: 200 }), /object of options/],
  ['an empty encryption', open({ encryption: {} }), /passphrase: a text/],
  ['a bare passphrase', open({ encryption: 'secret' }), /passphrase: a text/],
  ['an empty passphrase', open({ encryption: { passphrase: '' } }), /not empty/],
  ['encryption in memory', open({ encryption: { passphrase: 'x' } }), /choose storage that lasts/],
  ['a signal that is none', open({ signal: true }), /AbortController/],
  ['a signal that fired', open({ signal: AbortSignal.abort() }), /cancelled/, 'aborted'],
]

const ADDING: readonly Row[] = [
  ['nothing', add(undefined), /pass a string or an object with a text/],
  ['null', add(null), /pass a string/],
  ['a number', add(5), /pass a string/],
  ['an empty text', add(''), /leave the document out/],
  ['a list of lists', add([['x']]), /pass a string/],
  ['a document without text', add({ title: 'x' }), /in the field text/],
  ['a text of another name', add({ content: 'x' }), /in the field text/],
  ['a promise that was not awaited', add(Promise.resolve('x')), /await it/],
  ['a Map', add(new Map([['text', 'x']])), /object \(Map\); pass/],
  ['bare bytes', add(new ArrayBuffer(4)), /object \(ArrayBuffer\); pass/],
  ['an address', add(new URL('https://example.org')), /object \(URL\); pass/],
  ['an id that is a number', add({ id: 5, text: 'x' }), /id is a number; pass a string/],
  ['a title that is a number', add({ title: 5, text: 'x' }), /title is a number; pass a string/],
  [
    'one id twice',
    add([
      { id: 'q', text: 'x' },
      { id: 'q', text: 'y' },
    ]),
    /own id/,
    'input/conflict',
  ],
  ['an id that is taken', add({ id: 'a', text: 'x' }), /onConflict: 'replace'/, 'input/conflict'],
  ['a function in the metadata', add({ text: 'x', metadata: { f: () => 1 } }), /JSON values only/],
  ['a big integer', add({ text: 'x', metadata: { n: 1n } }), /JSON values only/],
  ['a list as metadata', add({ text: 'x', metadata: [1] }), /object of JSON values/],
  ['NaN in the metadata', add({ text: 'x', metadata: { n: NaN } }), /pass null/],
  ['a misspelt option', add('x', { onconflict: 'replace' }), /did you mean "onConflict"/],
  ['a conflict of another name', add('x', { onConflict: 'overwrite' }), /"error" or "replace"/],
  ['an onInvalid of another name', add('x', { onInvalid: 'ignore' }), /"error" or "skip"/],
  ['others of another name', add('x', { others: 'drop' }), /"keep" or "remove"/],
  ['progress that is no function', add('x', { onProgress: true }), /Use a function/],
  ['a signal that is none', add('x', { signal: {} }), /AbortController/],
  ['a word for options', add('x', 'replace'), /object of options/],
  ['null for options', add('x', null), /object of options/],
  ['metadata of an unknown id', () => engine.updateMetadata('zz', {}), /listDocuments\(\)/],
  ['a list as patch', () => engine.updateMetadata('a', untyped([1])), /object of JSON values/],
  ['no patch', () => engine.updateMetadata('a', untyped(undefined)), /fields that change/],
  ['removing nothing', () => engine.remove(untyped(undefined)), /list of strings/],
  ['removing an object', () => engine.remove(untyped({ id: 'a' })), /list of strings/],
  ['removing numbers', () => engine.remove(untyped([1])), /list of strings/],
  ['relations of another shape', () => engine.addRelations(untyped({})), /buildEntityKGLLM/],
  ['importing a text', () => engine.import('not an archive'), /address of an archive/],
  ['importing nothing', () => engine.import(untyped(undefined)), /takes an archive/],
  [
    'importing other bytes',
    () => engine.import(new Uint8Array([1, 2, 3])),
    /not a whole hubmesh archive/,
    'archive/invalid',
  ],
]

const ASKING: readonly Row[] = [
  ['nothing', () => engine.retrieve(untyped(undefined)), /question as a string/],
  ['blanks', () => engine.retrieve('  '), /at least one word/],
  ['an object', () => engine.retrieve(untyped({ query: 'x' })), /question as a string/],
  ['no sources', ask({ topK: 0 }), /from 1 to 1000/],
  ['too many sources', ask({ topK: 1e9 }), /from 1 to 1000/],
  ['a number as text', ask({ topK: '5' }), /topK is "5"/],
  ['the name of Python', ask({ top_k: 5 }), /did you mean "topK"/],
  ['a negative budget', ask({ budgetTokens: -1 }), /whole number from 1/],
  ['a tier of another name', ask({ tier: 'fast' }), /"auto", "text" or "full"/],
  ['meaning without a model', ask({ tier: 'full' }), /Open it with a model/],
  ['a vector of NaN', ask({ queryVector: [NaN] }), /as its embedder made it/],
  ['a vector as text', ask({ queryVector: 'abc' }), /array of numbers/],
  ['a filter that is code', ask({ filter: () => true }), /A filter is { field/],
  ['an operator of MongoDB', ask({ filter: { year: { $gt: 5 } } }), /use eq, ne/],
  ['an expression in a filter', ask({ filter: { year: /x/ } }), /no usable condition/],
  ['one name for a list', ask({ seedEntities: 'Oslo' }), /list of strings/],
  ['one id for a list', ask({ excludeDocs: 'a' }), /list of strings/],
  ['a history that is no list', ask({ history: 'before' }), /role: "user"/],
  ['negative milliseconds', ask({ settleMs: -5 }), /from 0 to 60000/],
  ['yes for true', ask({ fill: 'yes' }), /true or false/],
  ['a mode of another name', () => engine.search('x', untyped({ mode: 'vector' })), /"hybrid"/],
  ['a budget for search', () => engine.search('x', untyped({ budgetTokens: 5 })), /no option/],
  ['search by meaning without a model', () => engine.search('x', { mode: 'dense' }), /a model/],
  ['counts of one field', () => engine.facets(untyped('year')), /list of strings/],
  ['counts of no field', () => engine.facets([]), /1 to 20 fields/],
  ['one name to resolve', () => engine.resolveEntities(untyped('Oslo')), /list of strings/],
  ['neighbours of nothing', () => engine.entityNeighbors(untyped(undefined)), /Use a string/],
  ['no neighbours', () => engine.entityNeighbors('Oslo', { limit: 0 }), /from 1 to 1000/],
  ['a path to nothing', () => engine.pathBetween('Oslo', untyped(undefined)), /Use a string/],
  ['no document id', () => engine.getDocument(untyped(undefined)), /Use a string/],
  ['a document as id', () => engine.getDocument(untyped({ id: 'a' })), /Use a string/],
  ['a negative offset', () => engine.listDocuments({ offset: -1 }), /from 0/],
  ['a merge of one', () => engine.mergeNames(['Oslo']), /at least two/],
  ['a merge that is no list', () => engine.mergeNames(untyped('Oslo')), /list of strings/],
  ['a split of what is no merge', () => engine.splitName('Oslo'), /mergedNames\(\)/],
  ['an unknown merge', () => engine.undoMerge('nope'), /mergedNames\(\)/],
  ['a misspelt option of export', () => engine.export(untyped({ vector: true })), /"vectors"/],
  ['a step of another name', () => engine.ready(untyped('all')), /"text", "vectors" or "settled"/],
  ['a listener that is none', () => engine.onStatus(untyped(undefined)), /Use a function/],
  ['adding after close', () => closed.add('x'), /Call createEngine\(\) again/, 'store/closed'],
  ['asking after close', () => closed.retrieve('x'), /createEngine\(\) again/, 'store/closed'],
]

const PIECES: readonly Row[] = [
  ['a planner without store', () => new Planner(untyped(undefined)), /Pass a store/],
  ['a store that is none', () => new Planner(untyped({})), /has no search.*Pass a store/],
  [
    'a misspelt option of the planner',
    () => new Planner(new InMemoryStore([]), null, untyped({ subGraphHop: 5 })),
    /did you mean "subgraphHops"/,
  ],
  ['a store of a text', () => InMemoryStore.fromDocuments(untyped('x')), /list of texts/],
  ['a store without vectors', () => InMemoryStore.fromDocuments(['x']), /pass an embedder/],
  ['a graph of a text', () => buildEntityKG(untyped('x')), /list of texts/],
  ['a root that is no path', () => new CorpusManager(untyped(5)), /root is 5/],
  ['a misspelt option', () => new CorpusManager('/x', untyped({ embeder: null })), /"embedder"/],
  ['a corpus that is not there', () => manager().load('no'), /list\(\)/, 'corpus/not-found'],
  ['a path as a name to build', () => manager().build('../x', []), /Use 1 to 64/],
  ['cutting a number', () => chunkByChars(untyped(5), untyped({})), /must be a string/],
  ['passages of negative size', () => chunkByChars('x', untyped({ size: -1 })), /size is -1/],
  ['cutting a bare text', () => chunkDocuments(untyped('x')), /pass one of those/],
  ['packing nothing', () => packContext(untyped(undefined), untyped(undefined)), /createTokenCo/],
  ['a counter of another name', () => createTokenCounter(untyped('gpt')), /a function of a text/],
  ['an embedder without dimensions', () => new HashingEmbedder(untyped('x')), /2 to 4096/],
]

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    return error
  }
  return null
}

describe.each([
  ['opening', OPENING],
  ['adding', ADDING],
  ['asking', ASKING],
  ['the pieces', PIECES],
])('a mistake in %s', (_name, rows) => {
  it.each(rows)('%s: told with code, value and remedy', async (_mistake, ...row) => {
    const [run, words, code = 'input/invalid'] = row as Tail<Row>,
      error = await thrownBy(run)
    expect(isHubmeshError(error), `not one of ours: ${String(error)}`).toBe(true)
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) as string })
  })
})

it('there are at least a hundred mistakes in the table', () => {
  expect([...OPENING, ...ADDING, ...ASKING, ...PIECES].length).toBeGreaterThanOrEqual(100)
})
