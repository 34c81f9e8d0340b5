import { describe, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { createEngine } from '../node.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { SearchOptions } from '../types.ts'

const documents = [
  { id: 'a', text: 'Oslo lies on a fjord.' },
  { id: 'b', text: 'Lyon has two rivers.' },
  { id: 'c', text: 'Rome was not built in a day.' },
]

it('words alone find what has one of them, and nothing else', async () => {
  const engine = await openTestEngine(documents)
  const ids = async (query: string, mode: 'lexical' | 'hybrid'): Promise<string[]> =>
    (await engine.search(query, { mode })).map(({ documentId }) => documentId)
  for (const mode of ['lexical', 'hybrid'] as const) {
    expect(await ids('oslo', mode)).toEqual(['a'])
    expect(await ids('xyzzy', mode)).toEqual([])
  }
})

it('meaning ranks every passage that has a vector', async () => {
  const engine = await openTestEngine(documents, { embedder: new HashingEmbedder() })
  await engine.ready('vectors')
  for (const mode of ['dense', 'hybrid'] as const)
    expect(await engine.search('xyzzy', { mode })).toHaveLength(3)
  expect(await engine.search('xyzzy', { mode: 'lexical' })).toEqual([])
})

describe('pages, order and counts by metadata', () => {
  const films = [
    { id: 'a', text: 'A film of the sea.', metadata: { year: 1994, tags: ['sea', 'ship'] } },
    { id: 'b', text: 'A film of the sea and the sea.', metadata: { year: 2003, tags: ['sea'] } },
    { id: 'c', text: 'A film.', metadata: { place: { town: 'Oslo' } } },
    { id: 'd', text: 'A play.', metadata: { year: 'unknown', tags: [] } },
    { id: 'e', text: 'A film of a ship at sea.', metadata: { year: 1994, seen: null } },
  ]
  const search = async (query: string, options: SearchOptions = {}): Promise<string> => {
    const engine = await openTestEngine(films)
    return (await engine.search(query, { mode: 'lexical', ...options }))
      .map(({ documentId }) => documentId)
      .join('')
  }

  it('an offset goes on where the page before ended', async () => {
    const all = await search('film sea')
    expect(all).toHaveLength(4)
    const pages = [0, 1, 2, 3, 4].map((offset) => search('film sea', { offset, topK: 1 }))
    expect((await Promise.all(pages)).join('')).toBe(all)
  })

  it('sorts by fields: numbers, then texts, then what lacks it, equal ones by score', async () => {
    const asc = await search('film play', { sort: [{ field: 'year' }] }),
      desc = await search('film play', { sort: [{ field: 'year', order: 'desc' }] })
    expect([asc.slice(-3), desc.at(-1)]).toEqual(['bdc', 'c'])
    expect([desc.slice(0, 2), asc.slice(0, 2)]).toEqual(['db', desc.slice(2, 4)])
    expect(await search('film', { sort: [{ field: 'place.town' }], topK: 1 })).toBe('c')
  })

  it('counts documents by value, of all or of those with a word of the question', async () => {
    const engine = await openTestEngine(films)
    expect(await engine.facets(['year', 'tags', 'place.town', 'seen'])).toEqual([
      {
        field: 'year',
        values: [
          { value: 1994, documents: 2 },
          { value: 2003, documents: 1 },
          { value: 'unknown', documents: 1 },
        ],
        total: 3,
      },
      {
        field: 'tags',
        values: [
          { value: 'sea', documents: 2 },
          { value: 'ship', documents: 1 },
        ],
        total: 2,
      },
      { field: 'place.town', values: [{ value: 'Oslo', documents: 1 }], total: 1 },
      { field: 'seen', values: [{ value: null, documents: 1 }], total: 1 },
    ])
    const filter = { year: { lt: 2000 } }
    expect(await engine.facets(['year'], { query: 'the ship', filter, limit: 1 })).toEqual([
      { field: 'year', values: [{ value: 1994, documents: 1 }], total: 1 },
    ])
  })

  it.each([
    ['a sort that is no list', { sort: 'year' }, /Use a list such as/],
    ['an order of another name', { sort: [{ field: 'year', order: 'down' }] }, /Use a list such/],
    ['a page beyond the best thousand', { offset: 995 }, /offset/],
  ])('refuses %s', async (_name, options, message) => {
    await expect(search('film', options as SearchOptions)).rejects.toMatchObject({
      code: 'input/invalid',
      message: expect.stringMatching(message) as string,
    })
  })
})

it('perDocument bounds the passages of one document among sources and context', async () => {
  const engine = await createEngine({ corpus: 'bounded', chunk: { tokens: 40 } })
  try {
    const talk = (n: number): string => `Harbour dues of berth ${n} are paid in spring, as written.`
    await engine.add([
      { id: 'long', text: Array.from({ length: 24 }, (_, n) => talk(n)).join(' ') },
      { id: 'short', text: 'Harbour dues are owed.' },
    ])
    const ids = (sources: readonly { documentId: string }[]): string[] =>
      sources.map(({ documentId }) => documentId)
    const question = 'When are harbour dues paid?'
    const all = await engine.retrieve(question, { topK: 4 }),
      two = await engine.retrieve(question, { topK: 4, perDocument: 2, fill: true })
    expect(new Set(ids(all.sources)).size).toBeLessThan(4)
    expect([ids(two.sources).filter((id) => id === 'long').length, two.sources.length]).toEqual([
      ...[2, 3],
    ])
    const places = new Set(two.sources.map(({ documentId, start }) => `${documentId} ${start}`))
    expect(two.blocks.length).toBeLessThanOrEqual(places.size)
    expect(ids(await engine.search(question, { perDocument: 1 })).sort()).toEqual(['long', 'short'])
    await expect(engine.search(question, { perDocument: 0 })).rejects.toThrow('from 1 to 1000')
  } finally {
    await engine.close()
  }
})
