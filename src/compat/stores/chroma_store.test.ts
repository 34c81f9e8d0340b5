/**
 * The tests of the store on a real Chroma server, and of the answers that only a double gives.
 * Where Chroma does not run, the reason is printed.
 */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { ChromaStore } from './chroma_store.ts'
import type { ChromaStoreOptions } from './chroma_store.ts'
import { startChroma } from './remote/testing/chroma_server.ts'
import { faultyServer } from './remote/testing/faulty_server.ts'
import type { FaultyServer, HttpAnswer } from './remote/testing/faulty_server.ts'
import { describeVectorStore, sampleDocuments } from './vector_store.contract.ts'

const server = await startChroma()
if ('missing' in server)
  console.log(`No Chroma server on this platform, so its tests are skipped: ${server.missing}`)
else console.log(`Chroma server ${server.version} runs`)

let collections = 0
const fresh = (): string => `papers-${collections++}`

describe.skipIf('missing' in server)('on a real server', () => {
  if ('missing' in server) return
  afterAll(() => server.close())
  const at = (more: Partial<ChromaStoreOptions> = {}): ChromaStoreOptions => ({
    url: server.url,
    collection: fresh(),
    ...more,
  })

  describeVectorStore(
    'Chroma store',
    async (documents) => await ChromaStore.fromDocuments(documents, at()),
  )
  describeVectorStore(
    'Chroma store without a cache, in small batches',
    async (documents) =>
      await ChromaStore.fromDocuments(documents, at({ cacheVectors: false, batchSize: 7 })),
  )

  it(
    'is empty while its collection does not exist, and learns the length of vectors from the ' +
      'first document',
    async () => {
      const options = at(),
        store = await ChromaStore.open(options)
      expect([
        store.dim,
        await store.allIds(),
        await store.search([1, 2], 3),
        await store.get('a'),
        await store.neighbors('a'),
      ]).toEqual([0, [], [], null, []])
      await store.upsert(sampleDocuments(3))
      expect(store.dim).toBe(12)
      const again = await ChromaStore.open(options)
      expect([again.dim, (await again.allIds()).length]).toEqual([12, 3])
      await expect(again.upsert([{ id: 'x', text: 'x', vector: [1, 2] }])).rejects.toMatchObject({
        code: 'input/invalid',
        details: { id: 'x', length: 2, dims: 12 },
      })
      await expect(again.search([1, 2], 1)).rejects.toMatchObject({ code: 'input/invalid' })
    },
  )

  it('replaces a document with the same id and takes documents out', async () => {
    const [a, b, c] = sampleDocuments(3),
      store = await ChromaStore.fromDocuments([a!, b!], at())
    await store.upsert([
      { ...a!, text: 'another text', vector: b!.vector, metadata: { on: 'new' } },
    ])
    expect(await store.get(a!.id)).toMatchObject({ text: 'another text', metadata: { on: 'new' } })
    // The tags of the old metadata are gone.
    expect(await store.search(b!.vector, 5, { filter: { on: true } })).toEqual([])
    expect(
      (await store.search(b!.vector, 5, { filter: { on: 'new' } })).map((hit) => hit.id),
    ).toEqual([a!.id])
    await store.remove([a!.id, c!.id])
    expect(await store.allIds()).toEqual([b!.id])
    expect(await store.vectorOf(a!.id)).toBeNull()
  })

  it('lists collections of more than one page', async () => {
    const documents = Array.from({ length: 1100 }, (_, i) => ({
      id: `d${i}`,
      text: 'x',
      vector: [1 + i, 1, i % 7],
    }))
    const store = await ChromaStore.fromDocuments(documents, at({ batchSize: 550 }))
    expect(new Set(await store.allIds()).size).toBe(1100)
    expect((await store.neighbors('d5', 20)).length).toBe(20)
  })

  it('refuses a collection with another distance, and leaves alone one that another program filled', async () => {
    const { ChromaClient } = await import('chromadb')
    const client = new ChromaClient({
      host: '127.0.0.1',
      port: Number(new URL(server.url).port),
      tenant: 'default_tenant',
      database: 'default_database',
    })
    await client.createCollection({ name: 'by-l2', embeddingFunction: null })
    await expect(ChromaStore.open(at({ collection: 'by-l2' }))).rejects.toMatchObject({
      code: 'input/conflict',
    })
    const old = await client.createCollection({
      name: 'old',
      embeddingFunction: null,
      configuration: { hnsw: { space: 'cosine' } },
    })
    await old.add({
      ids: ['p0', 'p1', 'p2'],
      embeddings: [
        [1, 0],
        [1, 1],
        [1, 2],
      ],
      documents: ['t0', 't1', 't2'],
      metadatas: [2000, 2001, 2002].map((year, i) => ({ text: `t${i}`, year })),
    })
    const store = await ChromaStore.open(at({ collection: 'old' }))
    expect(await store.get('p1')).toMatchObject({ text: 't1', title: '', metadata: { year: 2001 } })
    expect(
      (await store.search([1, 0], 2, { filter: { year: { gte: 2001 } } })).map((hit) => hit.id),
    ).toEqual(['p1', 'p2'])
    await expect(store.upsert([{ id: 'p1', text: 'mine', vector: [1, 1] }])).rejects.toMatchObject({
      code: 'input/conflict',
    })
  })

  it('tells how far it got when the server dies in the middle, and goes on when it is back', async () => {
    const documents = sampleDocuments(40),
      options = at({ batchSize: 10 }),
      store = await ChromaStore.open(options)
    const killed: Promise<void>[] = []
    await expect(
      store.upsert(documents, {
        onProgress: ({ done }) => {
          if (done === 20) killed.push(server.kill())
        },
      }),
    ).rejects.toMatchObject({
      code: 'remote/unavailable',
      retryable: true,
      details: { of: 40, confirmed: expect.any(Number) as number },
    })
    await Promise.all(killed)
    await expect(store.search(documents[0]!.vector, 3)).rejects.toMatchObject({
      code: 'remote/unavailable',
    })
    expect(await store.vectorOf(documents[0]!.id)).toHaveLength(12)
    await server.restart()
    const back = await ChromaStore.open(options)
    expect((await back.allIds()).length).toBeGreaterThanOrEqual(20)
    await store.upsert(documents)
    expect((await back.allIds()).length).toBe(40)
  })
})

