import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../chunk/estimate_tokens.ts'
import { HashingEmbedder, hashedVector } from '../../embed/hashing.ts'
import { InMemoryStore } from '../stores/in_memory_store.ts'
import { QdrantStore } from '../stores/qdrant_store.ts'
import { qdrantDouble } from '../stores/remote/testing/qdrant_double.ts'
import type { DocumentInput } from '../../types.ts'
import { assembleEntityKG } from './assemble_entity_kg.ts'
import { buildEntityKG } from './build_entity_kg.ts'
import { EntityKG } from './entity_kg.ts'
import { Planner } from './planner.ts'
import type { PlannerDocument, PlannerStore } from './result.ts'

const DIMS = 32
const TEXTS: Readonly<Record<string, string>> = {
  sinister: 'Sinister is a film by Scott Derrickson. It was shot in New York.',
  strange: 'Doctor Strange is a film by Scott Derrickson with Benedict Cumberbatch.',
  cumberbatch: 'Benedict Cumberbatch was born in London.',
  london: 'London lies on the Thames.',
  wood: 'Ed Wood is a film by Tim Burton.',
  burton: 'Tim Burton was born in Burbank.',
  tea: 'Leaves make a warm drink.',
}
const documents: readonly DocumentInput[] = Object.entries(TEXTS).map(([id, text]) => ({
  id,
  text,
  vector: hashedVector(text, DIMS),
}))
const store = new InMemoryStore(documents)
const embed = (text: string): Float32Array => hashedVector(text, DIMS)
const kg = await buildEntityKG(documents)
const QUESTION = 'Where was the star of the film by Scott Derrickson born?'

