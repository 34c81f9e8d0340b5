import { drain } from '../base/slices.ts'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { readDataset, type BenchPassage, type Dataset } from '../bench/dataset.ts'
import { corpusOfSize, unite } from '../bench/scale_corpus.ts'
import type { RetrieveResult } from '../types.ts'
import { Corpus } from '../corpus/corpus.ts'

let sample: Dataset, passages: BenchPassage[]
beforeAll(async () => {
  sample = await readDataset(
    fileURLToPath(new URL('../../public/samples/hotpotqa_train100', import.meta.url)),
  )
  passages = unite([sample])
})

const open = () =>
  openTestEngine([], { embedder: new HashingEmbedder(32), chunk: { strategy: 'none' } })

/** What the determinism promise covers. */
function promised({
  debug: { timings: _timings, generation: _generation, ...debug },
  ...rest
}: RetrieveResult): unknown {
  return { debug, ...rest }
}

const document = ({
  id,
  title,
  text,
}: BenchPassage): { id: string; title: string; text: string } => ({ id, title, text })

/** Changes that once left numbers of words behind that counted. */
const FOUND = [
  [
    { kind: 'update' as const, at: 4, count: 8, text: 0 },
    { kind: 'add' as const, at: 23, count: 10, text: 0 },
    { kind: 'add' as const, at: 0, count: 8, text: 0 },
    { kind: 'remove' as const, at: 24, count: 9, text: 0 },
  ],
  [
    { kind: 'update' as const, at: 55, count: 4, text: 35 },
    { kind: 'add' as const, at: 56, count: 1, text: 0 },
  ],
]

it(
  'whatever was added, changed and removed, a settled corpus answers as a fresh one of the ' +
    'same documents',
  async () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'update', 'remove'),
      at: fc.nat(59),
      count: fc.integer({ min: 1, max: 12 }),
      text: fc.nat(59),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const pool = passages.slice(0, 60),
          engine = await open(),
          now = new Map<string, BenchPassage>()
        for (const { kind, at, count, text } of steps) {
          const chosen = pool.slice(at, at + count)
          if (kind === 'remove') {
            await engine.remove(chosen.map(({ id }) => id))
            for (const { id } of chosen) now.delete(id)
            continue
          }
          const put = chosen.map((one, i) =>
            kind === 'add' ? one : { ...one, text: pool[(text + i) % 60]!.text },
          )
          await engine.update(put.map(document))
          for (const one of put) now.set(one.id, one)
        }
        const fresh = await open()
        await fresh.add([...now.values()].map(document))
        for (const one of [engine, fresh]) {
          await one.ready('vectors')
          await one.ready('settled')
        }
        const questions = [
          ...sample.questions.slice(0, 6).map(({ question }) => question),
          // typed small, words tell by what the corpus has of them
          ...sample.questions.slice(0, 40).map(({ question }) => question.toLowerCase()),
        ]
        for (const question of questions)
          expect(promised(await engine.retrieve(question))).toEqual(
            promised(await fresh.retrieve(question)),
          )
        await engine.close()
        await fresh.close()
      }),
      { numRuns: 10, examples: FOUND.map((steps) => [steps]) },
    )
  },
)

it('a thousand removals in one call cost one reading of what is left, at most', async () => {
  const engine = await open(),
    many = corpusOfSize(passages, 1400)
  await engine.add(many.map(document))
  await engine.ready('settled')
  const before = (await engine.status()).text.read
  await engine.remove(many.slice(0, 1000).map(({ id }) => id))
  await engine.ready('settled')
  const { text, passages: left } = await engine.status()
  expect(left).toBe(400)
  expect(text.unread).toBe(0)
  expect(text.read - before).toBeLessThanOrEqual(400)
  await engine.close()
})

it('one document more, changed or less makes few others be read again', async () => {
  const engine = await open()
  await engine.add(passages.slice(0, 900).map(document))
  await engine.ready('settled')
  const readBy = async (change: () => Promise<unknown>): Promise<number> => {
    const { read } = (await engine.status()).text
    await change()
    await engine.ready('settled')
    return (await engine.status()).text.read - read
  }
  const { title, text } = passages[950]!
  for (const change of [
    () => engine.add({ id: 'new', title, text }),
    () =>
      engine.update({
        id: 'new',
        title: 'Zorblax Quuxman',
        text: `Zorblax Quuxman knew it. ${text}`,
      }),
    () => engine.remove('new'),
  ])
    expect(await readBy(change)).toBeLessThanOrEqual(90)
  expect((await engine.retrieve('Who was Zorblax Quuxman?')).debug.seeds).toEqual([])
  await engine.close()
})

it(
  'a rebuild in slices forgets the words of what was removed, answers meanwhile, and gives ' +
    'way to a change',
  async () => {
    const corpus = new Corpus()
    const stored = passages.slice(0, 200).map(({ id, title, text }) => ({
      id,
      title,
      text,
      metadata: {},
      hash: id,
      passages: Int32Array.of(0, text.length),
    }))
    const secret = {
      id: 'secret',
      title: 'Zorblax',
      text: 'Zorblax met Quuxman.',
      metadata: {},
      hash: 's',
      passages: Int32Array.of(0, 20),
    }
    for (const one of [...stored, secret]) drain(corpus.put(one, false))
    corpus.text.settle()
    drain(corpus.remove(['secret']))
    const old = corpus.text
    expect(corpus.text.vocabulary.find('quuxman')).toBeGreaterThanOrEqual(0)

    const late = corpus.rebuildInSlices(() => false)
    drain(corpus.remove([stored[0]!.id]))
    expect(await late).toBe(false)
    expect(corpus.text).toBe(old)
    expect(await corpus.rebuildInSlices(() => true)).toBe(false)

    const rebuilding = corpus.rebuildInSlices(() => false)
    expect(corpus.text).toBe(old)
    expect(await rebuilding).toBe(true)
    expect(corpus.remembers).toBe(false)
    expect(corpus.text.vocabulary.find('quuxman')).toBe(-1)
    expect(corpus.text.size).toBe(199)
    old.settle()
    expect(corpus.text.graph.edges).toBe(old.graph.edges)
    expect(corpus.text.graph.entities).toBe(old.graph.entities)
  },
)

it('edges touched and candidates fused grow slower than the corpus', async () => {
  const sums: { edges: number; candidates: number }[] = []
  for (const size of [400, 1600]) {
    const engine = await open()
    await engine.add(corpusOfSize(passages, size).map(document))
    await engine.ready('settled')
    let edges = 0,
      candidates = 0
    for (const { question } of sample.questions.slice(0, 40)) {
      const { debug } = await engine.retrieve(question, { tier: 'text' })
      edges += debug.walk.touchedEdges
      candidates += debug.walk.candidates
    }
    sums.push({ edges, candidates })
    await engine.close()
  }
  const [small, large] = sums as [(typeof sums)[0], (typeof sums)[0]]
  expect(small!.edges).toBeGreaterThan(0)
  expect(large!.edges / small!.edges).toBeLessThan(4)
  expect(large!.candidates / small!.candidates).toBeLessThan(4)
})