describe('against a double', () => {
  const doubles: FaultyServer[] = []
  afterEach(async () => {
    for (const double of doubles.splice(0)) await double.close()
  })
  const ok = (body: unknown): HttpAnswer => ({ status: 200, body })
  const serve = async (token?: string): Promise<FaultyServer> => {
    const double = await faultyServer((request) => {
      if (token !== undefined && request.headers['x-chroma-token'] !== token)
        return { status: 401, body: { error: 'Unauthorized' } }
      if (request.path.endsWith('/collections/c'))
        return ok({
          id: 'abc',
          name: 'c',
          tenant: 't',
          database: 'd',
          configuration_json: { hnsw: { space: 'cosine' } },
          metadata: null,
          dimension: 2,
          version: 1,
          log_position: 1,
        })
      if (request.path.endsWith('/get'))
        return ok({
          ids: ['a'],
          include: [],
          metadatas: [{ hubmesh_metadata: '{}' }],
          embeddings: [[1, 0]],
          documents: ['t'],
        })
      if (request.path.endsWith('/count')) return ok(1)
      if (request.path.endsWith('/query'))
        return ok({ ids: [['a']], distances: [[0.25]], include: ['distances'] })
      return { status: 404, body: { error: 'NotFoundError', message: 'not there' } }
    })
    doubles.push(double)
    return double
  }

  it('says that the key is refused, and never prints it', async () => {
    const double = await serve('correct')
    await expect(ChromaStore.open({ url: double.url, collection: 'c' })).rejects.toMatchObject({
      code: 'remote/auth',
    })
    await expect(
      ChromaStore.open({ url: double.url, collection: 'c', apiKey: 'wrong' }),
    ).rejects.toMatchObject({
      code: 'remote/auth',
      message: expect.not.stringContaining('wrong') as string,
    })
    const store = await ChromaStore.open({ url: double.url, collection: 'c', apiKey: 'correct' })
    expect(await store.search([1, 0], 1)).toEqual([{ id: 'a', score: 0.75 }])
  })

  it('names each way in which an answer can fail', async () => {
    const double = await serve(),
      store = await ChromaStore.open({ url: double.url, collection: 'c' })
    for (const [answer, code] of [
      ['drop', 'remote/unavailable'],
      ['drop inside', 'remote/unavailable'],
      [{ status: 503, body: 'busy' }, 'remote/unavailable'],
      [{ status: 429, body: {} }, 'remote/unavailable'],
      [{ status: 403, body: {} }, 'remote/auth'],
      [{ status: 400, body: { message: 'no' } }, 'remote/invalid'],
      [ok('<html>'), 'remote/invalid'],
      [ok({ ids: 1 }), 'remote/invalid'],
      [ok({ ids: [['a']], distances: [['near']], include: [] }), 'remote/invalid'],
    ] as const) {
      double.next(answer)
      await expect(store.search([1, 0], 1), JSON.stringify(answer)).rejects.toMatchObject({ code })
    }
    expect((await store.search([1, 0], 1)).length).toBe(1)
  })

  it('says so when the index gives fewer hits than there are records', async () => {
    const double = await serve(),
      store = await ChromaStore.open({ url: double.url, collection: 'c' })
    // The record, the hits, the count.
    double.next(null, null, ok(5))
    await expect(store.neighbors('a', 3)).rejects.toMatchObject({
      code: 'remote/invalid',
      details: { given: 1, wanted: 4 },
    })
  })

  it('gives up at the deadline and when cancelled, and lets go of the request', async () => {
    const double = await serve(),
      store = await ChromaStore.open({ url: double.url, collection: 'c', timeoutMs: 150 })
    double.next('hang')
    await expect(store.search([1, 0], 1)).rejects.toMatchObject({ code: 'remote/timeout' })
    await vi.waitFor(() => {
      expect(double.abandoned()).toBe(1)
    })
    const controller = new AbortController()
    double.next('hang')
    const asked = store.search([1, 0], 1, { signal: controller.signal })
    controller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
  })
})