describe('Planner with a graph', () => {
  it('answers over the names of the question, with context, sources and paths', async () => {
    const result = await new Planner(store, embed, {}, kg).retrieve(QUESTION, { topK: 7 })
    expect(result.debug).toMatchObject({
      mode: 'kg',
      queryMentions: ['Scott Derrickson'],
      pprSeeds: ['ent:scott derrickson'],
      injectedSeeds: [],
      excludedDocs: 0,
      kgNodes: kg.graph.order,
      kgEdges: kg.graph.size,
      warnings: [],
    })
    const mass = new Map(result.sources.map((source) => [source.id, source.pprScore]))
    expect(mass.get('sinister')).toBe(Math.max(...mass.values()))
    expect(mass.get('london')!).toBeGreaterThan(0)
    expect(mass.get('tea')).toBe(0)
    expect(
      result.context.startsWith(`[1] ${result.sources[0]!.text}\n\n[2] ${result.sources[1]!.text}`),
    ).toBe(true)
    expect(result.sources.map((source) => source.block)).toEqual([1, 2, 3, 4, 5, 6, 7])
    for (const path of result.reasoning) {
      expect(path.nodeIds[0]).toBe('ent:scott derrickson')
      path.edges.forEach(([a, b], i) => {
        expect(kg.graph.edge(a, b)!.attributes['kind']).toBe(path.predicates[i])
      })
    }
    expect(result.reasoning.map((path) => path.nodeIds.at(-1))).toContain('doc:strange')
  })

  it('begins at seedEntities first, each node once, and steers the walk by them', async () => {
    const planner = new Planner(store, embed, {}, kg)
    const plain = await planner.retrieve(QUESTION),
      steered = await planner.retrieve(QUESTION, {
        seedEntities: ['Benedict Cumberbatch', 'Derrickson', 'nobody at all'],
      })
    expect(steered.debug).toMatchObject({
      pprSeeds: ['ent:benedict cumberbatch', 'ent:scott derrickson'],
      injectedSeeds: ['ent:benedict cumberbatch', 'ent:scott derrickson'],
    })
    expect(steered.debug.warnings).toHaveLength(1)
    const massOf = (result: typeof plain): number =>
      result.sources.find((source) => source.id === 'cumberbatch')!.pprScore
    expect(massOf(steered)).toBeGreaterThan(1.5 * massOf(plain))
  })

  it('answers as if excluded documents were not there: no mass, no range, no path, no seed', async () => {
    const options = { excludeDocs: ['strange', 'not a document'], queryVector: embed(QUESTION) }
    const names = new Map(
      Object.keys(TEXTS).map((id) => [
        id,
        [...kg.docToEntities.get(id)!].map((node) => kg.nodeToLabel.get(node)!),
      ]),
    )
    const full = assembleEntityKG(names, { preset: 'bipartite' }),
      rest = new Map(names)
    rest.delete('strange')
    const excluded = await new Planner(store, null, {}, full).retrieve(QUESTION, options)
    expect(excluded.sources.map((source) => source.id)).not.toContain('strange')
    expect(excluded.reasoning.flatMap((path) => path.nodeIds)).not.toContain('doc:strange')
    expect(excluded.debug.excludedDocs).toBe(2)
    // Weights of the bipartite graph know how many documents there are, so compare with the graph
    // of the others, unweighted.
    const alike = (graph: EntityKG): EntityKG =>
      EntityKG.fromJSON({
        ...graph.toJSON(),
        edges: graph.toJSON().edges.map(([a, b]) => [a, b, {}]),
      })
    const masked = await new Planner(store, null, {}, alike(full)).retrieve(QUESTION, options)
    const gone = await new Planner(
      new InMemoryStore(documents.filter((document) => document.id !== 'strange')),
      null,
      {},
      alike(assembleEntityKG(rest, { preset: 'bipartite' })),
    ).retrieve(QUESTION, { queryVector: options.queryVector })
    expect(masked.sources).toEqual(gone.sources)
    expect(masked.reasoning).toEqual(gone.reasoning)
    const unnamed = await new Planner(store, embed, {}, kg, () => []).retrieve(TEXTS['sinister']!, {
      excludeDocs: ['sinister'],
    })
    expect(unnamed.debug.warnings).toHaveLength(1)
    const others = new Set(
      (await store.search(embed(TEXTS['sinister']!), 4))
        .filter((hit) => hit.id !== 'sinister')
        .flatMap(({ id }) => [...kg.docToEntities.get(id)!]),
    )
    for (const seed of (unnamed.debug as { pprSeeds: readonly string[] }).pprSeeds)
      expect(others).toContain(seed)
  })

  it('begins at the names of the three most similar documents where the question names nothing', async () => {
    const result = await new Planner(store, embed, {}, kg).retrieve('lies on the')
    const near = (await store.search(embed('lies on the'), 3)).flatMap(({ id }) =>
      [...kg.docToEntities.get(id)!].sort(),
    )
    expect(result.debug).toMatchObject({
      queryMentions: [],
      pprSeeds: [...new Set(near)].slice(0, 8),
    })
    expect(result.debug.warnings[0]).toContain('most similar documents')
  })

  it('takes an absorbed alias to its long form, never to a walk from everywhere', async () => {
    const json = kg.toJSON()
    const old = EntityKG.fromJSON({
      ...json,
      alias_to_node: {},
      entity_canonical_to_node: { ...json.entity_canonical_to_node, derrickson: 'ent:derrickson' },
    })
    const result = await new Planner(store, embed, {}, old, () => ['Derrickson']).retrieve(QUESTION)
    expect(result.debug).toMatchObject({ pprSeeds: ['ent:scott derrickson'] })
  })

  it('keeps the mass of a seed whose only document is excluded', async () => {
    const alone = assembleEntityKG(
      new Map([
        ['tea', ['Darjeeling']],
        ['wood', ['Ed Wood']],
      ]),
    )
    const result = await new Planner(store, embed, {}, alone, () => ['Darjeeling']).retrieve(
      'tea',
      { excludeDocs: ['tea'] },
    )
    expect(result.sources.map((source) => [source.id, source.pprScore])).toEqual([['wood', 0]])
    expect(Number.isFinite(result.sources[0]!.compositeScore)).toBe(true)
  })
})

