/**
 * Owns the binary form of vectors at rest. Refuses: a block in which anything does not fit.
 *
 * A block is: magic u32, version u32, dims u32, rows u32, bytes of keys u32, CRC-32 u32 of all the
 * rest, then rows * dims f32, then the keys: identity of the embedder, documents (id, content
 * hash), and for each row its document's number and passage. Everything little-endian.
 */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import { crc32 } from '../../base/checksum.ts'
import type { VectorRow } from '../storage.ts'

const MAGIC = 0x56424d48 // "HMBV"
const VERSION = 1
const HEADER = 24
const CHECK_AT = 20
/** Units of an identity's text: four names and a number. */
const IDENTITY_CHARS = 8192

/** What a block holds, without the vectors. */
export interface BlockKeys {
  readonly identity: string
  readonly dims: number
  readonly ids: readonly string[]
  readonly hashes: readonly string[]
  /** For each row: position of its document in `ids`, and the passage. */
  readonly documentOf: Uint32Array
  readonly passageOf: Uint32Array
}

export interface VectorBlock {
  readonly keys: BlockKeys
  /** Views into the block's bytes. */
  readonly rows: readonly VectorRow[]
}

/** Bytes one more row takes at most, keys aside. */
export function rowBytes(dims: number): number {
  return dims * 4 + 10
}

/** The keys as bytes, as they stand in a block and in its entry of the directory. */
export function encodeKeys(
  identity: string,
  dims: number,
  rows: readonly VectorRow[],
): Uint8Array<ArrayBuffer> {
  const numbers = new Map<string, number>()
  const documents: VectorRow[] = []
  for (const row of rows) {
    const key = `${row.hash} ${row.documentId}`
    if (numbers.has(key)) continue
    numbers.set(key, documents.length)
    documents.push(row)
  }
  const out = new ByteWriter()
  out.varint(dims)
  out.text(identity)
  out.varint(documents.length)
  for (const { documentId, hash } of documents) {
    out.text(documentId)
    out.text(hash)
  }
  out.varint(rows.length)
  for (const row of rows) {
    out.varint(numbers.get(`${row.hash} ${row.documentId}`)!)
    out.varint(row.passage)
  }
  return out.finish()
}

export function decodeKeys(bytes: Uint8Array): BlockKeys {
  const input = new ByteReader(bytes, 'store/corrupt')
  const dims = input.varint()
  const identity = input.text(IDENTITY_CHARS)
  const ids: string[] = []
  const hashes: string[] = []
  for (let left = input.count(2); left > 0; left--) {
    ids.push(input.text(LIMITS.idChars))
    hashes.push(input.text(LIMITS.idChars))
  }
  const rows = input.count(2)
  const documentOf = new Uint32Array(rows)
  const passageOf = new Uint32Array(rows)
  for (let i = 0; i < rows; i++) {
    documentOf[i] = input.varint()
    passageOf[i] = input.varint()
    if (documentOf[i]! >= ids.length) throw input.fault('a row names no document')
  }
  input.end()
  return { identity, dims, ids, hashes, documentOf, passageOf }
}

/** Rows of one length, all by the embedder of this identity. */
export function encodeBlock(
  identity: string,
  dims: number,
  rows: readonly VectorRow[],
): Uint8Array<ArrayBuffer> {
  const keys = encodeKeys(identity, dims, rows)
  const bytes = new Uint8Array(HEADER + rows.length * dims * 4 + keys.length)
  const head = new DataView(bytes.buffer)
  const fields = [MAGIC, VERSION, dims, rows.length, keys.length]
  fields.forEach((value, i) => head.setUint32(i * 4, value, true))
  const vectors = new Float32Array(bytes.buffer, HEADER, rows.length * dims)
  rows.forEach((row, i) => vectors.set(row.vector, i * dims))
  bytes.set(keys, HEADER + vectors.byteLength)
  head.setUint32(CHECK_AT, checkOf(bytes), true)
  return bytes
}

/** Throws `store/corrupt` unless every byte is as it was written. */
export function decodeBlock(value: unknown): VectorBlock {
  const bytes =
    value instanceof Uint8Array
      ? value
      : value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : null
  if (bytes === null || bytes.length < HEADER) throw damaged('it is no block')
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEADER)
  const [magic, version, dims, count, keysLength] = [0, 4, 8, 12, 16].map((at) =>
    head.getUint32(at, true),
  ) as [number, number, number, number, number]
  if (magic !== MAGIC || version !== VERSION)
    throw damaged('its first bytes are not those of a block')
  if (
    dims === 0 ||
    dims > LIMITS.vectorDims ||
    HEADER + count * dims * 4 + keysLength !== bytes.length
  )
    throw damaged('its length does not fit its header')
  if (head.getUint32(CHECK_AT, true) !== checkOf(bytes))
    throw damaged('its checksum does not match')
  const keys = decodeKeys(bytes.subarray(bytes.length - keysLength))
  if (keys.documentOf.length !== count || keys.dims !== dims)
    throw damaged('its keys do not fit its header')
  const start = bytes.byteOffset + HEADER
  const vectors =
    start % 4 === 0
      ? new Float32Array(bytes.buffer, start, count * dims)
      : new Float32Array(bytes.slice(HEADER, HEADER + count * dims * 4).buffer)
  const rows = Array.from({ length: count }, (_, i) => {
    const document = keys.documentOf[i]!
    return {
      documentId: keys.ids[document]!,
      hash: keys.hashes[document]!,
      passage: keys.passageOf[i]!,
      vector: vectors.subarray(i * dims, (i + 1) * dims),
    }
  })
  return { keys, rows }
}

/** Throws `input/invalid` for a row that could not be compared with others later. */
export function checkRow(row: VectorRow, dims: number): void {
  let finite = row.vector.length === dims && Number.isInteger(row.passage) && row.passage >= 0
  for (let i = 0; finite && i < dims; i++) finite = Number.isFinite(row.vector[i])
  if (finite) return
  throw new HubmeshError(
    'input/invalid',
    `The vector of passage ${row.passage} of document ${JSON.stringify(row.documentId)} cannot ` +
      `be stored: it needs ${dims} finite components and has ${row.vector.length} components.`,
    { details: { id: row.documentId, dims } },
  )
}

function checkOf(bytes: Uint8Array): number {
  return crc32(bytes.subarray(HEADER), crc32(bytes.subarray(0, CHECK_AT)))
}

function damaged(reason: string): HubmeshError {
  return new HubmeshError(
    'store/corrupt',
    `A block of vectors cannot be read: ${reason}. Its passages are embedded again.`,
  )
}
