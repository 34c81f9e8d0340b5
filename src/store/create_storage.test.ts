import 'fake-indexeddb/auto'
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createStorage, deleteCorpus, listCorpora, type StorageChoice } from './create_storage.ts'
import type { CorpusStorage } from './storage.ts'
import { SETTINGS, allDocuments, sampleDocument, sampleRow } from './testing/storage_samples.ts'
import { fakeCaches } from './testing/test_platform.ts'

const refusal = (code: string): unknown => expect.objectContaining({ code })
const roots: string[] = []
async function root(): Promise<string> {
  roots.push(await mkdtemp(join(tmpdir(), 'hubmesh-')))
  return roots[roots.length - 1]!
}
async function fill(corpus: string, storage: StorageChoice, n: number): Promise<void> {
  const opened = await createStorage({ corpus, storage, settings: SETTINGS })
  if (n > 0)
    await opened.commit({
      put: Array.from({ length: n }, (_, i) => sampleDocument(`d${i}`)),
      remove: [],
    })
  await opened.close()
}

afterEach(async () => {
  vi.unstubAllGlobals()
  for (const directory of roots.splice(0)) await rm(directory, { recursive: true, force: true })
})

it('the kind of storage is the one that was asked for', async () => {
  const directory = await root()
  for (const [storage, kind] of [
    ['memory', 'memory'],
    ['indexeddb', 'indexeddb'],
    [{ directory }, 'directory'],
  ] as const) {
    const opened = await createStorage({ corpus: 'kinds', storage, settings: SETTINGS })
    expect(opened.kind).toBe(kind)
    await opened.close()
  }
})

it('where IndexedDB is missing the answer is store/unavailable, never a memory store', async () => {
  vi.stubGlobal('indexedDB', undefined)
  await expect(
    createStorage({ corpus: 'x', storage: 'indexeddb', settings: SETTINGS }),
  ).rejects.toThrow(refusal('store/unavailable'))
  await expect(listCorpora()).rejects.toThrow(refusal('store/unavailable'))
  await expect(deleteCorpus('x')).rejects.toThrow(refusal('store/unavailable'))
})

it('names that mean something to a file system, odd settings and odd storages are refused', async () => {
  const directory = await root()
  for (const corpus of [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    '.hidden',
    '-rf',
    'a b',
    'ü',
    'x'.repeat(65),
    'dot.',
    'nul\0',
    7,
    null,
  ]) {
    await expect(
      createStorage({ corpus: corpus as string, storage: { directory }, settings: SETTINGS }),
      String(corpus),
    ).rejects.toThrow(refusal('input/invalid'))
    await expect(deleteCorpus(corpus as string, { directory })).rejects.toThrow(
      refusal('input/invalid'),
    )
  }
  await expect(
    createStorage({ corpus: 'x', storage: 'opfs' as 'memory', settings: SETTINGS }),
  ).rejects.toThrow(refusal('input/invalid'))
  await expect(
    createStorage({ corpus: 'x', storage: { directory: '' }, settings: SETTINGS }),
  ).rejects.toThrow(refusal('input/invalid'))
  await expect(
    createStorage({ corpus: 'x', storage: 'memory', settings: { ...SETTINGS, formatVersion: 0 } }),
  ).rejects.toThrow(refusal('input/invalid'))
})

it('corpora of the browser are listed with their documents, and other databases are left alone', async () => {
  await fill('list-b', 'indexeddb', 3)
  await fill('list-a', 'indexeddb', 1)
  await fill('list-never-written', 'indexeddb', 0)
  await new Promise((resolve) => {
    indexedDB.open('somebody-else').onsuccess = resolve
  })
  const mine = async (): Promise<unknown> =>
    (await listCorpora()).filter(
      ({ name }) => name.startsWith('list-') || name.startsWith('somebody'),
    )
  expect(await mine()).toEqual([
    { name: 'list-a', documents: 1, bytes: expect.any(Number) as number },
    { name: 'list-b', documents: 3, bytes: expect.any(Number) as number },
  ])
  await deleteCorpus('list-a')
  await expect(deleteCorpus('list-a')).rejects.toThrow(refusal('corpus/not-found'))
  expect(await mine()).toEqual([
    { name: 'list-b', documents: 3, bytes: expect.any(Number) as number },
  ])
})