describe('Planner without a graph', () => {
  it('walks the nearest neighbours, and explains by paths of at most three of them', async () => {
    const planner = new Planner(store, embed, { seedTopK: 3, nSeedsForPpr: 1 })
    const result = await planner.retrieve(QUESTION, { topK: 5 })
    expect(result.debug).toMatchObject({
      mode: 'knn',
      subgraphNodes: 7,
      communities: 0,
      anchorSize: 7,
    })
    expect(result.reasoning.length).toBeGreaterThan(0)
    expect(result.reasoning.length).toBeLessThanOrEqual(5)
    for (const path of result.reasoning) {
      expect(path.nodeIds.length).toBeLessThanOrEqual(4)
      for (const [a, b] of path.edges) {
        const near = [
          ...(await store.neighbors(a, 16)),
          ...(await store.neighbors(b, 16)).map((hit) => ({
            ...hit,
            id: hit.id === a ? b : hit.id,
          })),
        ]
        expect(near.map((hit) => hit.id)).toContain(b)
      }
      expect(path.score).toBeCloseTo(
        result.sources.find((source) => source.id === path.nodeIds.at(-1))!.pprScore /
          path.nodeIds.length,
        12,
      )
    }
  })

  it('answers as if excluded documents were not in the store', async () => {
    const options = { queryVector: embed(QUESTION) },
      without = documents.filter((document) => document.id !== 'strange')
    const excluded = await new Planner(store, null, { useCoherence: true }).retrieve(QUESTION, {
      ...options,
      excludeDocs: ['strange'],
    })
    const gone = await new Planner(new InMemoryStore(without), null, {
      useCoherence: true,
    }).retrieve(QUESTION, options)
    expect(excluded.sources).toEqual(gone.sources)
    expect(excluded.reasoning).toEqual(gone.reasoning)
  })

  it('looks at no more documents than the cap', async () => {
    const result = await new Planner(store, embed, { seedTopK: 2, subgraphCap: 4 }).retrieve(
      QUESTION,
    )
    expect(result.debug).toMatchObject({ subgraphNodes: 4 })
    const narrow = await new Planner(store, embed, { seedTopK: 2, subgraphHops: 0 }).retrieve(
      QUESTION,
    )
    expect(narrow.debug).toMatchObject({ subgraphNodes: 2 })
  })

  it('scores the anchor with coherence, by the partition it is given', async () => {
    const detectCommunities = (graph: { nodeIds(): string[] }): Map<string, number> =>
      new Map(graph.nodeIds().map((id) => [id, id === 'tea' ? 0 : 1]))
    const result = await new Planner(store, embed, {
      useCoherence: true,
      detectCommunities,
    }).retrieve('Leaves make a warm drink.')
    expect(result.debug).toMatchObject({ communities: 2, anchorSize: 1 })
    expect(result.sources[0]!.id).toBe('tea')
  })

  it('takes a vector as the question, also beside a graph', async () => {
    const result = await new Planner(store, null, {}, kg).retrieve(embed(TEXTS['london']!))
    expect(result).toMatchObject({ query: '', debug: { mode: 'knn' } })
    expect(result.sources[0]!.id).toBe('london')
  })
})

