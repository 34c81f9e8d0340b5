import { afterEach, expect, it, vi } from 'vitest'
import { a, open, setUp } from '../testing/indexeddb_harness.ts'
import {
  IDENTITY,
  allDocuments,
  allVectors,
  sampleDocument,
  sampleRow,
} from '../testing/storage_samples.ts'

setUp()
afterEach(() => {
  vi.restoreAllMocks()
})

/** Stores of which all keys or all values are read while `work` runs. */
async function sweptBy(work: () => Promise<unknown>): Promise<string[]> {
  const swept: string[] = []
  for (const name of ['getAllKeys', 'getAll'] as const) {
    const real = IDBObjectStore.prototype[name]
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (
      this: IDBObjectStore,
      ...range
    ) {
      swept.push(this.name)
      return real.apply(this, range)
    })
  }
  await work()
  vi.restoreAllMocks()
  return swept
}

const documents = Array.from({ length: 400 }, (_, i) =>
  sampleDocument(`d${String(i).padStart(3, '0')}`),
)

it('the first change of a writer reads no more than it changes, however large the corpus', async () => {
  const first = await open()
  await first.commit({ put: documents, remove: [] })
  await first.setEmbedder(IDENTITY)
  await first.putVectors(documents.map((document) => sampleRow(document, 0)))
  await first.close()

  const storage = await open()
  expect(await sweptBy(() => storage.commit({ put: [a], remove: [] }))).toEqual([])
  expect(await sweptBy(() => storage.commit({ put: [], remove: ['a', 'nobody'] }))).toEqual([
    'vectors',
    'block_keys',
    'block_keys',
  ]) // whose vectors go must be known
  expect(await sweptBy(() => storage.commit({ put: [a], remove: ['d007'] }))).toEqual([])
  expect(await sweptBy(() => storage.commit({ put: documents.slice(100), remove: [] }))).toEqual([
    'documents',
  ])
  expect(
    await sweptBy(() =>
      storage.commit({ put: [], remove: documents.slice(200).map(({ id }) => id) }),
    ),
  ).toEqual([])
  const left = [a, ...documents.slice(0, 200).filter(({ id }) => id !== 'd007')]
  expect((await allDocuments(storage)).map(({ id }) => id)).toEqual(left.map(({ id }) => id))
  expect(await allVectors(storage)).toHaveLength(199)
  await storage.close()

  const again = await open()
  await again.commit({ put: [], remove: ['d000', 'd000', 'nobody'] })
  expect(await allDocuments(again)).toHaveLength(199)
  expect(await allVectors(again)).toHaveLength(198)
})
