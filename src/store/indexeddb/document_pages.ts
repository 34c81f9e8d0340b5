/**
 * Owns reading all documents of a corpus in IndexedDB, in pages that are asked for ahead. Refuses:
 * more than a few pages in memory, and a page lost for one record that the browser cannot read.
 */
import { isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { assemble, decodeDocumentRecord, recordBytes, type DocumentRecord } from './documents.ts'
import type { Reader, ReadTransaction } from './read.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'

/**
 * Pages under way at once: the browser reads them while this thread checks those before. Measured
 * in Chromium: four take two thirds of the time of one, eight no less.
 */
const AHEAD = 4
/** Records of the first pages, whose lengths nobody knows yet. */
const FIRST = 32
/** Keys read at once, and again ahead. */
const KEYS = 4 * LIMITS.readPageRecords

interface Page {
  readonly documents: readonly StoredDocument[]
  readonly damaged: readonly QuarantinedRecord[]
  /** Keys of the page that were too much for once: they come next. */
  readonly rest: readonly IDBValidKey[]
  /** Records that make a page, by the length of these. */
  readonly count: number
}

/** All documents in order of id, in pages of about `readPageBytes`. */
export async function* readDocuments(
  reader: Reader,
  damaged: (record: QuarantinedRecord) => void,
): AsyncGenerator<readonly StoredDocument[]> {
  const lists = readKeys(reader),
    ahead: Promise<Page>[] = []
  let keys: readonly IDBValidKey[] = [],
    at = 0,
    count = FIRST
  const begin = (some: readonly IDBValidKey[]): Promise<Page> => {
    const page = readPage(reader, some)
    page.catch(() => undefined) // whoever takes it hears of it
    return page
  }
  const fill = async (): Promise<void> => {
    while (ahead.length < AHEAD) {
      if (at === keys.length) {
        const next = await lists.next()
        if (next.done === true) return
        keys = next.value
        at = 0
      }
      ahead.push(begin(keys.slice(at, at + count)))
      at = Math.min(keys.length, at + count)
    }
  }
  try {
    await fill()
    for (let current = ahead.shift(); current !== undefined; current = ahead.shift()) {
      const page = await current
      count = page.count
      if (page.rest.length > 0) ahead.unshift(begin(page.rest))
      await fill()
      page.damaged.forEach(damaged)
      if (page.documents.length > 0) yield page.documents
    }
  } finally {
    // nothing is left running where the caller stopped early
    await Promise.allSettled([...ahead, lists.return(undefined)])
  }
}

async function* readKeys(reader: Reader): AsyncGenerator<readonly IDBValidKey[], undefined> {
  const ask = (after: IDBValidKey | undefined): Promise<IDBValidKey[]> => {
    const keys = reader(['documents'], (transaction) =>
      transaction
        .objectStore('documents')
        .getAllKeys(after === undefined ? null : IDBKeyRange.lowerBound(after, true), KEYS),
    )
    keys.catch(() => undefined)
    return keys
  }
  let coming = ask(undefined)
  try {
    for (let keys = await coming; keys.length > 0; keys = await coming) {
      coming = keys.length < KEYS ? Promise.resolve([]) : ask(keys.at(-1))
      yield keys
    }
  } finally {
    await coming.catch(() => undefined)
  }
  return undefined
}

/** The documents from the first of these keys to the last. */
async function readPage(reader: Reader, keys: readonly IDBValidKey[]): Promise<Page> {
  const range = IDBKeyRange.bound(keys[0], keys.at(-1))
  try {
    return await reader(['documents', 'parts'], async (transaction) => {
      const store = transaction.objectStore('documents')
      const values: unknown[] = await store.getAll(range)
      const records = values.map((value, i) => decodeDocumentRecord(keys[i], value))
      if (records.length === keys.length && records.every((record) => typeof record !== 'string'))
        return await pageOf(transaction, keys, records)
      // a record is damaged, or another tab has written since the keys were read: they are read
      // once more, beside the records
      const now = await store.getAllKeys(range)
      return await pageOf(
        transaction,
        now,
        now.map((key, i) => decodeDocumentRecord(key, values[i])),
      )
    })
  } catch (error) {
    // One value the browser cannot read fails the whole page: then each is asked for by itself.
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    return await readSingly(reader, keys)
  }
}

/** As many of these records as are taken at once, by what they say of their length. */
async function pageOf(
  transaction: ReadTransaction,
  keys: readonly IDBValidKey[],
  records: readonly (DocumentRecord | string)[],
): Promise<Page> {
  const documents: StoredDocument[] = [],
    damaged: QuarantinedRecord[] = []
  let bytes = 0,
    taken = 0
  for (; taken < keys.length && bytes < LIMITS.readPageBytes * 4; taken++) {
    const record = records[taken] as DocumentRecord | string
    if (typeof record !== 'string') bytes += recordBytes(record)
    const document = typeof record === 'string' ? record : await assemble(transaction, record)
    if (typeof document === 'string') damaged.push({ id: keyText(keys[taken]), reason: document })
    else documents.push(document)
  }
  return {
    documents,
    damaged,
    rest: keys.slice(taken),
    count: Math.min(
      LIMITS.readPageRecords,
      Math.max(1, Math.floor((LIMITS.readPageBytes * taken) / Math.max(1, bytes))),
    ),
  }
}

async function readSingly(reader: Reader, keys: readonly IDBValidKey[]): Promise<Page> {
  const documents: StoredDocument[] = [],
    damaged: QuarantinedRecord[] = []
  let read = 0,
    bytes = 0
  for (; read < keys.length && bytes < LIMITS.readPageBytes * 4; read++) {
    const key = keys[read] as IDBValidKey
    try {
      const page = await reader(['documents', 'parts'], async (transaction) => {
        const value: unknown = await transaction.objectStore('documents').get(key)
        return value === undefined
          ? null
          : await pageOf(transaction, [key], [decodeDocumentRecord(key, value)])
      })
      documents.push(...(page?.documents ?? []))
      damaged.push(...(page?.damaged ?? []))
      for (const { text } of page?.documents ?? []) bytes += text.length * 2
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
      damaged.push({ id: keyText(key), reason: 'the browser cannot read it back' })
    }
  }
  return { documents, damaged, rest: keys.slice(read), count: keys.length }
}

/**
 * Keys of this store are strings; anything else is somebody's tampering, and has no id to report.
 */
function keyText(key: IDBValidKey | undefined): string {
  return typeof key === 'string' ? key : ''
}
