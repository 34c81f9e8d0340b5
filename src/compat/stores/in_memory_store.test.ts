/** The tests of the store in memory. */
import { expect, it } from 'vitest'
import type { Embedder } from '../../embed/embedder.ts'
import { InMemoryStore } from './in_memory_store.ts'
import { describeVectorStore, sampleDocuments } from './vector_store.contract.ts'

describeVectorStore('in-memory store', (documents) => Promise.resolve(new InMemoryStore(documents)))
describeVectorStore('in-memory store over HNSW', (documents) =>
  Promise.resolve(new InMemoryStore(documents, { index: 'hnsw' })),
)

function embedder(embed: Embedder['embed']): Embedder {
  return {
    identity: { model: 'lengths', revision: '1', dtype: 'f32', dims: 2, pooling: 'none' },
    embed,
    close: () => Promise.resolve(),
  }
}

it('is empty and answers with nothing when given nothing', async () => {
  const store = new InMemoryStore([])
  expect([
    store.dim,
    await store.allIds(),
    await store.search([1, 2], 3),
    await store.get('a'),
    await store.neighbors('a'),
  ]).toEqual([0, [], [], null, []])
})

it('takes texts, objects and documents, and embeds those without a vector', async () => {
  const asked: string[] = []
  const store = await InMemoryStore.fromDocuments(
    [
      'plain',
      { id: 'b', title: 'T', text: 'object' },
      { id: 'c', text: 'whole', vector: [0, 1], metadata: { a: 1 } },
    ],
    {
      embedder: embedder((texts, options) => {
        expect(options.kind).toBe('passage')
        asked.push(...texts)
        return Promise.resolve(texts.map((text) => Float32Array.of(text.length, 1)))
      }),
    },
  )
  expect(asked).toEqual(['plain', 'T\nobject'])
  expect((await store.allIds()).length).toBe(3)
  expect(await store.get('c')).toMatchObject({ metadata: { a: 1 }, vector: Float32Array.of(0, 1) })
})

it('says which document has no vector when there is nobody to make it', async () => {
  await expect(InMemoryStore.fromDocuments(['plain'])).rejects.toMatchObject({
    code: 'input/invalid',
  })
  expect(() => new InMemoryStore([{ id: 'x', text: 'no vector' }])).toThrow(
    "Document 'x' has no vector",
  )
})

it('refuses an embedder that gives too few vectors', async () => {
  await expect(
    InMemoryStore.fromDocuments(['one', 'two'], {
      embedder: embedder(() => Promise.resolve([Float32Array.of(1, 0)])),
    }),
  ).rejects.toMatchObject({ code: 'input/invalid' })
})

it('refuses vectors of several lengths, one id with two texts, and a k that is none', () => {
  const [a, b] = sampleDocuments(2)
  expect(() => new InMemoryStore([a!, { ...b!, vector: [1, 2] }])).toThrow('cannot be compared')
  expect(() => new InMemoryStore([a!, { ...b!, id: a!.id }])).toThrow(
    expect.objectContaining({ code: 'input/conflict' }),
  )
  expect(() => new InMemoryStore([], { k: 1.5 })).toThrow(
    expect.objectContaining({ code: 'input/invalid' }),
  )
})

it('gives as many neighbours as it was told to', async () => {
  const store = new InMemoryStore(sampleDocuments(9), { k: 4 })
  expect((await store.neighbors('7')).length).toBe(4)
})

it('gives the same answers for whatever order the documents came in', async () => {
  const documents = sampleDocuments()
  const [straight, reversed] = [
    new InMemoryStore(documents),
    new InMemoryStore([...documents].reverse()),
  ]
  expect(await straight.search(documents[0]!.vector, 20)).toEqual(
    await reversed.search(documents[0]!.vector, 20),
  )
})

it('does not follow later changes of what it was given', async () => {
  const vector = Float32Array.of(1, 0)
  const store = new InMemoryStore([{ id: 'a', text: 't', vector }])
  vector.fill(9)
  expect(await store.vectorOf('a')).toEqual(Float32Array.of(1, 0))
})

it('can be closed while its index is being made', async () => {
  const store = new InMemoryStore(sampleDocuments(3))
  const asked = store.allIds()
  await store.close()
  await expect(asked).rejects.toMatchObject({ code: 'store/closed' })
})

it('takes a function as embedder, and refuses options it does not know', async () => {
  const asked: string[] = []
  const embedder = (text: string): number[] => {
    asked.push(text)
    return [text.length, 1]
  }
  const store = await InMemoryStore.fromDocuments(['one', 'three'], { embedder })
  expect(asked).toEqual(['one', 'three'])
  expect(store.dim).toBe(2)
  await expect(
    InMemoryStore.fromDocuments(['one'], { embeder: embedder } as never),
  ).rejects.toMatchObject({ code: 'input/invalid', details: { nearest: 'embedder' } })
})
