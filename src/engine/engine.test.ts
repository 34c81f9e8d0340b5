import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { Embedder } from '../embed/embedder.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { EngineOptions } from './engine_options.ts'
import { approximateTokens } from '../pack/token_counter.ts'
import type { DocumentInput, RetrieveResult } from '../types.ts'
import { FILMS } from '../testing/films.ts'

const engine = (options?: Partial<EngineOptions>) => openTestEngine([], options)

const stable = ({ debug: { timings: _, ...debug }, ...rest }: RetrieveResult): unknown => ({
  ...rest,
  debug,
})

it('a question by name is answered over two hops, with every span exact', async () => {
  const e = await engine()
  await e.add(FILMS)
  await e.ready('settled')
  const r = await e.retrieve('Where was the director of Ed Wood born?', { topK: 3 })
  expect(r.sources.map((s) => s.documentId).slice(0, 2)).toEqual(['a', 'b'])
  expect(r.debug.seeds.map((s) => s.name)).toEqual(['ed wood'])
  expect(r.reasoning[0]?.nodes.map((n) => n.label)).toEqual([
    'Ed Wood',
    'Ed Wood (film)',
    'Tim Burton',
    'Tim Burton',
  ])
  for (const s of r.sources) {
    const document = await e.getDocument(s.documentId)
    expect(document?.text.slice(s.start, s.end)).toBe(s.text)
    for (const span of s.evidence)
      expect(document?.text.slice(span.start, span.end)).toBe(span.text)
    const sum = Object.values(s.contributions).reduce((a, b) => a + b, 0)
    expect(Math.abs(sum - s.score)).toBeLessThan(2e-9)
  }
  for (const path of r.reasoning) {
    expect(path.steps).toHaveLength(path.nodes.length - 1)
    for (const step of path.steps) {
      const document = await e.getDocument(step.documentId)
      expect((step.inTitle ? document?.title : document?.text)?.slice(step.start, step.end)).toBe(
        step.text,
      )
      expect(document?.text.slice(step.sentence.start, step.sentence.end)).toBe(step.sentence.text)
    }
  }
  expect(r.contextTokens).toBe(approximateTokens(r.context))
})

it('a question typed small finds the same documents', async () => {
  const e = await engine()
  await e.add(FILMS)
  await e.ready('settled')
  const cased = await e.retrieve('Where was the director of Ed Wood born?'),
    small = await e.retrieve('where was the director of ed wood born?')
  expect(small.sources.map((s) => s.documentId)).toEqual(cased.sources.map((s) => s.documentId))
})

it('the order of insertion, updates and removals leave no trace in an answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...FILMS], { minLength: 5 }),
      fc.integer({ min: 0, max: 4 }),
      async (order, gone) => {
        const a = await engine({ embedder: new HashingEmbedder() }),
          b = await engine({ embedder: new HashingEmbedder() })
        const lost = order[gone] as DocumentInput
        await a.add(FILMS)
        for (const film of order) await b.add({ ...film, text: `${film.text} old` })
        await b.remove(lost.id as string)
        await b.update(order)
        for (const e of [a, b]) {
          await e.ready('vectors')
          await e.ready('settled')
        }
        for (const q of [
          'Where was the director of Ed Wood born?',
          'mulch for the soil',
          'who made doctor strange',
        ]) {
          const [x, y] = await Promise.all([a.retrieve(q), b.retrieve(q)])
          expect(stable({ ...y, debug: { ...y.debug, generation: 0 } })).toEqual(
            stable({ ...x, debug: { ...x.debug, generation: 0 } }),
          )
        }
      },
    ),
    { numRuns: 12 },
  )
})

it('an excluded document is as if it were not there', async () => {
  const e = await engine()
  await e.add(FILMS)
  await e.ready('settled')
  const r = await e.retrieve('Where was the director of Ed Wood born?', {
    excludeDocs: ['a', 'nobody'],
  })
  expect(r.sources.map((s) => s.documentId)).not.toContain('a')
  expect(JSON.stringify(r.reasoning)).not.toContain('Ed Wood (film)')
  expect(r.debug.excludedDocuments).toEqual(['a'])
})

it('injected names open the graph, unknown ones are named, and the question’s own can be turned off', async () => {
  const e = await engine()
  await e.add(FILMS)
  const r = await e.retrieve('where is it', { seedEntities: ['tim burton', 'Nobody At All'] })
  expect(r.debug.seeds).toMatchObject([{ name: 'tim burton', origin: 'injected', weight: 1 }])
  expect(r.debug.unknownSeeds).toEqual(['Nobody At All'])
  expect(r.debug.gate).toBe(1)
  const off = await e.retrieve('Where was the director of Ed Wood born?', { questionSeeds: [] })
  expect(off.debug.seeds).toEqual([])
  expect(off.debug.mode).toBe('hybrid')
})

it('the budget is hard for every small budget', async () => {
  const e = await engine()
  await e.add(FILMS)
  for (let budgetTokens = 1; budgetTokens <= 80; budgetTokens++) {
    const r = await e.retrieve('Who directed Ed Wood?', { budgetTokens })
    expect(approximateTokens(r.context)).toBeLessThanOrEqual(budgetTokens)
    expect(r.context === '' && r.debug.warnings.length === 0).toBe(false)
  }
})

