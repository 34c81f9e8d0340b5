/**
 * The tests of the store on Qdrant: no server of Qdrant's can be installed as a package, so a
 * double stands in, checked against Qdrant's published description.
 */
import { afterEach, expect, it, vi } from 'vitest'
import { QdrantStore } from './qdrant_store.ts'
import type { QdrantStoreOptions } from './qdrant_store.ts'
import { qdrantDouble } from './remote/testing/qdrant_double.ts'
import type { QdrantDouble, QdrantDoubleOptions } from './remote/testing/qdrant_double.ts'
import { describeVectorStore, sampleDocuments } from './vector_store.contract.ts'

const servers: QdrantDouble[] = []

async function serve(options?: QdrantDoubleOptions): Promise<QdrantDouble> {
  const server = await qdrantDouble(options)
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    await server.close()
    expect(server.misfits).toEqual([])
  }
})

const at = (server: QdrantDouble, more: Partial<QdrantStoreOptions> = {}): QdrantStoreOptions => ({
  url: server.url,
  collection: 'papers & notes',
  ...more,
})

describeVectorStore(
  'Qdrant store',
  async (documents) => await QdrantStore.fromDocuments(documents, at(await serve())),
)
describeVectorStore(
  'Qdrant store over an index that overlooks, without a cache',
  async (documents) =>
    await QdrantStore.fromDocuments(
      documents,
      at(await serve({ overlooks: 7 }), { cacheVectors: false, batchSize: 7 }),
    ),
)

it(
  'is empty while its collection does not exist, and learns the length of vectors from the ' +
    'first document',
  async () => {
    const server = await serve(),
      store = await QdrantStore.open(at(server))
    expect([
      store.dim,
      await store.allIds(),
      await store.search([1, 2], 3),
      await store.get('a'),
      await store.neighbors('a'),
    ]).toEqual([0, [], [], null, []])
    await store.upsert(sampleDocuments(3))
    expect(store.dim).toBe(12)
    expect((await QdrantStore.open(at(server))).dim).toBe(12)
    await store.upsert([])
  },
)

it('replaces a document with the same id and takes documents out', async () => {
  const server = await serve(),
    [a, b, c] = sampleDocuments(3)
  const store = await QdrantStore.fromDocuments([a!, b!], at(server))
  await store.upsert([{ ...a!, text: 'another text', vector: b!.vector }])
  expect(await store.get(a!.id)).toMatchObject({ text: 'another text' })
  expect((await store.search(b!.vector, 2)).map((hit) => hit.score)).toEqual(
    [1, 1].map((x) => expect.closeTo(x, 5) as number),
  )
  await store.remove([a!.id, c!.id])
  expect(await store.allIds()).toEqual([b!.id])
  expect(await store.vectorOf(a!.id)).toBeNull()
})

it('lists collections of more than one page', async () => {
  const documents = Array.from({ length: 2100 }, (_, i) => ({
    id: `d${i}`,
    text: 'x',
    vector: [1 + i, 1],
  }))
  const store = await QdrantStore.fromDocuments(documents, at(await serve(), { batchSize: 700 }))
  expect(new Set(await store.allIds()).size).toBe(2100)
  expect(
    (await store.getMany(documents.map((document) => document.id))).filter(
      (found) => found === null,
    ),
  ).toEqual([])
})

it('refuses vectors of another length before anything is sent', async () => {
  const server = await serve(),
    store = await QdrantStore.fromDocuments(sampleDocuments(2), at(server))
  const sent = server.requests.length
  await expect(store.upsert([{ id: 'x', text: 'x', vector: [1, 2] }])).rejects.toMatchObject({
    code: 'input/invalid',
    details: { id: 'x', length: 2, dims: 12 },
  })
  await expect(store.upsert([{ id: 'x', text: 'x' }])).rejects.toMatchObject({
    code: 'input/invalid',
  })
  await expect(
    store.upsert([{ id: 'x', text: 'half a pair \ud800', vector: new Array<number>(12).fill(1) }]),
  ).rejects.toMatchObject({ code: 'input/invalid' })
  expect(server.requests.length).toBe(sent)
})