describe('both modes', () => {
  it('take an Embedder, a function or a given vector to the same answer', async () => {
    const byFunction = await new Planner(store, embed, {}, kg).retrieve(QUESTION)
    expect(
      (await new Planner(store, new HashingEmbedder(DIMS), {}, kg).retrieve(QUESTION)).sources,
    ).toEqual(byFunction.sources)
    expect(
      (await new Planner(store, null, {}, kg).retrieve(QUESTION, { queryVector: embed(QUESTION) }))
        .sources,
    ).toEqual(byFunction.sources)
  })

  it('rank whatever the budget, and never exceed it', async () => {
    for (const graph of [kg, null]) {
      const planner = new Planner(store, embed, {}, graph),
        free = await planner.retrieve(QUESTION, { topK: 5 })
      for (const budgetTokens of [1, 3, 12, 20, 60]) {
        const tight = await planner.retrieve(QUESTION, { topK: 5, budgetTokens })
        expect(tight.sources.map((source) => source.id)).toEqual(
          free.sources.map((source) => source.id),
        )
        if (tight.context === '') expect(tight.debug.warnings.at(-1)).toContain('not one sentence')
        else expect(estimateTokens(tight.context)).toBeLessThanOrEqual(budgetTokens)
      }
      expect((await planner.retrieve(QUESTION, { budgetTokens: 12 })).context).toMatch(
        /^\[1\] .*\.$/,
      )
    }
  })

  it('find seedEntities: [] as good as none, and refuse them without a graph', async () => {
    for (const graph of [kg, null]) {
      const planner = new Planner(store, embed, {}, graph)
      expect(await planner.retrieve(QUESTION, { seedEntities: [] })).toEqual(
        await planner.retrieve(QUESTION),
      )
    }
    await expect(
      new Planner(store, embed).retrieve(QUESTION, { seedEntities: ['London'] }),
    ).rejects.toMatchObject({ code: 'input/invalid', details: { field: 'seedEntities' } })
    await expect(
      new Planner(store, embed, {}, kg).retrieve(embed('x'), { seedEntities: ['London'] }),
    ).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('pack a text once, and leave out near-duplicates of low score', async () => {
    const twice = new InMemoryStore([
      ...documents,
      { id: 'copy', text: TEXTS['london']!, vector: embed(TEXTS['london']!) },
      { id: 'nearly', text: 'London lies on the  Thames.', vector: embed(TEXTS['london']!) },
    ])
    const result = await new Planner(twice, embed, { redundancyLambda: 0.6 }).retrieve(
      TEXTS['london']!,
    )
    expect(result.sources.filter((source) => source.text === TEXTS['london']!)).toHaveLength(1)
    expect(result.omitted.map(({ id, reason }) => [id, reason])).toEqual([
      ['london', 'duplicate'],
      ['nearly', 'redundant'],
    ])
  })

  it('reject NaN in the vector of the question and of a document, and name the latter', async () => {
    const spoilt: PlannerStore = {
      search: (vector, k) => store.search(vector, k),
      neighbors: (id, k) => store.neighbors(id, k),
      getMany: async (ids) =>
        (await store.getMany(ids)).map((document) =>
          document?.id === 'wood'
            ? { ...document, vector: new Float32Array(DIMS).fill(NaN) }
            : document,
        ),
    }
    for (const graph of [kg, null]) {
      await expect(
        new Planner(store, () => new Float32Array(DIMS).fill(NaN), {}, graph).retrieve(QUESTION),
      ).rejects.toMatchObject({ code: 'input/invalid' })
      await expect(
        new Planner(store, null, {}, graph).retrieve(QUESTION, { queryVector: [1, 2, 3] }),
      ).rejects.toMatchObject({ code: 'input/invalid' })
      await expect(new Planner(spoilt, embed, {}, graph).retrieve(QUESTION)).rejects.toMatchObject({
        code: 'input/invalid',
        details: { id: 'wood' },
      })
    }
  })

  it('work without any vector where there is a graph, and say so', async () => {
    const bare: PlannerStore = {
      search: () => Promise.resolve([]),
      neighbors: () => Promise.resolve([]),
      getMany: (ids) =>
        Promise.resolve(
          ids.map((id): PlannerDocument | null =>
            TEXTS[id] === undefined
              ? null
              : { id, title: '', text: TEXTS[id], metadata: {}, vector: null },
          ),
        ),
    }
    const result = await new Planner(bare, null, {}, kg).retrieve(QUESTION)
    expect(
      result.sources
        .slice(0, 2)
        .map((source) => source.id)
        .sort(),
    ).toEqual(['sinister', 'strange'])
    expect(
      result.sources.every(
        (source) => source.cosine === null && Number.isFinite(source.compositeScore),
      ),
    ).toBe(true)
    expect(result.debug.warnings[0]).toContain('No document has a vector')
    expect(await new Planner(bare, null, {}, kg).retrieve('nothing that is known')).toMatchObject({
      sources: [],
      context: '',
    })
    expect(await new Planner(bare, embed).retrieve(QUESTION)).toMatchObject({
      sources: [],
      context: '',
      debug: { subgraphNodes: 0 },
    })
    expect(await new Planner(new InMemoryStore([]), embed).retrieve(QUESTION)).toMatchObject({
      sources: [],
      reasoning: [],
    })
  })

  it('ask for a vector where the documents have some and the question none', async () => {
    for (const graph of [kg, null])
      await expect(new Planner(store, null, {}, graph).retrieve(QUESTION)).rejects.toMatchObject({
        code: 'input/invalid',
        details: { field: 'queryVector' },
      })
  })

  it('read vectors again when the store says that it changed', async () => {
    let counter = 0,
      reads = 0
    const counted: PlannerStore = {
      search: (vector, k) => store.search(vector, k),
      neighbors: (id, k) => store.neighbors(id, k),
      getMany: (ids) => {
        reads += ids.length > 6 ? 1 : 0
        return store.getMany(ids)
      },
      get mutationCounter() {
        return counter
      },
    }
    const planner = new Planner(counted, embed, {}, kg)
    await planner.retrieve(QUESTION, { topK: 1 })
    await planner.retrieve(QUESTION, { topK: 1 })
    expect(reads).toBe(1)
    counter++
    await planner.retrieve(QUESTION, { topK: 1 })
    expect(reads).toBe(2)
  })

  it('give as many sources as the store has, also where the graph names lost documents', async () => {
    const more = [...documents, { id: 'gone', text: TEXTS['sinister']!, vector: embed('gone') }]
    const wider = await buildEntityKG(more)
    const { sources } = await new Planner(store, embed, {}, wider).retrieve(QUESTION, { topK: 5 })
    expect(sources.map(({ id }) => id)).not.toContain('gone')
    expect(sources).toHaveLength(5)
    expect(sources.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4])
  })

  it('refuse unknown options with the nearest name, and a store that lacks a method', async () => {
    const planner = new Planner(store, embed, {}, kg)
    await expect(planner.retrieve(QUESTION, { topk: 3 } as never)).rejects.toMatchObject({
      code: 'input/invalid',
      details: { option: 'topk', nearest: 'topK' },
    })
    expect(() => new Planner(store, embed, { pprAlhpa: 0.2 } as never)).toThrow(/pprAlpha/)
    expect(() => new Planner({ search: store.search } as never, embed)).toThrow(
      /has no getMany, no neighbors/,
    )
  })

  it('never rank by old vectors after an upsert to a shipped store', async () => {
    const server = await qdrantDouble()
    const remote = await QdrantStore.fromDocuments(documents, { url: server.url, collection: 'p' })
    const planner = new Planner(remote, embed, {}, kg)
    const cosineOfTea = async (): Promise<number | null> =>
      (await planner.retrieve(QUESTION, { topK: 7 })).sources.find(({ id }) => id === 'tea')!.cosine
    expect(await cosineOfTea()).toBeLessThan(0.9)
    await remote.upsert([{ id: 'tea', text: TEXTS['tea']!, vector: embed(QUESTION) }])
    expect(await cosineOfTea()).toBeCloseTo(1, 5)
    await remote.close()
    await server.close()
  })

  it('refuse impossible options, and stop at their signal', async () => {
    const planner = new Planner(store, embed, {}, kg)
    for (const options of [
      { topK: 0 },
      { topK: 1.5 },
      { topK: 1001 },
      { budgetTokens: 0 },
      { budgetTokens: NaN },
    ])
      await expect(planner.retrieve(QUESTION, options)).rejects.toMatchObject({
        code: 'input/invalid',
      })
    for (const field of ['seedEntities', 'excludeDocs'])
      await expect(planner.retrieve(QUESTION, { [field]: 'a string' })).rejects.toMatchObject({
        code: 'input/invalid',
        details: { field },
      })
    await expect(planner.retrieve(QUESTION, { signal: AbortSignal.abort() })).rejects.toMatchObject(
      { code: 'aborted' },
    )
    const controller = new AbortController(),
      late = new Planner(
        store,
        (text) => {
          controller.abort()
          return embed(text)
        },
        {},
        kg,
      )
    await expect(late.retrieve(QUESTION, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
  })

  it('give the same answer whatever the order of the documents', async () => {
    for (const graph of [true, false]) {
      const answer = async (list: readonly DocumentInput[]): Promise<unknown> =>
        new Planner(
          new InMemoryStore(list),
          embed,
          { useCoherence: true },
          graph ? await buildEntityKG(list) : null,
        ).retrieve(QUESTION)
      expect(await answer([...documents].reverse())).toEqual(await answer(documents))
    }
  })
})
