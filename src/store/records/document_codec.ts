/** A stored document and its binary form. */
import { HubmeshError, isHubmeshError, type ErrorCode } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Metadata } from '../../types.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import { crc32, crc32Text } from '../../base/checksum.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'

/** Length of a content hash in hex digits; SHA-256 has 64, room is left for a longer one. */
const HASH_CHARS = 128

/**
 * What is wrong with a value as a stored document, in words without its text; null when nothing is.
 */
export function documentFault(value: { readonly [K in keyof StoredDocument]: unknown }):
  string | null {
  const { id, title, text, hash, passages } = value
  if (typeof id !== 'string' || id.length === 0 || id.length > LIMITS.idChars)
    return 'the id is not a string of 1 to the allowed length'
  if (typeof title !== 'string' || title.length > LIMITS.titleChars)
    return 'the title is not a string within its limit'
  if (typeof text !== 'string' || text.length > LIMITS.documentChars)
    return 'the text is not a string within its limit'
  if (typeof hash !== 'string' || hash.length === 0 || hash.length > HASH_CHARS)
    return 'the content hash is missing'
  if (!(passages instanceof Int32Array) || passages.length % 2 !== 0)
    return 'the passages are not pairs of offsets'
  for (let i = 0; i < passages.length; i += 2) {
    const start = passages[i]!
    const end = passages[i + 1]!
    if (start < 0 || end < start || end > text.length)
      return `passage ${i / 2} lies outside the text`
  }
  return metadataFault(value.metadata)
}

function metadataFault(metadata: unknown): string | null {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return 'the metadata is not an object'
  return jsonFault(metadata, LIMITS.metadataDepth)
}

function jsonFault(value: unknown, depth: number): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : 'the metadata holds a number that JSON has not'
  if (typeof value !== 'object') return 'the metadata holds a value that JSON has not'
  if (depth === 0) return 'the metadata is nested too deeply'
  for (const inner of Array.isArray(value)
    ? (value as unknown[])
    : (Object.values(value) as unknown[])) {
    const fault = jsonFault(inner, depth - 1)
    if (fault !== null) return fault
  }
  return null
}

/**
 * Metadata as JSON text: one form for every store, in which `__proto__` is a field like any other.
 */
export function metadataText(metadata: Metadata): string {
  return JSON.stringify(metadata)
}

/** The metadata of a JSON text, or undefined where it is none within the limits. */
export function parseMetadata(text: unknown): Metadata | undefined {
  if (text === '{}') return {}
  if (typeof text !== 'string' || text.length > LIMITS.metadataChars) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return metadataFault(value) === null ? (value as Metadata) : undefined
  } catch {
    return undefined
  }
}

/** Throws `input/invalid` for a document that could not be read back. */
export function checkStorable(document: StoredDocument): void {
  const fault =
    documentFault(document) ??
    (metadataText(document.metadata).length > LIMITS.metadataChars
      ? 'the metadata is too large'
      : null)
  if (fault === null) return
  const id = typeof document.id === 'string' ? document.id.slice(0, LIMITS.idChars) : ''
  throw new HubmeshError(
    'input/invalid',
    `Document ${JSON.stringify(id)} cannot be stored: ${fault}.`,
    { details: { id } },
  )
}

/** About how many bytes a document takes. */
export function documentBytes({ text, title, id, passages }: StoredDocument): number {
  return (text.length + title.length + id.length) * 2 + passages.byteLength + 512
}

/** CRC-32 over every field; the lengths keep fields from running into each other. */
export function documentCheck(document: StoredDocument, metadata: string): number {
  const { id, title, text, hash, passages } = document
  let crc = crc32Text(
    `${id.length} ${title.length} ${text.length} ${hash.length} ${metadata.length} ${passages.length};`,
  )
  for (const field of [id, title, hash, metadata, text]) crc = crc32Text(field, crc)
  return crc32(new Uint8Array(passages.buffer, passages.byteOffset, passages.byteLength), crc)
}

/** One document as bytes, without a checksum. */
export function encodeOne(document: StoredDocument): Uint8Array {
  const out = new ByteWriter(document.text.length + 512)
  out.text(document.id)
  out.text(document.title)
  out.text(document.hash)
  out.text(metadataText(document.metadata))
  out.text(document.text)
  writePassages(out, document.passages)
  return out.finish()
}