it('says that the key is refused, and never prints it', async () => {
  const server = await serve({ apiKey: 'correct' }),
    printed = vi.spyOn(console, 'warn')
  await expect(QdrantStore.open(at(server))).rejects.toMatchObject({
    code: 'remote/auth',
    details: { status: 401 },
  })
  await expect(QdrantStore.open(at(server, { apiKey: 'wrong' }))).rejects.toMatchObject({
    code: 'remote/auth',
    message: expect.not.stringContaining('wrong') as string,
  })
  const store = await QdrantStore.fromDocuments(
    sampleDocuments(2),
    at(server, { apiKey: 'correct' }),
  )
  expect((await store.allIds()).length).toBe(2)
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

it('tells how far it got when the server dies in the middle, and goes on when it is back', async () => {
  const server = await serve(),
    documents = sampleDocuments(40),
    store = await QdrantStore.open(at(server, { batchSize: 10 }))
  const steps: number[] = []
  server.next(null, null, null, null, null, 'drop')
  await expect(
    store.upsert(documents, { onProgress: ({ done }) => steps.push(done) }),
  ).rejects.toMatchObject({
    code: 'remote/unavailable',
    retryable: true,
    details: { confirmed: 20, of: 40 },
  })
  expect(steps).toEqual([10, 20])
  expect((await store.allIds()).length).toBe(20)
  await store.upsert(documents)
  expect((await store.allIds()).length).toBe(40)
  await server.close()
  await expect(store.search(documents[0]!.vector, 3)).rejects.toMatchObject({
    code: 'remote/unavailable',
  })
  // What the server confirmed is still at hand.
  expect(await store.vectorOf(documents[0]!.id)).toHaveLength(12)
})

it('names each way in which an answer can fail', async () => {
  const server = await serve(),
    [a] = sampleDocuments(2),
    store = await QdrantStore.fromDocuments(sampleDocuments(2), at(server))
  for (const [answer, code] of [
    ['drop', 'remote/unavailable'],
    ['drop inside', 'remote/unavailable'],
    [{ status: 503, body: 'busy' }, 'remote/unavailable'],
    [
      { status: 429, body: { status: { error: 'slow down' } }, headers: { 'retry-after': '3' } },
      'remote/unavailable',
    ],
    [{ status: 403, body: {} }, 'remote/auth'],
    [{ status: 400, body: { status: { error: 'no' } } }, 'remote/invalid'],
    [{ status: 200, body: '<html>' }, 'remote/invalid'],
    [{ status: 200, body: { result: { points: 1 } } }, 'remote/invalid'],
    [
      {
        status: 200,
        body: { result: { points: [{ id: 1, score: 'high', payload: { hubmesh_id: 'a' } }] } },
      },
      'remote/invalid',
    ],
    [{ status: 200, body: { result: { points: [{ id: 1, score: 1 }] } } }, 'remote/invalid'],
  ] as const) {
    server.next(answer)
    await expect(store.search(a!.vector, 1), JSON.stringify(answer)).rejects.toMatchObject({ code })
  }
  expect((await store.search(a!.vector, 1))[0]!.id).toBe(a!.id)
})

it('gives up at the deadline and when cancelled, and lets go of the request', async () => {
  const server = await serve(),
    [a] = sampleDocuments(1),
    store = await QdrantStore.fromDocuments([a!], at(server, { timeoutMs: 150 }))
  server.next('hang')
  await expect(store.search(a!.vector, 1)).rejects.toMatchObject({
    code: 'remote/timeout',
    details: { timeoutMs: 150 },
  })
  await vi.waitFor(() => {
    expect(server.abandoned()).toBe(1)
  })
  const patient = await QdrantStore.open(at(server)),
    controller = new AbortController()
  server.next('hang')
  const asked = patient.search(a!.vector, 1, { signal: controller.signal })
  controller.abort()
  await expect(asked).rejects.toMatchObject({ code: 'aborted' })
})

it('reads a collection that the Python package filled, and leaves it alone', async () => {
  const server = await serve()
  const points = [0, 1, 2].map((i) => ({
    id: `0000000${i}-0000-8000-a000-000000000000`,
    vector: [1, i],
    payload: { hubmesh_id: `p${i}`, text: `text ${i}`, meta_year: 2000 + i },
  }))
  server.collections.set('old', {
    size: 2,
    points: new Map(points.map((point) => [point.id, point])),
  })
  const store = await QdrantStore.open(at(server, { collection: 'old' }))
  expect(await store.get('p1')).toMatchObject({
    text: 'text 1',
    title: '',
    metadata: { year: 2001 },
  })
  expect(
    (await store.search([1, 0], 2, { filter: { year: { gte: 2001 } } })).map((hit) => hit.id),
  ).toEqual(['p1', 'p2'])
  expect((await store.neighbors('p0', 2)).map((hit) => hit.id)).toEqual(['p1', 'p2'])
  await expect(store.upsert([{ id: 'p1', text: 'mine', vector: [1, 1] }])).rejects.toMatchObject({
    code: 'input/conflict',
  })
})

it('refuses options it could not work with', async () => {
  for (const bad of [
    { url: 'ftp://x' },
    { url: 'nonsense' },
    { timeoutMs: 0 },
    { timeoutMs: NaN },
    { k: -1 },
  ])
    await expect(
      QdrantStore.open({ url: 'http://127.0.0.1:1', collection: 'c', ...bad }),
      JSON.stringify(bad),
    ).rejects.toMatchObject({ code: 'input/invalid' })
  await expect(
    QdrantStore.open({ url: 'http://127.0.0.1:1', collection: 'c' }),
  ).rejects.toMatchObject({ code: 'remote/unavailable' })
})

it('lets its double notice what the description of Qdrant does not know', async () => {
  const server = await serve()
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}/collections/c${path}`, {
      method: path === '' ? 'PUT' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('', { vectors: { size: 2, distance: 'cosine' } })
  await post('/points/query', { query: [1, 0], limit: -1 })
  await post('/points/query', { query: [1, 0], topK: 1 })
  await post('/points/scroll', { filter: { must: [{ key: 'a', match: { anyOf: [1] } }] } })
  for (const place of [
    'request.vectors.distance',
    'request.limit',
    'request.topK',
    'request.filter.must',
  ])
    expect(
      server.misfits.some((misfit) => misfit.includes(place)),
      place,
    ).toBe(true)
  ;(server.misfits as string[]).length = 0
})