it('the bytes of a corpus of the browser are those of its documents and vectors, and go with them', async () => {
  const bytes = async (): Promise<number | null> =>
    (await listCorpora()).find(({ name }) => name === 'weighed')!.bytes
  const long = sampleDocument('long', 'x'.repeat(150_007)),
    short = sampleDocument('short'),
    steps: (number | null)[] = []
  const step = async (work: (storage: CorpusStorage) => Promise<unknown>): Promise<void> => {
    // opened anew each time: the count is on the disk, not in a writer's memory
    const storage = await createStorage({
      corpus: 'weighed',
      storage: 'indexeddb',
      settings: SETTINGS,
    })
    await work(storage)
    await storage.close()
    steps.push(await bytes())
  }
  await step((storage) => storage.commit({ put: [long, short], remove: [] }))
  expect(steps[0]).toBeGreaterThan(long.text.length)
  expect(steps[0]).toBeLessThan(long.text.length + 1000)
  await step((storage) => storage.putVectors([sampleRow(long, 0), sampleRow(short, 0)]))
  expect(steps[1]! - steps[0]!).toBeGreaterThanOrEqual(2 * 4 * 4)
  await step((storage) =>
    storage.commit({ put: [sampleDocument('long', 'short now')], remove: [] }),
  )
  expect(steps[2]).toBeLessThan(2000)
  await step((storage) => storage.setEmbedder({ ...SETTINGS.embedder!, revision: '2' }))
  expect(steps[3]).toBeLessThan(steps[2]!)
  await step((storage) => storage.commit({ put: [], remove: ['long', 'short'] }))
  expect(steps[4]).toBe(0)
})

it('a browser that does not list its databases lists the notes of them', async () => {
  const caches = fakeCaches()
  vi.stubGlobal('caches', caches)
  await fill('noted', 'indexeddb', 2)
  vi.stubGlobal('indexedDB', { open: indexedDB.open.bind(indexedDB) })
  expect(await listCorpora()).toEqual([
    { name: 'noted', documents: 2, bytes: expect.any(Number) as number },
  ])
})

it('corpora of a folder are listed with documents and bytes, and deleted by name', async () => {
  const directory = await root()
  expect(await listCorpora({ directory: join(directory, 'none') })).toEqual([])
  await fill('b', { directory }, 2)
  await fill('a', { directory }, 5)
  await mkdir(join(directory, 'not-a-corpus'))
  await mkdir(join(directory, 'broken'))
  await writeFile(join(directory, 'broken', 'CURRENT'), 'rubbish')
  await writeFile(join(directory, 'file.txt'), 'text')
  const listed = await listCorpora({ directory })
  expect(listed.map(({ name, documents }) => [name, documents])).toEqual([
    ['a', 5],
    ['b', 2],
    ['broken', null],
  ])
  expect(listed[0]!.bytes).toBeGreaterThan(400)
  await deleteCorpus('a', { directory })
  expect((await listCorpora({ directory })).map(({ name }) => name)).toEqual(['b', 'broken'])
  await expect(deleteCorpus('a', { directory })).rejects.toThrow(refusal('corpus/not-found'))
  const opened = await createStorage({ corpus: 'b', storage: { directory }, settings: SETTINGS })
  expect((await allDocuments(opened)).length).toBe(2)
  await opened.close()
})

it('outside of Node a folder is refused', async () => {
  vi.resetModules()
  vi.stubGlobal('process', undefined)
  const { createStorage: inPage } = await import('./create_storage.ts')
  await expect(
    inPage({ corpus: 'x', storage: { directory: '/tmp' }, settings: SETTINGS }),
  ).rejects.toThrow(refusal('store/unavailable'))
})
