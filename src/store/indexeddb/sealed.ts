/**
 * Owns how encrypted documents lie in IndexedDB: under the name that stands for the id, one
 * ciphertext of the whole document, in parts where it is long. Refuses: to say anything of a
 * document but its length.
 */
import { isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { decodeOne, encodeOne } from '../records/document_codec.ts'
import { versionRange, type DocumentPart } from './documents.ts'
import type { Reader, ReadTransaction } from './read.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'

/** The value under a document's name. */
export interface SealedRecord {
  readonly id: string
  /** Generation of the write, to which the ciphertext is bound. */
  readonly version: number
  readonly sealed: ArrayBuffer | null
  readonly parts: number
}

/** Bytes of one part. */
const PART_BYTES = LIMITS.storePartChars * 2
const SEALED = 2

const placeOf = (name: string, version: number): string => `document ${name} ${version}`

/** A document as records; `apart`: its ciphertext is a part however short it is. */
export async function toSealed(
  document: StoredDocument,
  version: number,
  sealer: Sealer,
  apart = false,
): Promise<{ readonly record: SealedRecord; readonly parts: readonly DocumentPart[] }> {
  const id = sealer.nameOf(document.id)
  const { buffer } = await sealer.seal(placeOf(id, version), encodeOne(document))
  if (buffer.byteLength <= PART_BYTES && !apart)
    return { record: { id, version, sealed: buffer, parts: 0 }, parts: [] }
  const parts: DocumentPart[] = []
  for (let at = 0; at < buffer.byteLength; at += PART_BYTES)
    parts.push({
      key: [id, version, SEALED, parts.length],
      value: buffer.slice(at, at + PART_BYTES),
    })
  return { record: { id, version, sealed: null, parts: parts.length }, parts }
}

interface Raw {
  readonly name: string
  readonly version: number
  /** The ciphertext, or what is wrong. */
  readonly bytes: Uint8Array | string
}

/** Version of a stored record, sealed or not; null where it is none. */
export function versionOf(value: unknown): number | null {
  return typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    Number.isSafeInteger(value.version)
    ? (value.version as number)
    : null
}

async function rawOf(transaction: ReadTransaction, name: string, value: unknown): Promise<Raw> {
  const version = versionOf(value)
  if (version === null || !('sealed' in (value as object)) || !('parts' in (value as object)))
    return { name, version: 0, bytes: 'it is no encrypted record' }
  const { sealed, parts } = value as SealedRecord
  if (sealed instanceof ArrayBuffer) return { name, version, bytes: new Uint8Array(sealed) }
  const found: unknown[] = (await transaction
    .objectStore('parts')
    .getAll(versionRange(name, version))) as unknown[]
  if (found.length !== parts || !found.every((part) => part instanceof ArrayBuffer))
    return { name, version, bytes: 'parts of it are missing' }
  const bytes = new Uint8Array(found.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of found) {
    bytes.set(new Uint8Array(part), at)
    at += part.byteLength
  }
  return { name, version, bytes }
}

/** The document, or what is wrong with the record. */
async function openRaw(
  { name, version, bytes }: Raw,
  sealer: Sealer,
): Promise<StoredDocument | string> {
  if (typeof bytes === 'string') return bytes
  try {
    const document = decodeOne(await sealer.open(placeOf(name, version), bytes), 'store/corrupt')
    return sealer.nameOf(document.id) === name ? document : 'it belongs to another id'
  } catch (error) {
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    return 'it does not open with the key of the corpus: it was changed, moved or cut'
  }
}

/** The documents of these ids that are there and whole. */
export async function openDocuments(
  reader: Reader,
  sealer: Sealer,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = []
  for (let from = 0; from < ids.length; from += 32) {
    const names = ids.slice(from, from + 32).map((id) => sealer.nameOf(id))
    const raws = await reader(['documents', 'parts'], async (transaction) => {
      const values = await Promise.all(
        names.map((name) => transaction.objectStore('documents').get(name) as Promise<unknown>),
      )
      return await Promise.all(
        values.flatMap((value, i) =>
          value === undefined ? [] : [rawOf(transaction, names[i]!, value)],
        ),
      )
    })
    for (const raw of raws) {
      const document = await openRaw(raw, sealer)
      if (typeof document !== 'string') found.push(document)
    }
  }
  return found
}

interface Page {
  readonly raws: readonly Raw[]
  readonly last: IDBValidKey | null
  /** Records to ask for next, by the size of these. */
  readonly next: number
}

async function readPage(reader: Reader, range: IDBKeyRange | null, count: number): Promise<Page> {
  return await reader(['documents', 'parts'], async (transaction) => {
    const store = transaction.objectStore('documents')
    const [keys, values] = await Promise.all([
      store.getAllKeys(range, count),
      store.getAll(range, count) as Promise<unknown[]>,
    ])
    const raws: Raw[] = []
    let bytes = 0
    while (raws.length < keys.length && bytes < LIMITS.readPageBytes * 4) {
      const raw = await rawOf(transaction, String(keys[raws.length]), values[raws.length])
      raws.push(raw)
      bytes += raw.bytes.length
    }
    const each = Math.max(1, bytes / Math.max(1, raws.length))
    return {
      raws,
      last: keys[raws.length - 1] ?? null,
      next: Math.min(LIMITS.readPageRecords, Math.max(1, Math.floor(LIMITS.readPageBytes / each))),
    }
  })
}

/** All documents in order of id. Their names say nothing of that order, so all are opened first. */
export async function* readSealed(
  reader: Reader,
  sealer: Sealer,
  damaged: (record: QuarantinedRecord) => void,
): AsyncGenerator<readonly StoredDocument[]> {
  const documents: StoredDocument[] = []
  let count = 32
  for (let after: IDBValidKey | null = null; ;) {
    const range: IDBKeyRange | null = after === null ? null : IDBKeyRange.lowerBound(after, true)
    let page: Page
    try {
      page = await readPage(reader, range, count)
    } catch (error) {
      // One value the browser cannot read fails the whole page: then each is asked for by itself,
      // and that one left out.
      if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
      if (count === 1) {
        const keys: readonly IDBValidKey[] = await reader(
          ['documents'],
          async (transaction) => await transaction.objectStore('documents').getAllKeys(range, 1),
        )
        const [key] = keys
        if (key === undefined) break
        damaged({ id: String(key), reason: 'the browser cannot read it back' })
        after = key
      }
      count = 1
      continue
    }
    count = page.next
    for (const raw of page.raws) {
      const document = await openRaw(raw, sealer)
      if (typeof document === 'string') damaged({ id: raw.name, reason: document })
      else documents.push(document)
    }
    if (page.last === null) break
    after = page.last
  }
  documents.sort((a, b) => compareIds(a.id, b.id))
  for (let from = 0; from < documents.length; from += LIMITS.readPageRecords)
    yield documents.slice(from, from + LIMITS.readPageRecords)
}
