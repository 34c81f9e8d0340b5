import { describe, expect, it } from 'vitest'
import type { DocumentInput } from '../../types.ts'
import { assembleEntityKG } from './assemble_entity_kg.ts'
import { buildEntityKG } from './build_entity_kg.ts'
import type { NameReader } from './build_entity_kg.ts'
import { EmbeddingLinker } from './embedding_linker.ts'
import { EntityKG } from './entity_kg.ts'
import { SubstringLinker } from './linker.ts'

const named = (names: Readonly<Record<string, readonly string[]>>): Promise<EntityKG> =>
  buildEntityKG(
    Object.keys(names).map((id) => ({ id, text: `text of ${id}` })),
    { names: ({ id }) => names[id]! },
  )

const FILMS: readonly DocumentInput[] = [
  {
    id: 'sinister',
    title: 'Sinister (film)',
    text: 'Sinister is a film by Scott Derrickson. In it, Derrickson tells of a writer.',
  },
  { id: 'wood', title: 'Ed Wood', text: 'Ed Wood was filmed by Tim Burton in Los Angeles.' },
  {
    id: 'strange',
    title: 'Doctor Strange',
    text: 'Doctor Strange was directed by Scott Derrickson and shot in Nepal.',
  },
]

describe('buildEntityKG', () => {
  it('finds names by rules and titles, and joins documents over them', async () => {
    const kg = await buildEntityKG(FILMS)
    expect(
      kg.queryEntityNodes(['Scott Derrickson', 'Doctor Strange', 'Sinister', 'Tim Burton']),
    ).toEqual(['ent:scott derrickson', 'ent:doctor strange', 'ent:sinister', 'ent:tim burton'])
    expect([...kg.entityToDocs.get('ent:scott derrickson')!]).toEqual(['sinister', 'strange'])
    expect([...kg.docToEntities.get('wood')!]).toContain('ent:ed wood')
    expect(kg.nodeToLabel.get('ent:scott derrickson')).toBe('Scott Derrickson')
    expect(kg.graph.node('doc:wood')).toEqual({ kind: 'doc', doc_id: 'wood' })
    expect(kg.graph.edge('doc:wood', 'ent:tim burton')!.attributes).toEqual({ kind: 'mentions' })
  })

  it('counts in how many documents two names occur together', async () => {
    const kg = await named({ a: ['Ann Lee', 'Bob Ray'], b: ['Bob Ray', 'Ann Lee'], c: ['Ann Lee'] })
    expect(kg.graph.edge('ent:ann lee', 'ent:bob ray')!.attributes).toEqual({
      kind: 'co_occurs',
      weight: 2,
    })
  })

  it('joins no names in the bipartite preset, and gives rare names and titles more weight', async () => {
    const kg = await buildEntityKG(FILMS, { preset: 'bipartite' })
    expect(kg.graph.edges().every((edge) => edge.attributes['kind'] === 'mentions')).toBe(true)
    const weight = (document: string, entity: string): number =>
      kg.graph.edge(document, entity)!.attributes['weight'] as number
    expect(weight('doc:wood', 'ent:tim burton')).toBeCloseTo(Math.log(1 + 3), 12)
    expect(weight('doc:strange', 'ent:scott derrickson')).toBeCloseTo(Math.log(1 + 3 / 2), 12)
    expect(weight('doc:wood', 'ent:ed wood')).toBeCloseTo(3 * Math.log(1 + 3), 12)
  })

  it('absorbs a short form in the same document, whichever comes first', async () => {
    for (const names of [
      ['Derrickson', 'Scott Derrickson'],
      ['Scott Derrickson', 'Derrickson'],
    ]) {
      const kg = await named({ a: names })
      expect([...kg.docToEntities.get('a')!]).toEqual(['ent:scott derrickson'])
      expect(kg.aliasToNode.get('derrickson')).toBe('ent:scott derrickson')
      expect(kg.queryEntityNodes(['Derrickson'], false)).toEqual(['ent:scott derrickson'])
    }
    const read = await buildEntityKG(FILMS)
    expect(read.queryEntityNodes(['Derrickson'], false)).toEqual(['ent:scott derrickson'])
  })

  it('points every alias and canonical name at a live node', async () => {
    for (const kg of [
      await named({
        a: ['Derrickson', 'Scott Derrickson'],
        b: ['Lee', 'Ann Lee', 'Lee'],
        c: ['Bob Lee', 'Lee'],
      }),
      await buildEntityKG(FILMS, { linker: new SubstringLinker() }),
    ]) {
      expect(kg.aliasToNode.size).toBeGreaterThan(0)
      for (const node of [
        ...kg.aliasToNode.values(),
        ...kg.canonicalToNode.values(),
        ...kg.nodeToLabel.keys(),
      ])
        expect(kg.graph.hasNode(node)).toBe(true)
    }
  })

  it('never lets an alias override the exact name of another entity', async () => {
    const kg = await named({ a: ['Apple Inc', 'Apple'], b: ['Apple'] })
    expect(kg.queryEntityNodes(['Apple'])).toEqual(['ent:apple'])
    expect(kg.queryEntityNodes(['Apple Inc'])).toEqual(['ent:apple inc'])
    expect([...kg.docToEntities.get('a')!]).toEqual(['ent:apple inc'])
  })

  it(
    'merges USA and United States with an embedding linker into one node of both documents, ' +
      'and keeps two without',
    async () => {
      const names: NameReader = ({ text }) => [text]
      const embed = (forms: readonly string[]): number[][] =>
        forms.map((form) =>
          form === 'usa' ? [1, 0.1] : form === 'united states' ? [1, 0] : [0, 1],
        )
      const documents = [
        { id: 'a', text: 'USA' },
        { id: 'b', text: 'United States' },
        { id: 'c', text: 'France' },
      ]
      const merged = await buildEntityKG(documents, { names, linker: new EmbeddingLinker(embed) })
      expect([...merged.entityToDocs.get('ent:united states')!]).toEqual(['a', 'b'])
      expect(merged.queryEntityNodes(['USA', 'usa', 'U.S.A.', 'France'], false)).toEqual([
        'ent:united states',
        'ent:france',
      ])
      expect(merged.graph.hasNode('ent:usa')).toBe(false)
      const apart = await buildEntityKG(documents, { names })
      expect(apart.queryEntityNodes(['USA', 'United States'], false)).toEqual([
        'ent:usa',
        'ent:united states',
      ])
    },
  )

  it('keeps the predicates of relations on their edge, each once', () => {
    const relation = (
      predicate: string,
      documentId = 'a',
    ): { documentId: string; subject: string; predicate: string; object: string } => ({
      documentId,
      subject: 'Ann Lee',
      predicate,
      object: 'Acme',
    })
    const kg = assembleEntityKG(
      new Map([
        ['a', []],
        ['b', []],
      ]),
      {
        preset: 'relations',
        relations: [relation('founded'), relation('leads'), relation('founded', 'b')],
      },
    )
    expect(kg.graph.edge('ent:ann lee', 'ent:acme')!.attributes).toEqual({
      kind: 'relates',
      weight: 3,
      predicates: ['founded', 'leads'],
    })
    expect([...kg.entityToDocs.get('ent:acme')!]).toEqual(['a', 'b'])
    expect(() => assembleEntityKG(new Map(), { relations: [relation('founded')] })).toThrow(
      /not among the documents/,
    )
  })

  it('makes the same graph whatever the order of the documents', async () => {
    const sorted = async (documents: readonly DocumentInput[]): Promise<string> =>
      JSON.stringify(await buildEntityKG(documents))
    expect(await sorted([...FILMS].reverse())).toBe(await sorted(FILMS))
  })

  it('drops names that are too short or of another label', async () => {
    const names: NameReader = () => [
      { text: 'Ann Lee', label: 'PERSON' },
      { text: '1986', label: 'DATE' },
      'X',
      ' ',
      { text: 'Acme', label: 'ORG' },
    ]
    const kept = async (options: {
      labels?: string[]
      minEntityLength?: number
    }): Promise<string[]> => [
      ...(
        await buildEntityKG([{ id: 'a', text: 'text' }], { names, ...options })
      ).docToEntities.get('a')!,
    ]
    expect(await kept({})).toEqual(['ent:acme', 'ent:ann lee'])
    expect(await kept({ labels: ['PERSON'] })).toEqual(['ent:ann lee'])
    expect(await kept({ minEntityLength: 1 })).toEqual(['ent:acme', 'ent:ann lee', 'ent:x'])
    await expect(kept({ minEntityLength: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('labels the names of the rules when labels are asked for', async () => {
    const kg = await buildEntityKG(
      [{ id: 'a', text: 'The treaty was signed by Barack Obama in Paris.' }],
      { labels: ['PERSON'] },
    )
    expect([...kg.docToEntities.get('a')!]).toEqual(['ent:barack obama'])
  })

  it('takes names that are keys of Object.prototype, and documents without names', async () => {
    const kg = await named({ __proto__x: ['constructor', 'toString'], b: [] })
    expect(kg.queryEntityNodes(['constructor', 'hasOwnProperty'])).toEqual(['ent:constructor'])
    const empty = await buildEntityKG(['lower case only', { id: 'x', text: 'nothing here' }])
    expect(empty.graph.order).toBe(2)
    expect((await buildEntityKG([])).graph.order).toBe(0)
  })

  it('refuses to join thousands of names each with each, and stops at its signal', async () => {
    await expect(
      named({ a: Array.from({ length: 2001 }, (_, i) => `Name${i}`) }),
    ).rejects.toMatchObject({ code: 'input/too-large' })
    await expect(buildEntityKG(FILMS, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})

describe('EntityKG', () => {
  const kg = assembleEntityKG(
    new Map([
      ['a', ['zed', 'Scott Derrickson', 'New York', 'New York Times']],
      ['b', ['Faversham']],
    ]),
  )

  it('resolves by whole words only: Amazed is not zed', () => {
    expect(kg.queryEntityNodes(['Amazed', 'Yorkshire', 'zeds'])).toEqual([])
    expect(kg.queryEntityNodes(['the zed'])).toEqual(['ent:zed'])
  })

  it('prefers alias and exact name, then the longest label that shares the words', () => {
    expect(kg.queryEntityNodes(['new york'])).toEqual(['ent:new york times'])
    expect(kg.queryEntityNodes(['Derrickson'])).toEqual(['ent:scott derrickson'])
    expect(kg.queryEntityNodes(['Haymo of Faversham'])).toEqual(['ent:faversham'])
    expect(kg.queryEntityNodes(['Times'])).toEqual(['ent:new york times'])
    expect(kg.queryEntityNodes(['Derrickson'], false)).toEqual([])
  })

  it('gives each node once, in order of the mentions, and passes over nothing but punctuation', () => {
    expect(kg.queryEntityNodes(['zed', '?!', '', 'Faversham', 'ZED'])).toEqual([
      'ent:zed',
      'ent:faversham',
    ])
  })

  it('loads what was saved before aliases existed, with an empty alias map', () => {
    const old = JSON.stringify({ ...kg.toJSON(), alias_to_node: undefined })
    expect(old).not.toContain('alias_to_node')
    const loaded = EntityKG.fromJSON(JSON.parse(old))
    expect(loaded.aliasToNode.size).toBe(0)
    expect(loaded.queryEntityNodes(['Scott Derrickson'])).toEqual(['ent:scott derrickson'])
  })

  it('never gives a node that the graph does not hold, as hubmesh lists for absorbed names', () => {
    const json = kg.toJSON()
    const loaded = EntityKG.fromJSON({
      ...json,
      alias_to_node: undefined,
      entity_canonical_to_node: { ...json.entity_canonical_to_node, derrickson: 'ent:derrickson' },
    })
    expect(loaded.queryEntityNodes(['Derrickson'])).toEqual(['ent:scott derrickson'])
  })

  it('is saved and loaded without loss, keys such as __proto__ included', () => {
    const odd = assembleEntityKG(
      new Map([
        ['__proto__', ['__proto__', 'constructor']],
        ['é', ['日本']],
      ]),
    )
    const loaded = EntityKG.fromJSON(JSON.parse(JSON.stringify(odd)))
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(odd))
    expect(loaded.docToEntities.get('__proto__')).toEqual(odd.docToEntities.get('__proto__'))
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it.each([
    ['no object', null],
    ['a list', []],
    ['nodes that are no list', { ...kg.toJSON(), nodes: {} }],
    ['an edge to nowhere', { ...kg.toJSON(), edges: [['doc:a', 'ent:nobody', {}]] }],
    [
      'a weight that is no number',
      { ...kg.toJSON(), edges: [['doc:a', 'ent:zed', { weight: 'x' }]] },
    ],
    ['a negative weight', { ...kg.toJSON(), edges: [['doc:a', 'ent:zed', { weight: -1 }]] }],
    ['an alias that is no string', { ...kg.toJSON(), alias_to_node: { zed: 1 } }],
  ])('refuses %s', (_, value) => {
    expect(() => EntityKG.fromJSON(value)).toThrow(
      expect.objectContaining({ code: 'archive/invalid' }),
    )
  })
})

describe('linkers', () => {
  it('SubstringLinker merges into the longest form that holds the words, ties in order', async () => {
    const links = await new SubstringLinker().link([
      'Lee',
      'Bob Lee',
      'Ann Lee',
      'Scott Derrickson',
      'Derrickson!',
      'Lees',
      '?',
    ])
    expect(Object.fromEntries(links)).toEqual({
      Lee: 'ann lee',
      'Bob Lee': 'bob lee',
      'Ann Lee': 'ann lee',
      'Scott Derrickson': 'scott derrickson',
      'Derrickson!': 'scott derrickson',
      Lees: 'lees',
    })
  })

  it('EmbeddingLinker merges at .82 and above, and names a cluster by its longest form', async () => {
    const at = (cosine: number): number[] => [cosine, Math.sqrt(1 - cosine * cosine)]
    const vectors = new Map([
      ['the longest form', [1, 0]],
      ['near', at(0.83)],
      ['far', at(0.81)],
    ])
    const embed = (forms: readonly string[]): number[][] => forms.map((form) => vectors.get(form)!)
    const linker = new EmbeddingLinker(embed)
    expect(linker.threshold).toBe(0.82)
    expect(Object.fromEntries(await linker.link(['far', 'Near', 'the longest form']))).toEqual({
      far: 'far',
      Near: 'the longest form',
      'the longest form': 'the longest form',
    })
    expect(
      (await new EmbeddingLinker(embed, { threshold: 0.8 }).link([...vectors.keys()])).get('far'),
    ).toBe('the longest form')
  })

  it('EmbeddingLinker refuses vectors that cannot be compared, and impossible thresholds', async () => {
    for (const vectors of [
      [
        [1, NaN],
        [0, 1],
      ],
      [[1, 0], [1]],
      [[1, 0]],
      [
        [0, 0],
        [1, 0],
      ],
    ]) {
      await expect(new EmbeddingLinker(() => vectors).link(['a', 'b'])).rejects.toMatchObject({
        code: 'input/invalid',
      })
    }
    expect(() => new EmbeddingLinker(() => [], { threshold: 0 })).toThrow(/threshold/)
    await expect(
      new EmbeddingLinker(() => []).link(['a'], { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'aborted' })
  })
})
