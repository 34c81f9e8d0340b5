import { expect, it } from 'vitest'
import { isHubmeshError } from '../../base/errors.ts'
import { a, b, open, raw, setUp } from './indexeddb_harness.ts'
import { STORE_NAMES, type StoreName } from '../indexeddb/schema.ts'
import { sameDocument } from './storage_invariants.ts'
import { sampleDocument, sampleRow } from './storage_samples.ts'
import type { CorpusStorage, StoredDocument } from '../storage.ts'

setUp()

/** Places of a value that are spoilt, evenly spread; its first and its last among them. */
const PLACES = 5

const long = sampleDocument(
  'long',
  'Ada wrote to Charles in London. '.repeat(Math.ceil(120_000 / 32)),
  { label: 'kept' },
)
const documents: readonly StoredDocument[] = [a, b, long]
const rows = [sampleRow(a, 0, 2), sampleRow(b, 1, 3), sampleRow(long, 0, 4)]
const derived = Uint8Array.from({ length: 999 }, (_, i) => i * 7)

type Spoilt = readonly [what: string, value: unknown]

/** Every way in which one unit of one value inside `value` is changed or missing. */
function* spoil(value: unknown, path = ''): Generator<Spoilt> {
  const places = (length: number): number[] =>
    [
      ...new Set(
        Array.from({ length: PLACES }, (_, i) => Math.round((i * (length - 1)) / (PLACES - 1))),
      ),
    ].filter((at) => at >= 0 && at < length)
  if (typeof value === 'string') {
    for (const at of places(value.length))
      yield [
        `${path} unit ${String(at)}`,
        value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ 1) + value.slice(at + 1),
      ]
    if (value.length > 0) yield [`${path} without its last unit`, value.slice(0, -1)]
  } else if (typeof value === 'number') yield [`${path} as a number`, value + 1]
  else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    const back = (changed: Uint8Array<ArrayBuffer>): unknown =>
      value instanceof ArrayBuffer
        ? changed.buffer
        : value instanceof Int32Array
          ? new Int32Array(changed.buffer, 0, changed.length >> 2)
          : changed
    for (const at of places(bytes.length)) {
      const changed = new Uint8Array(bytes)
      changed[at]! ^= 8
      yield [`${path} byte ${String(at)}`, back(changed)]
    }
    if (bytes.length > 0)
      yield [
        `${path} without its last byte`,
        back(new Uint8Array(bytes.slice(0, bytes.length - (value instanceof Int32Array ? 4 : 1)))),
      ]
  } else if (Array.isArray(value)) {
    for (const [i, item] of (value as unknown[]).entries())
      for (const [what, changed] of spoil(item, `${path}[${String(i)}]`))
        yield [what, (value as unknown[]).with(i, changed)]
    yield [`${path} without its last item`, (value as unknown[]).slice(0, -1)]
    yield [`${path} with one item more`, [...(value as unknown[]), 0]]
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      for (const [what, changed] of spoil(field, `${path}.${key}`))
        yield [what, { ...value, [key]: changed }]
      const { [key]: _, ...rest } = value as Record<string, unknown>
      yield [`without ${path}.${key}`, rest]
    }
  }
}

/** What of a corpus is not as it was written and not said to be damaged either. */
async function silent(storage: CorpusStorage): Promise<string[]> {
  const faults: string[] = [],
    given: StoredDocument[] = []
  for await (const page of storage.documents()) given.push(...page)
  for (const document of given) {
    const own = documents.find(({ id }) => id === document.id)
    if (own === undefined || !sameDocument(own, document))
      faults.push(`document ${document.id} is not as it was written`)
  }
  const told = [...storage.quarantined.map(({ id }) => id), ...storage.warnings].join(' ')
  for (const { id } of documents)
    if (!given.some((document) => document.id === id) && told === '')
      faults.push(`document ${id} is gone without a word`)
  for await (const page of storage.vectors()) {
    for (const row of page)
      if (
        !rows.some(
          (own) =>
            own.documentId === row.documentId &&
            own.passage === row.passage &&
            own.vector.every((x, i) => x === row.vector[i]),
        )
      )
        faults.push(`a vector of ${row.documentId} is not as it was written`)
  }
  const text = await storage.readDerived('text')
  if (text !== null && Buffer.compare(text, derived) !== 0)
    faults.push('the derived data are not as they were written')
  return faults
}

it(
  'every record of a corpus, each of its values changed or missing by one unit: nothing ' +
    'damaged is given, and nothing is gone without a word',
  async () => {
    const first = await open()
    await first.commit({ put: documents, remove: [] })
    await first.putVectors(rows)
    await first.writeDerived('text', derived)
    expect(await silent(first)).toEqual([])
    await first.close()
    const records = await raw(async (database) => {
      const all: [StoreName, IDBValidKey, unknown][] = []
      for (const store of STORE_NAMES)
        for (const key of await database.getAllKeys(store))
          all.push([store, key, await database.get(store, key)])
      return all
    })
    expect(new Set(records.map(([store]) => store)).size).toBe(STORE_NAMES.length)
    const wrong: string[] = []
    let spoilt = 0
    for (const [store, key, value] of records) {
      for (const [what, changed] of spoil(value)) {
        spoilt++
        await raw((database) => database.put(store, changed, key))
        try {
          const storage = await open()
          for (const fault of await silent(storage))
            wrong.push(`${store} ${JSON.stringify(key)} ${what}: ${fault}`)
          await storage.close()
        } catch (error) {
          if (
            !isHubmeshError(error) ||
            !/^store\/(?:corrupt|evicted|newer-schema)$/.test(error.code)
          )
            wrong.push(`${store} ${JSON.stringify(key)} ${what}: ${String(error)}`)
        }
        await raw((database) => database.put(store, value, key))
      }
      await raw((database) => database.delete(store, key))
      try {
        const storage = await open()
        for (const fault of await silent(storage))
          wrong.push(`${store} ${JSON.stringify(key)} deleted: ${fault}`)
        await storage.close()
      } catch (error) {
        if (!isHubmeshError(error) || !error.code.startsWith('store/'))
          wrong.push(`${store} ${JSON.stringify(key)} deleted: ${String(error)}`)
      }
      await raw((database) => database.put(store, value, key))
    }
    expect(wrong).toEqual([])
    expect(spoilt).toBeGreaterThan(50)
  },
  600_000,
)
