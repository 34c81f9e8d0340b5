/** Owns how documents lie in IndexedDB, and their reading in pages. Refuses: transactions of its own making, and records that do not check. */
import { HubmeshError, isHubmeshError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { documentCheck, documentFault, metadataText, parseMetadata } from './document_codec.ts'
import type { ReadTransaction, ReadWork } from './idb_read.ts'
import type { StoreName } from './schema.ts'
import type { QuarantinedRecord, StoredDocument } from './storage.ts'

/** The value under a document's id. A long text, or many passages, lie in parts; the record makes all of it visible at once. */
export interface DocumentRecord {
  readonly id: string
  readonly title: string
  readonly hash: string
  readonly metadata: string
  readonly text: string | null
  readonly passages: Int32Array | null
  readonly passageCount: number
  /** Parts belong to one version; those of another are left from a crash, or still read by nobody. */
  readonly version: number
  readonly textParts: number
  readonly passageParts: number
  /** CRC-32 of the whole document. */
  readonly check: number
}

const TEXT = 0
const PASSAGES = 1

export interface DocumentPart {
  readonly key: [id: string, version: number, kind: number, index: number]
  readonly value: string | Int32Array | ArrayBuffer
}

/** About how many bytes a document takes. */
export function documentBytes(document: StoredDocument): number {
  return (document.text.length + document.title.length + document.id.length) * 2 + document.passages.byteLength + 512
}

/** A document as records. The parts may be written before the record, in as many transactions as they need; `apart`: its text is a part however short it is. */
export function toRecords(document: StoredDocument, version: number, apart = false): { readonly record: DocumentRecord; readonly parts: readonly DocumentPart[] } {
  const { id, title, text, hash } = document
  // A copy: a view would store its whole buffer, and a shared one cannot be stored at all.
  const passages = Int32Array.from(document.passages)
  const metadata = metadataText(document.metadata)
  const parts: DocumentPart[] = []
  const cut = <T extends string | Int32Array>(kind: number, value: T, step: number): number => {
    if (value.length <= step && !(apart && kind === TEXT)) return 0
    let index = 0
    for (let at = 0; at < value.length; at += step) parts.push({ key: [id, version, kind, index++], value: value.slice(at, at + step) })
    return index
  }
  const textParts = cut(TEXT, text, LIMITS.storePartChars)
  const passageParts = cut(PASSAGES, passages, LIMITS.storePartPassages * 2)
  const record: DocumentRecord = {
    id, title, hash, metadata, version, textParts, passageParts,
    text: textParts === 0 ? text : null,
    passages: passageParts === 0 ? passages : null,
    passageCount: passages.length / 2,
    check: documentCheck({ ...document, passages }, metadata),
  }
  return { record, parts }
}

/** All parts of one document, or those of versions before `version`. */
export function partRange(id: string, version?: number): IDBKeyRange {
  return version === undefined ? IDBKeyRange.bound([id], [id, []]) : IDBKeyRange.bound([id], [id, version], false, true)
}

/** The parts of exactly one version. */
export function versionRange(id: string, version: number): IDBKeyRange {
  return IDBKeyRange.bound([id, version], [id, version, []])
}

/** The record's own fields, or what is wrong with them. The document as a whole is checked by `assemble`. */
export function decodeDocumentRecord(key: unknown, value: unknown): DocumentRecord | string {
  if (typeof value !== 'object' || value === null) return 'it is no record'
  const r = value as Partial<Record<keyof DocumentRecord, unknown>>
  const numbers = [r.version, r.textParts, r.passageParts, r.passageCount, r.check]
  if (typeof r.id !== 'string' || r.id !== key) return 'its id is not its key'
  if (typeof r.title !== 'string' || typeof r.hash !== 'string' || typeof r.metadata !== 'string') return 'a field is missing'
  if (!numbers.every((n) => Number.isSafeInteger(n) && (n as number) >= 0)) return 'a number is missing'
  if (r.textParts === 0 ? typeof r.text !== 'string' : r.text !== null) return 'its text is missing'
  if (r.passageParts === 0 ? !(r.passages instanceof Int32Array) : r.passages !== null) return 'its passages are missing'
  return value as DocumentRecord
}

async function assemble(transaction: ReadTransaction, record: DocumentRecord): Promise<StoredDocument | string> {
  let { text, passages } = record
  if (record.textParts > 0 || record.passageParts > 0) {
    const parts: unknown[] = (await transaction.objectStore('parts').getAll(versionRange(record.id, record.version))) as unknown[]
    if (parts.length !== record.textParts + record.passageParts) return 'parts of it are missing'
    const texts = parts.slice(0, record.textParts)
    const numbers = parts.slice(record.textParts)
    if (!texts.every((part) => typeof part === 'string') || !numbers.every((part) => part instanceof Int32Array)) return 'a part of it is no part'
    text ??= texts.join('')
    passages ??= concat(numbers)
  }
  const metadata = parseMetadata(record.metadata)
  if (metadata === undefined) return 'its metadata cannot be read'
  const document: StoredDocument = { id: record.id, title: record.title, text: text!, metadata, hash: record.hash, passages: passages! }
  if (documentCheck(document, record.metadata) !== record.check) return 'its checksum does not match'
  return documentFault(document) ?? document
}

function concat(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

interface Page {
  readonly documents: readonly StoredDocument[]
  readonly damaged: readonly QuarantinedRecord[]
}

/** Where the page after this one begins, and how many records it asks for. */
interface Onward { readonly after: IDBValidKey; readonly count: number }

/** A page that was asked for: `arrived` tells what follows it as soon as its records are here, before they are checked; null after the last. */
interface Asked { readonly arrived: Promise<Onward | null>; readonly page: Promise<Page> }

/** Runs a read transaction over the named stores. */
export type Reader = <T>(stores: readonly StoreName[], work: ReadWork<T>) => Promise<T>

/**
 * All documents in order of id, in pages of about `readPageBytes`. One page is always asked for ahead: the browser reads it while this thread
 * checks the one before.
 */
export async function* readDocuments(reader: Reader, damaged: (record: QuarantinedRecord) => void): AsyncGenerator<readonly StoredDocument[]> {
  let current: Asked | null = ask(reader, null, 32), next: Asked | null = null
  try {
    while (current !== null) {
      const onward: Onward | null = await current.arrived
      next = onward === null ? null : ask(reader, onward.after, onward.count)
      const page = await current.page
      page.damaged.forEach(damaged)
      if (page.documents.length > 0) yield page.documents
      current = next
    }
  } finally {
    await next?.page.catch(() => undefined)                   // nothing is left running where the caller stopped early
  }
}

function ask(reader: Reader, after: IDBValidKey | null, count: number): Asked {
  let arrive: (onward: Onward | null) => void = () => undefined, fail: (error: unknown) => void = () => undefined
  const arrived = new Promise<Onward | null>((resolve, reject) => { arrive = resolve; fail = reject })
  const page = readPage(reader, after, count, arrive)
  page.catch(fail)
  arrived.catch(() => undefined)                              // the page says the same
  return { arrived, page }
}

async function readPage(reader: Reader, after: IDBValidKey | null, count: number, arrive: (onward: Onward | null) => void): Promise<Page> {
  const range = after === null ? null : IDBKeyRange.lowerBound(after, true)
  try {
    return await reader(['documents', 'parts'], async (transaction) => {
      const store = transaction.objectStore('documents')
      const [keys, values] = await Promise.all([store.getAllKeys(range, count), store.getAll(range, count) as Promise<unknown[]>])
      const { records, onward } = cutPage(keys, values)
      arrive(onward)
      return await pageOf(transaction, keys, records)
    })
  } catch (error) {
    // One value the browser cannot read fails the whole page: then each is asked for by itself.
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    return await readSingly(reader, range, count, arrive)
  }
}

/** A record, or what is wrong with it. */
type Decoded = DocumentRecord | string

/** As many of these records as are taken at once, by what they say of their length, and what follows them. */
function cutPage(keys: readonly IDBValidKey[], values: readonly unknown[]): { readonly records: readonly Decoded[]; readonly onward: Onward | null } {
  const records: Decoded[] = []
  let bytes = 0
  while (records.length < keys.length && bytes < LIMITS.readPageBytes * 4) {
    const record = decodeDocumentRecord(keys[records.length], values[records.length])
    if (typeof record !== 'string') bytes += recordBytes(record)
    records.push(record)
  }
  const after = keys[records.length - 1]
  return { records, onward: after === undefined ? null : { after, count: Math.min(LIMITS.readPageRecords, Math.max(1, Math.floor((LIMITS.readPageBytes * records.length) / Math.max(1, bytes)))) } }
}

/** About how many bytes a record's document takes, its parts included. */
function recordBytes({ id, title, text, textParts, passageCount }: DocumentRecord): number {
  return (id.length + title.length + (text?.length ?? textParts * LIMITS.storePartChars)) * 2 + passageCount * 8 + 512
}

async function pageOf(transaction: ReadTransaction, keys: readonly IDBValidKey[], records: readonly Decoded[]): Promise<Page> {
  const documents: StoredDocument[] = [], damaged: QuarantinedRecord[] = []
  for (const [i, record] of records.entries()) {
    const document = typeof record === 'string' ? record : await assemble(transaction, record)
    if (typeof document === 'string') damaged.push({ id: keyText(keys[i]), reason: document })
    else documents.push(document)
  }
  return { documents, damaged }
}

async function readSingly(reader: Reader, range: IDBKeyRange | null, count: number, arrive: (onward: Onward | null) => void): Promise<Page> {
  const keys = await reader(['documents'], async (transaction) => await transaction.objectStore('documents').getAllKeys(range, count))
  const pages: Page[] = [], last = keys.at(-1)
  for (const key of keys) {
    try {
      pages.push(await reader(['documents', 'parts'], async (transaction) => await pageOf(transaction, [key], [decodeDocumentRecord(key, await transaction.objectStore('documents').get(key))])))
    } catch (error) {
      if (!(error instanceof HubmeshError) || error.code !== 'store/corrupt') throw error
      pages.push({ documents: [], damaged: [{ id: keyText(key), reason: 'the browser cannot read it back' }] })
    }
  }
  arrive(last === undefined ? null : { after: last, count })
  return { documents: pages.flatMap((page) => page.documents), damaged: pages.flatMap((page) => page.damaged) }
}

/** Keys of this store are strings; anything else is somebody's tampering, and has no id to report. */
function keyText(key: IDBValidKey | undefined): string {
  return typeof key === 'string' ? key : ''
}