it('adding the same again changes nothing, another text under the id is a conflict that loses nothing', async () => {
  const e = await engine()
  expect((await e.add(FILMS)).added).toHaveLength(5)
  expect((await e.add(FILMS)).unchanged).toHaveLength(5)
  await expect(
    e.add([
      { id: 'new', text: 'fresh' },
      { id: 'a', text: 'other' },
    ]),
  ).rejects.toMatchObject({ code: 'input/conflict' })
  expect(await e.getDocument('new')).toBeNull()
  expect((await e.update({ id: 'a', title: 'Ed Wood (film)', text: 'other' })).replaced).toEqual([
    'a',
  ])
  expect((await e.getDocument('a'))?.text).toBe('other')
})

it('bad questions and options are named errors', async () => {
  const e = await engine()
  await e.add(FILMS)
  for (const query of ['', '   ', 3, null])
    await expect(e.retrieve(query as string)).rejects.toMatchObject({ code: 'input/invalid' })
  for (const options of [
    { topK: 0 },
    { topK: 1.5 },
    { budgetTokens: 0 },
    { budgetTokens: -1 },
    { budgetTokens: NaN },
    { seedEntities: 'x' },
    { tier: 'best' },
    { tier: 'full' },
    { queryVector: [NaN] },
    { filter: 3 },
  ]) {
    await expect(e.retrieve('x', options as never)).rejects.toMatchObject({ code: 'input/invalid' })
  }
})

it('odd questions have an answer or say why not', async () => {
  const e = await engine()
  expect((await e.retrieve('anything')).debug.warnings).toContain('The corpus is empty.')
  await e.add(FILMS)
  for (const query of [
    'the of and',
    '映画監督',
    '__proto__ constructor',
    'x'.repeat(100_000),
    '\ud800',
    '🙂',
  ]) {
    const r = await e.retrieve(query)
    expect(r.sources.length).toBeGreaterThan(0)
    expect(r.context).not.toBe('')
  }
  expect((await e.retrieve('x'.repeat(100_000))).debug.warnings.join()).toContain(
    '100000 characters',
  )
})

it('vectors stream in behind the text tier, and the tier is stated', async () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
      release = resolve
    }),
    inner = new HashingEmbedder()
  const slow: Embedder = {
    identity: inner.identity,
    ready: () => gate,
    embed: (texts, options) => inner.embed(texts, options),
    close: () => inner.close(),
  }
  const e = await engine({ embedder: slow })
  await e.add(FILMS)
  const before = await e.retrieve('who directed ed wood')
  expect([before.debug.tier, before.debug.passagesWithVectors]).toEqual(['text', 0])
  expect((await e.status()).embedding.state).toBe('loading')
  release()
  await e.ready('vectors')
  const after = await e.retrieve('who directed ed wood')
  expect([after.debug.tier, after.debug.passagesWithVectors]).toEqual(['full', 5])
  expect(after.sources[0]?.cosine).not.toBeNull()
})

it('an embedder that fails is reported, words still answer, and resuming tries again', async () => {
  let broken = true
  const inner = new HashingEmbedder()
  const flaky: Embedder = {
    identity: inner.identity,
    close: () => inner.close(),
    embed: (texts, options) =>
      broken ? Promise.reject(new Error('gone')) : inner.embed(texts, options),
  }
  const e = await engine({ embedder: flaky })
  await e.add(FILMS)
  await expect(e.ready('vectors')).rejects.toMatchObject({ code: 'model/incompatible' })
  expect((await e.status()).embedding).toMatchObject({
    state: 'failed',
    error: { code: 'model/incompatible' },
  })
  expect((await e.retrieve('ed wood')).sources[0]?.documentId).toBe('a')
  broken = false
  await e.resumeEmbedding()
  await e.ready('vectors')
  expect((await e.status()).passagesWithVectors).toBe(5)
})

it('vectors given with documents are checked, kept and compared with a given query vector', async () => {
  const identity = { model: 'given', revision: '1', dtype: 'fp32', dims: 3, pooling: 'none' }
  const none: Embedder = {
    identity,
    embed: () => Promise.reject(new Error('never called')),
    close: () => Promise.resolve(),
  }
  const e = await engine({ embedder: none })
  await expect(e.add({ id: 'bad', text: 'x', vector: [1, 2] })).rejects.toMatchObject({
    code: 'input/invalid',
    message: expect.stringContaining('vectors of 3'),
  })
  await expect(e.add({ id: 'bad', text: 'x', vector: [1, NaN, 0] })).rejects.toMatchObject({
    code: 'input/invalid',
  })
  await e.add([
    { id: 'x', text: 'first', vector: [1, 0, 0] },
    { id: 'y', text: 'second', vector: [0, 2, 0] },
  ])
  const r = await e.retrieve('nothing', { queryVector: [0, 1, 0] })
  expect(r.sources.map((s) => [s.documentId, s.cosine])).toEqual([
    ['y', 1],
    ['x', 0],
  ])
})