/** The document of `encodeOne`; throws `code` where it is none. */
export function decodeOne(bytes: Uint8Array, code: ErrorCode): StoredDocument {
  const input = new ByteReader(bytes, code)
  const id = input.text(LIMITS.idChars)
  const title = input.text(LIMITS.titleChars)
  const hash = input.text(HASH_CHARS)
  const metadata = input.text(LIMITS.metadataChars)
  return decodeRest(input, { id, title, hash, metadata, text: input.text(LIMITS.documentChars) })
}

/** What of a document its segment's head does not say: all but id and hash. */
export function encodeFields({ title, metadata, text, passages }: StoredDocument): Uint8Array {
  const out = new ByteWriter(text.length + title.length + passages.length * 2 + 64)
  out.varint(title.length)
  out.text(title + metadataText(metadata))
  out.text(text)
  writePassages(out, passages)
  return out.finish()
}

/** The document of `encodeFields`. */
export function decodeFields(input: ByteReader, id: string, hash: string): StoredDocument {
  const titleChars = input.varint(),
    both = input.text(LIMITS.titleChars + LIMITS.metadataChars)
  return decodeRest(input, {
    id,
    hash,
    title: both.slice(0, titleChars),
    metadata: both.slice(titleChars),
    text: input.text(LIMITS.documentChars),
  })
}

function writePassages(out: ByteWriter, passages: Int32Array): void {
  out.varint(passages.length / 2)
  let before = 0
  for (let i = 0; i < passages.length; i += 2) {
    const start = passages[i]!
    const end = passages[i + 1]!
    out.signed(start - before)
    out.varint(end - start)
    before = end
  }
}

/** Reads the passages, the last of each form, and checks the whole. */
function decodeRest(
  input: ByteReader,
  read: { readonly [K in 'id' | 'title' | 'hash' | 'metadata' | 'text']: string },
): StoredDocument {
  const { id, title, hash, text } = read
  const metadata = parseMetadata(read.metadata)
  const passages = new Int32Array(input.count(2) * 2)
  let before = 0
  for (let i = 0; i < passages.length; i += 2) {
    const start = before + input.signed()
    const end = start + input.varint()
    if (start < 0 || end > text.length) throw input.fault(`passage ${i / 2} lies outside the text`)
    passages[i] = start
    passages[i + 1] = end
    before = end
  }
  input.end()
  const document = { id, title, text, metadata: metadata ?? {}, hash, passages }
  const fault = metadata === undefined ? 'the metadata is not valid' : documentFault(document)
  if (fault !== null) throw input.fault(fault)
  return document
}

/**
 * A batch: the number of documents, each one's length and CRC-32, the CRC-32 of that table, then
 * the documents.
 */
export function encodeDocuments(documents: readonly StoredDocument[]): Uint8Array<ArrayBuffer> {
  const table = new ByteWriter()
  table.u32(documents.length)
  const bodies = documents.map(encodeOne)
  for (const body of bodies) {
    table.u32(body.length)
    table.u32(crc32(body))
  }
  const head = table.finish()
  const out = new ByteWriter(head.length + 4 + bodies.reduce((sum, body) => sum + body.length, 0))
  out.raw(head)
  out.u32(crc32(head))
  for (const body of bodies) out.raw(body)
  return out.finish()
}

/**
 * Reads a batch. With `damaged`, a bad document is listed there and the others are given; without,
 * it throws `code`.
 */
export function decodeDocuments(
  bytes: Uint8Array,
  code: ErrorCode,
  damaged?: (record: QuarantinedRecord) => void,
): StoredDocument[] {
  const input = new ByteReader(bytes, code)
  const count = input.u32()
  if (count * 8 > input.left) throw input.fault('a count exceeds the bytes present')
  const table = input.raw(count * 8)
  if (crc32(bytes.subarray(0, 4 + table.length)) !== input.u32())
    throw input.fault('its table does not match its checksum')
  const entries = new ByteReader(table, code)
  const documents: StoredDocument[] = []
  for (let i = 0; i < count; i++) {
    const length = entries.u32()
    const check = entries.u32()
    try {
      const body = input.raw(length)
      if (crc32(body) !== check) throw input.fault(`document ${i} does not match its checksum`)
      documents.push(decodeOne(body, code))
    } catch (error) {
      if (damaged === undefined || !isHubmeshError(error)) throw error
      damaged({ id: `document ${i}`, reason: error.message })
    }
  }
  input.end()
  return documents
}
