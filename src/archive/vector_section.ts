/**
 * Vectors in an archive: f32 as they are, or int8 with one scale a row. Rows out of order or out of
 * range are rejected.
 */
import { LIMITS } from '../base/limits.ts'
import { ByteReader, ByteWriter } from '../base/bytes.ts'
import type { VectorRow } from '../store/storage.ts'
import { invalid } from './frame.ts'

/**
 * `int8` takes dims + 4 bytes a row; a component is off by at most half a 127th of the row's
 * largest.
 */
export type VectorForm = 'f32' | 'int8' | 'none'

/**
 * What a reader must know of the documents before: in order, so that a row names one by its number.
 */
export interface ArchivedDocument {
  readonly id: string
  readonly hash: string
  readonly passages: number
}

export interface NumberedRow {
  readonly document: number
  readonly passage: number
  readonly vector: Float32Array
}

/** Bytes of one row, about. */
export function rowSize(form: VectorForm, dims: number): number {
  return form === 'int8' ? dims + 10 : dims * 4 + 6
}

/** dims, rows, (document, passage) of each row, then the components of all. */
export function encodeVectors(
  form: 'f32' | 'int8',
  dims: number,
  rows: readonly NumberedRow[],
): Uint8Array {
  const out = new ByteWriter(rows.length * rowSize(form, dims) + 16)
  out.varint(dims)
  out.varint(rows.length)
  for (const { document, passage } of rows) {
    out.varint(document)
    out.varint(passage)
  }
  for (const { vector } of rows) out.raw(form === 'f32' ? littleEndian(vector) : quantize(vector))
  return out.finish()
}

function littleEndian(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** The scale as f32, then each component in units of it, from -127 to 127. */
function quantize(vector: Float32Array): Uint8Array {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!))
  const bytes = new Uint8Array(4 + vector.length)
  const scale = Math.fround(largest / 127)
  new DataView(bytes.buffer).setFloat32(0, scale, true)
  const units = new Int8Array(bytes.buffer, 4)
  for (let i = 0; scale > 0 && i < units.length; i++)
    units[i] = Math.max(-127, Math.min(127, Math.round(vector[i]! / scale)))
  return bytes
}

/**
 * Reads one section; `after` is the last row of the one before. Gives the rows and the last of
 * them.
 */
export function decodeVectors(
  form: 'f32' | 'int8',
  dims: number,
  payload: Uint8Array,
  documents: readonly ArchivedDocument[],
  after: { readonly document: number; readonly passage: number },
): {
  readonly rows: VectorRow[]
  readonly last: { readonly document: number; readonly passage: number }
} {
  const input = new ByteReader(payload, 'archive/invalid')
  if (input.varint() !== dims || dims > LIMITS.vectorDims)
    throw invalid('vectors have another length than its embedder makes')
  const count = input.count(form === 'f32' ? dims * 4 : dims + 4)
  const names: { readonly document: number; readonly passage: number }[] = []
  let last = after
  for (let i = 0; i < count; i++) {
    const name = { document: input.varint(), passage: input.varint() }
    if (
      name.document < last.document ||
      (name.document === last.document && name.passage <= last.passage)
    )
      throw invalid('its vectors are out of order')
    const document = documents[name.document]
    if (document === undefined || name.passage >= document.passages)
      throw invalid('a vector belongs to no passage')
    names.push(name)
    last = name
  }
  const rows = names.map(({ document, passage }) => {
    const vector =
      form === 'f32' ? floats(input.raw(dims * 4), dims) : dequantize(input.raw(dims + 4), dims)
    if (!isFinite(vector)) throw invalid('a vector holds a component that is no number')
    return { documentId: documents[document]!.id, hash: documents[document]!.hash, passage, vector }
  })
  input.end()
  return { rows, last }
}

/** A copy: the bytes may lie at any address. */
function floats(bytes: Uint8Array, dims: number): Float32Array {
  const vector = new Float32Array(dims)
  new Uint8Array(vector.buffer).set(bytes)
  return vector
}

function dequantize(bytes: Uint8Array, dims: number): Float32Array {
  const scale = new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true)
  const units = new Int8Array(bytes.buffer, bytes.byteOffset + 4, dims)
  const vector = new Float32Array(dims)
  for (let i = 0; i < dims; i++) vector[i] = units[i]! * scale
  return vector
}

/**
 * Infinities and NaN make the sum of squares one of them; squares of f32 cannot overflow a double.
 */
function isFinite(vector: Float32Array): boolean {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  return Number.isFinite(sum)
}