it('names can be resolved, their neighbours and routes walked', async () => {
  const e = await engine()
  await e.add(FILMS)
  await e.ready('settled')
  expect(await e.resolveEntities(['ED WOOD', 'nobody'])).toMatchObject([
    { name: 'ed wood', label: 'Ed Wood' },
    null,
  ])
  expect((await e.entityNeighbors('tim burton')).map((n) => n.name)).toContain('ed wood')
  const [route] = await e.pathBetween('Ed Wood', 'Burbank')
  expect(route?.nodes.filter((n) => n.kind === 'document').map((n) => n.id)).toEqual(['a', 'b'])
  expect((await e.graphStats()).documents).toBe(5)
  await expect(e.entityNeighbors('nobody')).rejects.toMatchObject({ code: 'input/invalid' })
})

it('aborted calls reject with aborted, and the engine goes on', async () => {
  const e = await engine()
  const signal = AbortSignal.abort()
  await expect(e.add(FILMS, { signal })).rejects.toMatchObject({ code: 'aborted' })
  expect((await e.status()).documents).toBe(0)
  await expect(e.retrieve('x', { signal })).rejects.toMatchObject({ code: 'aborted' })
  await e.add(FILMS)
  expect((await e.status()).documents).toBe(5)
})

it('a closed engine says so', async () => {
  const e = await engine()
  await e.close()
  await e.close()
  await expect(e.retrieve('x')).rejects.toMatchObject({ code: 'store/closed' })
})

it('an archive brings documents and vectors to another engine, which answers the same', async () => {
  const a = await engine({ embedder: new HashingEmbedder() })
  await a.add(FILMS)
  await a.ready('vectors')
  const archive = await a.export()
  let embedded = 0
  const inner = new HashingEmbedder()
  const counting: Embedder = {
    identity: inner.identity,
    close: () => inner.close(),
    embed: (texts, options) => {
      if (options.kind === 'passage') embedded++
      return inner.embed(texts, options)
    },
  }
  const b = await engine({ embedder: counting })
  expect((await b.import(archive)).added).toHaveLength(5)
  await b.ready('vectors')
  await b.ready('settled')
  expect(embedded).toBe(0)
  const [x, y] = await Promise.all([
    a.retrieve('Where was the director of Ed Wood born?'),
    b.retrieve('Where was the director of Ed Wood born?'),
  ])
  expect(stable(y)).toEqual(stable(x))
  expect(new Uint8Array(await (await b.export()).arrayBuffer())).toEqual(
    new Uint8Array(await archive.arrayBuffer()),
  )
  const damaged = new Uint8Array(await archive.arrayBuffer())
  damaged[damaged.length >> 1]! ^= 1
  const c = await engine()
  await expect(c.import(damaged)).rejects.toMatchObject({ code: 'archive/invalid' })
  expect((await c.status()).documents).toBe(0)
})

it('a slip in a name is forgiven and said, where a name comes of it', async () => {
  const e = await engine()
  await e.add(FILMS)
  await e.ready('settled')
  for (const query of [
    'Which films did Scott Derickson make?',
    'which films did scott derrickosn make?',
  ]) {
    const r = await e.retrieve(query)
    expect(r.debug.seeds).toMatchObject([{ name: 'scott derrickson', origin: 'fuzzy' }])
    expect(r.sources[0]?.documentId).toBe('d')
    expect(r.debug.warnings.join()).toContain('derrickson')
  }
  expect((await e.retrieve('Which films did Scott Robinson make?')).debug.seeds).toEqual([])
})

it('a corpus opened again answers as before, from the index it kept or from its documents', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hubmesh-engine-'))
  try {
    const options = { storage: { directory: root }, embedder: new HashingEmbedder() } as const
    const a = await engine(options)
    await a.add(FILMS)
    await a.update({ ...FILMS[4]!, text: 'Compost feeds the soil.' })
    await a.remove('d')
    await a.ready('vectors')
    await a.ready('settled')
    const q = 'Where was the director of Ed Wood born?',
      before = await a.retrieve(q)
    await a.close()
    for (let round = 0; round < 2; round++) {
      const b = await engine(options)
      await b.ready('vectors')
      expect(stable(await b.retrieve(q))).toEqual(stable(before))
      expect((await b.status()).warnings).toEqual([])
      await b.close()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

it('a vector that does not fit costs its own document, where bad entries are to be left out', async () => {
  const e = await engine({ embedder: new HashingEmbedder() })
  const mixed: DocumentInput[] = [
    { id: 'short', text: 'A vector of another model.', vector: [1, 0] },
    { id: 'good', text: 'A document without a vector.' },
  ]
  await expect(e.add(mixed)).rejects.toMatchObject({ code: 'input/invalid' })
  expect(await e.add(mixed, { onInvalid: 'skip' })).toMatchObject({
    added: ['good'],
    rejected: [{ name: 'short', code: 'input/invalid' }],
  })
  expect((await e.listDocuments()).documents.map(({ id }) => id)).toEqual(['good'])
})
