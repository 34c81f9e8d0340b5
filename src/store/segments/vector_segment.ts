/** How vectors lie in a segment: a head that says whose they are, and a body of 32-bit floats. */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import { crc32 } from '../../base/checksum.ts'
import type { VectorRow } from '../storage.ts'
import { damaged, type Parts } from './segment.ts'

/** Whose vectors lie in a segment: of each row its document, by number, and passage. */
export interface VectorHead {
  readonly identity: string
  readonly dims: number
  readonly ids: readonly string[]
  readonly hashes: readonly string[]
  readonly documentOf: Uint32Array
  readonly passageOf: Uint32Array
  /** CRC-32 of the body. */
  readonly check: number
}

const IDENTITY_CHARS = 8 * LIMITS.titleChars

/** About how many bytes a row takes. */
export function rowBytes(dims: number): number {
  return dims * 4 + 16
}

export function packVectors(identity: string, dims: number, rows: readonly VectorRow[]): Parts {
  const vectors = new Float32Array(rows.length * dims)
  rows.forEach((row, i) => {
    vectors.set(row.vector, i * dims)
  })
  const body = new Uint8Array(vectors.buffer)
  const numbers = new Map<string, number>()
  const documents: VectorRow[] = []
  for (const row of rows) {
    const key = `${row.hash} ${row.documentId}`
    if (numbers.has(key)) continue
    numbers.set(key, documents.length)
    documents.push(row)
  }
  const out = new ByteWriter()
  out.u32(crc32(body))
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
  return { head: out.finish(), body }
}

export function decodeVectorHead(bytes: Uint8Array): VectorHead {
  const input = new ByteReader(bytes, 'store/corrupt')
  return decodeKeys(input, input.u32())
}

/** What follows the checksum; blocks of the layout before have the same. */
export function decodeKeys(input: ByteReader, check: number): VectorHead {
  const dims = input.varint()
  const identity = input.text(IDENTITY_CHARS)
  if (dims === 0 || dims > LIMITS.vectorDims) throw input.fault('its rows have no possible length')
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
  return { identity, dims, ids, hashes, documentOf, passageOf, check }
}

/** The rows, as views. Throws `store/corrupt` where the body is not what was written. */
export function rowsOf(head: VectorHead, body: Uint8Array): VectorRow[] {
  if (crc32(body) !== head.check) throw damaged('its checksum does not match')
  return viewRows(head, body)
}

export function viewRows(head: VectorHead, body: Uint8Array): VectorRow[] {
  const { dims, documentOf, passageOf, ids, hashes } = head,
    count = documentOf.length
  if (body.length !== count * dims * 4) throw damaged('its length does not fit its head')
  const vectors =
    body.byteOffset % 4 === 0
      ? new Float32Array(body.buffer, body.byteOffset, count * dims)
      : new Float32Array(body.slice().buffer)
  return Array.from({ length: count }, (_, i) => ({
    documentId: ids[documentOf[i]!]!,
    hash: hashes[documentOf[i]!]!,
    passage: passageOf[i]!,
    vector: vectors.subarray(i * dims, (i + 1) * dims),
  }))
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
