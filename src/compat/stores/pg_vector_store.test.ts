import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PgVectorStore, type PgClient, type PgVectorStoreOptions } from './pg_vector_store.ts'
import { describeVectorStore, sampleDocuments } from './vector_store.contract.ts'

/** PostgreSQL and pgvector themselves, compiled to wasm. */
let server: PGlite
let tables = 0
beforeAll(async () => {
  server = await PGlite.create({ extensions: { vector } })
}, 60_000) // compiling PostgreSQL's wasm takes ten seconds on a busy machine
afterAll(() => server.close())
const options = (more: Partial<PgVectorStoreOptions> = {}): PgVectorStoreOptions => ({
  client: server,
  table: `papers_${++tables}`,
  ...more,
})

describeVectorStore('PgVectorStore', (documents) =>
  PgVectorStore.fromDocuments(documents, options()),
)
describeVectorStore('PgVectorStore without a cache, in batches of 7', (documents) =>
  PgVectorStore.fromDocuments(documents, options({ cacheVectors: false, batchSize: 7 })),
)

describe('PgVectorStore', () => {
  it('is empty until its table exists, then takes the length of the first vector', async () => {
    const store = await PgVectorStore.open(options())
    expect([store.dim, await store.allIds(), await store.search([1, 2], 3)]).toEqual([0, [], []])
    await store.upsert(sampleDocuments(3))
    expect(store.dim).toBe(12)
    expect(await store.allIds()).toHaveLength(3)
  })

  it('replaces by id, removes, counts its writes, and opens again', async () => {
    const where = options()
    const store = await PgVectorStore.fromDocuments(sampleDocuments(5), where)
    const before = store.mutationCounter
    const [first, second] = sampleDocuments(5)
    await store.upsert([{ ...first!, text: 'another text' }])
    expect(store.mutationCounter).toBeGreaterThan(before)
    await store.remove([second!.id, 'unknown'])
    const again = await PgVectorStore.open(where)
    expect((await again.get(first!.id))!.text).toBe('another text')
    expect(await again.allIds()).toHaveLength(4)
    expect(again.dim).toBe(12)
  })

  it('refuses a name, a client, an option and a table it cannot use', async () => {
    for (const table of ['', 'a b', 'x; DROP TABLE y', 'a.b.c', '"quoted"'])
      await expect(PgVectorStore.open(options({ table }))).rejects.toMatchObject({
        code: 'input/invalid',
        details: { option: 'table' },
      })
    await expect(PgVectorStore.open(options({ client: {} as PgClient }))).rejects.toMatchObject({
      code: 'input/invalid',
      details: { option: 'client' },
    })
    await expect(
      PgVectorStore.open({ ...options(), tabel: 'x' } as PgVectorStoreOptions),
    ).rejects.toMatchObject({ code: 'input/invalid', details: { nearest: 'table' } })
    await server.query('CREATE TABLE others (id int)')
    await expect(PgVectorStore.open(options({ table: 'others' }))).rejects.toMatchObject({
      code: 'input/conflict',
    })
  })

  it('stores hostile texts as they are, and refuses what PostgreSQL cannot hold', async () => {
    const [one] = sampleDocuments(1)
    const text = `'); DROP TABLE papers; -- $1 \\ "quoted" \u2028 🙂`
    const store = await PgVectorStore.fromDocuments([{ ...one!, text, title: text }], options())
    expect(await store.get(one!.id)).toMatchObject({ text, title: text })
    await expect(store.upsert([{ ...one!, text: 'a\0b' }])).rejects.toMatchObject({
      code: 'input/invalid',
    })
  })

  it('names what the server refuses, and a connection that is gone', async () => {
    const failing = (code: string): PgClient => ({
      query: () => Promise.reject(Object.assign(new Error('refused'), { code })),
    })
    for (const [code, named] of [
      ['28P01', 'remote/auth'],
      ['42501', 'remote/auth'],
      ['ECONNREFUSED', 'remote/unavailable'],
      ['08006', 'remote/unavailable'],
      ['53300', 'remote/unavailable'],
      ['42P01', 'remote/invalid'],
    ] as const)
      await expect(PgVectorStore.open(options({ client: failing(code) }))).rejects.toMatchObject({
        code: named,
      })
    const silent: PgClient = { query: () => new Promise(() => undefined) }
    await expect(
      PgVectorStore.open(options({ client: silent, timeoutMs: 20 })),
    ).rejects.toMatchObject({ code: 'remote/timeout' })
  })

  it('answers through an HNSW index too', async () => {
    const documents = sampleDocuments(40)
    const store = await PgVectorStore.fromDocuments(documents, options({ index: 'hnsw' }))
    expect((await store.search(documents[7]!.vector, 1))[0]!.id).toBe(documents[7]!.id)
  })
})
