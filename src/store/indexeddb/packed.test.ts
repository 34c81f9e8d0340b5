import { expect, it } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
import {
  open,
  raw,
  rawDelete,
  rawGet,
  rawKeys,
  rawPut,
  scan,
  setUp,
} from '../testing/indexeddb_harness.ts'
import { SETTINGS, sampleDocument } from '../testing/storage_samples.ts'
import type { CorpusStorage, StoredDocument } from '../storage.ts'

setUp()

const COUNT = LIMITS.packedDocuments + 50
const idOf = (i: number): string => `d${String(i).padStart(5, '0')}`
const documents: readonly StoredDocument[] = Array.from({ length: COUNT }, (_, i) =>
  sampleDocument(
    idOf(i),
    `Text ${i} of ${'a long one '.repeat(60)}`,
    i % 7 === 0 ? { label: `n${i}` } : {},
  ),
)

async function all(storage: CorpusStorage): Promise<StoredDocument[]> {
  const found: StoredDocument[] = []
  for await (const page of storage.documents()) found.push(...page)
  return found
}

/** A corpus whose copy is whole, in several parts. */
async function packed(): Promise<CorpusStorage> {
  const storage = await open()
  await storage.commit({ put: documents, remove: [] })
  expect(await storage.pack!()).toBe(true)
  expect((await parts()).length).toBeGreaterThan(1)
  return storage
}

const parts = async (): Promise<IDBValidKey[]> =>
  (await rawKeys('derived')).filter(
    (key) => Array.isArray(key) && key[0] === 'packed' && key.length === 2,
  )

it('documents are read from their copy: they are there though their records are not', async () => {
  await (await packed()).close()
  for (const i of [0, 500, COUNT - 1]) await rawDelete('documents', idOf(i))
  const storage = await open()
  expect(await all(storage)).toEqual(documents)
})

it(
  'from the place where a copy is damaged, cut short or of another generation the records ' +
    'are read, each document once',
  async () => {
    await (await packed()).close()
    const keys = await parts(),
      last = keys.at(-1) as IDBValidKey,
      first = keys[0] as IDBValidKey,
      head = await rawGet('derived', ['packed'])
    const columns = ['ids', 'titles', 'texts', 'hashes', 'metadata', 'checks', 'passages'] as const
    const cases: [IDBValidKey, (value: Record<string, unknown>) => unknown][] = [
      [['packed'], () => undefined],
      [['packed'], () => 'head'],
      [['packed'], () => ({ ...head, documents: COUNT - 1 })],
      [['packed'], () => ({ ...head, parts: 1 })],
      [['packed'], () => ({ ...head, parts: keys.length + 1 })],
      [['packed'], () => ({ ...head, generation: 7 })],
      ...[first, last].flatMap(
        (key): [IDBValidKey, (value: Record<string, unknown>) => unknown][] => [
          [key, () => undefined],
          [key, () => null],
          [key, (part) => ({ ...part, generation: 0 })],
          [key, (part) => ({ ...part, offsets: [0] })],
          [key, (part) => ({ ...part, offsets: (part['offsets'] as Int32Array).slice(2) })],
          ...columns.flatMap(
            (column): [IDBValidKey, (value: Record<string, unknown>) => unknown][] => [
              [key, (part) => ({ ...part, [column]: (part[column] as unknown[]).slice(1) })],
              [
                key,
                (part) => ({
                  ...part,
                  [column]: (part[column] as unknown[]).with(1, (part[column] as unknown[])[0]),
                }),
              ],
              [key, (part) => ({ ...part, [column]: (part[column] as unknown[]).with(-1, null) })],
            ],
          ),
        ],
      ),
    ]
    for (const [key, change] of cases) {
      const value = await rawGet('derived', key),
        changed = change(value)
      if (changed === undefined) await rawDelete('derived', key)
      else await rawPut('derived', key, changed)
      const storage = await open(),
        found = await all(storage)
      expect(found.map(({ id }) => id)).toEqual(documents.map(({ id }) => id))
      expect(found).toEqual(documents)
      await storage.close()
      await rawPut('derived', key, value)
    }
  },
)

it('a commit drops the copy, with every word of what was removed', async () => {
  const storage = await packed(),
    secret = sampleDocument('secret', 'xyzzyplugh')
  await storage.commit({ put: [secret], remove: [] })
  expect(await parts()).toEqual([])
  expect(await storage.pack!()).toBe(true)
  expect(await scan()).toContain('xyzzyplugh')
  await storage.commit({ put: [], remove: ['secret'] })
  expect(await scan()).not.toContain('xyzzyplugh')
  expect(await all(storage)).toEqual(documents)
})

it('a copy that a commit overtakes is given up, and never of two generations', async () => {
  const storage = await packed()
  await storage.commit({ put: [sampleDocument('e', 'one more')], remove: [] })
  const packing = storage.pack!()
  await storage.commit({ put: [], remove: ['e'] })
  expect(await packing).toBe(false)
  expect(await rawKeys('derived')).toEqual([])
  expect(await all(storage)).toEqual(documents)
})

it(
  'no copy is made beside a damaged document or one that is gone, by a tab that does not ' +
    'write, or of a few',
  async () => {
    const few = await open({ corpus: 'few' })
    await few.commit({ put: documents.slice(0, 9), remove: [] })
    expect(await few.pack!()).toBe(false)
    const storage = await packed()
    await storage.commit({ put: [sampleDocument('e', 'one more')], remove: [] })
    const other = await open()
    expect(await other.pack!()).toBe(false)
    const good = await rawGet('documents', idOf(3))
    await rawPut('documents', idOf(3), { ...good, text: 'Changed' })
    expect(await storage.pack!()).toBe(false)
    await rawDelete('documents', idOf(3))
    expect(await (await reopened(storage)).pack!()).toBe(false)
    expect(await raw((database) => database.get('derived', ['packed']))).toBeUndefined()
  },
)

/** Another storage of the same corpus, which writes. */
async function reopened(storage: CorpusStorage): Promise<CorpusStorage> {
  await storage.close()
  const next = await open()
  await next.setEmbedder({ ...SETTINGS.embedder!, revision: 'other' })
  return next
}
