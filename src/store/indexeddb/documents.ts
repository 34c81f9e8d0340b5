/**
 * Owns how documents lie in IndexedDB: one record each, long texts in parts. Refuses: transactions
 * of its own making, and records that do not check.
 */
import { LIMITS } from '../../base/limits.ts'
import {
  documentCheck,
  documentFault,
  metadataText,
  parseMetadata,
} from '../records/document_codec.ts'
import type { ReadTransaction } from './read.ts'
import type { StoredDocument } from '../storage.ts'

/**
 * The value under a document's id. A long text, or many passages, lie in parts; the record makes
 * all of it visible at once.
 */
export interface DocumentRecord {
  readonly id: string
  readonly title: string
  readonly hash: string
  readonly metadata: string
  readonly text: string | null
  /**
   * Offsets as plain numbers: a browser needs as long for one typed array as for all the rest of a
   * short record.
   */
  readonly passages: readonly number[] | null
  readonly passageCount: number
  /**
   * Parts belong to one version; those of another are left from a crash, or still read by nobody.
   */
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
  return (
    (document.text.length + document.title.length + document.id.length) * 2 +
    document.passages.byteLength +
    512
  )
}

/**
 * A document as records. The parts may be written before the record, in as many transactions as
 * they need; `apart`: its text is a part however short it is.
 */
export function toRecords(
  document: StoredDocument,
  version: number,
  apart = false,
): { readonly record: DocumentRecord; readonly parts: readonly DocumentPart[] } {
  const { id, title, text, hash } = document
  // A copy: a view would store its whole buffer, and a shared one cannot be stored at all.
  const passages = Int32Array.from(document.passages)
  const metadata = metadataText(document.metadata)
  const parts: DocumentPart[] = []
  const cut = <T extends string | Int32Array>(kind: number, value: T, step: number): number => {
    if (value.length <= step && !(apart && kind === TEXT)) return 0
    let index = 0
    for (let at = 0; at < value.length; at += step)
      parts.push({ key: [id, version, kind, index++], value: value.slice(at, at + step) })
    return index
  }
  const textParts = cut(TEXT, text, LIMITS.storePartChars)
  const passageParts = cut(PASSAGES, passages, LIMITS.storePartPassages * 2)
  const record: DocumentRecord = {
    id,
    title,
    hash,
    metadata,
    version,
    textParts,
    passageParts,
    text: textParts === 0 ? text : null,
    passages: passageParts === 0 ? [...passages] : null,
    passageCount: passages.length / 2,
    check: documentCheck({ ...document, passages }, metadata),
  }
  return { record, parts }
}

/** All parts of one document, or those of versions before `version`. */
export function partRange(id: string, version?: number): IDBKeyRange {
  return version === undefined
    ? IDBKeyRange.bound([id], [id, []])
    : IDBKeyRange.bound([id], [id, version], false, true)
}

/** The parts of exactly one version. */
export function versionRange(id: string, version: number): IDBKeyRange {
  return IDBKeyRange.bound([id, version], [id, version, []])
}

/**
 * The record's own fields, or what is wrong with them. The document as a whole is checked by
 * `assemble`.
 */
export function decodeDocumentRecord(key: unknown, value: unknown): DocumentRecord | string {
  if (typeof value !== 'object' || value === null) return 'it is no record'
  const r = value as Partial<Record<keyof DocumentRecord, unknown>>
  const numbers = [r.version, r.textParts, r.passageParts, r.passageCount, r.check]
  if (typeof r.id !== 'string' || r.id !== key) return 'its id is not its key'
  if (typeof r.title !== 'string' || typeof r.hash !== 'string' || typeof r.metadata !== 'string')
    return 'a field is missing'
  if (!numbers.every((n) => Number.isSafeInteger(n) && (n as number) >= 0))
    return 'a number is missing'
  if (r.textParts === 0 ? typeof r.text !== 'string' : r.text !== null) return 'its text is missing'
  if (r.passageParts === 0 ? !Array.isArray(r.passages) : r.passages !== null)
    return 'its passages are missing'
  return value as DocumentRecord
}

/**
 * The document of a record, its parts read by the record's own transaction, or what is wrong with
 * it.
 */
export async function assemble(
  transaction: ReadTransaction,
  record: DocumentRecord,
): Promise<StoredDocument | string> {
  let { text } = record
  let passages: Int32Array | null = record.passages && Int32Array.from(record.passages)
  if (record.textParts > 0 || record.passageParts > 0) {
    const parts: unknown[] = (await transaction
      .objectStore('parts')
      .getAll(versionRange(record.id, record.version))) as unknown[]
    if (parts.length !== record.textParts + record.passageParts) return 'parts of it are missing'
    const texts = parts.slice(0, record.textParts)
    const numbers = parts.slice(record.textParts)
    if (
      !texts.every((part) => typeof part === 'string') ||
      !numbers.every((part) => part instanceof Int32Array)
    )
      return 'a part of it is no part'
    text ??= texts.join('')
    passages ??= concat(numbers)
  }
  const metadata = parseMetadata(record.metadata)
  if (metadata === undefined) return 'its metadata cannot be read'
  const document: StoredDocument = {
    id: record.id,
    title: record.title,
    text: text!,
    metadata,
    hash: record.hash,
    passages: passages!,
  }
  if (documentCheck(document, record.metadata) !== record.check)
    return 'its checksum does not match'
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

/** About how many bytes a record's document takes, its parts included. */
export function recordBytes({ id, title, text, textParts, passageCount }: DocumentRecord): number {
  return (
    (id.length + title.length + (text?.length ?? textParts * LIMITS.storePartChars)) * 2 +
    passageCount * 8 +
    512
  )
}
