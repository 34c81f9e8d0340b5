/**
 * NumPy's .npy arrays (format 1.0 to 3.0, numpy.lib.format) of the two kinds a corpus has: strings,
 * and rows of floats. Object arrays, which are pickles, are rejected.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const // \x93NUMPY
const ALIGN = 64
const MOST_HEADER = 10_000

interface Layout {
  readonly descr: string
  readonly shape: readonly number[]
  readonly at: number
}

/**
 * Rows of a two-dimensional `<f4` or `<f8` array in C order. Throws `archive/invalid` for any
 * other.
 */
export function decodeRows(bytes: Uint8Array): {
  readonly rows: Float32Array[]
  readonly dims: number
} {
  const { descr, shape, at } = layoutOf(bytes),
    width = descr === '<f4' ? 4 : descr === '<f8' ? 8 : 0
  const [count, dims = 0] = shape
  if (width === 0 || count === undefined || shape.length > 2)
    throw invalid('is not a table of floats')
  if (shape.length === 1 && count > 0) throw invalid('has one dimension, not two')
  if (dims > LIMITS.vectorDims || count > LIMITS.documentsPerAdd)
    throw invalid(`has ${count} rows of ${dims}, more than a corpus can have`)
  if (bytes.length - at !== width * count * dims)
    throw invalid(`has ${bytes.length - at} bytes of data, not ${width * count * dims}`)
  const view = viewOf(bytes)
  const rows = Array.from({ length: count }, (_, row) => {
    const values = new Float32Array(dims),
      from = at + width * row * dims
    for (let i = 0; i < dims; i++)
      values[i] =
        width === 4 ? view.getFloat32(from + 4 * i, true) : view.getFloat64(from + 8 * i, true)
    return values
  })
  return { rows, dims }
}

/**
 * The strings of a one-dimensional `<U` array: UTF-32 of fixed length, padded with zeros. Throws
 * `archive/invalid` for any other.
 */
export function decodeStrings(bytes: Uint8Array): string[] {
  const { descr, shape, at } = layoutOf(bytes),
    [count] = shape
  if (count === undefined || shape.length !== 1) throw invalid('is not a list')
  if (count === 0) return []
  const found = /^<U(\d{1,7})$/.exec(descr)
  if (found === null) throw invalid('is not a list of strings')
  const units = Number(found[1]),
    view = viewOf(bytes)
  if (units > LIMITS.idChars || count > LIMITS.documentsPerAdd)
    throw invalid(`has ${count} strings of ${units}, more than a corpus can have`)
  if (bytes.length - at !== 4 * units * count)
    throw invalid(`has ${bytes.length - at} bytes of data, not ${4 * units * count}`)
  return Array.from({ length: count }, (_, row) => {
    let text = '',
      zeros = 0
    for (let i = 0; i < units; i++) {
      const point = view.getUint32(at + 4 * (row * units + i), true)
      if (point === 0) {
        zeros++
        continue
      }
      if (point > 0x10ffff) throw invalid('holds what is no character')
      text += '\u0000'.repeat(zeros) + String.fromCodePoint(point)
      zeros = 0
    }
    return text
  })
}

/** Rows of `dims` components as `<f4`. */
export function encodeRows(rows: readonly Float32Array[], dims: number): Uint8Array<ArrayBuffer> {
  const { bytes, at } = startOf('<f4', `(${rows.length}, ${dims})`, 4 * rows.length * dims),
    view = viewOf(bytes)
  rows.forEach((row, r) => {
    for (let i = 0; i < dims; i++) view.setFloat32(at + 4 * (r * dims + i), row[i]!, true)
  })
  return bytes
}

/** Strings as `<U`. A string that ends with U+0000 loses it, as in NumPy. */
export function encodeStrings(strings: readonly string[]): Uint8Array<ArrayBuffer> {
  const points = strings.map((text) => Array.from(text, (character) => character.codePointAt(0)!))
  const units = Math.max(1, ...points.map((list) => list.length))
  const { bytes, at } = startOf(`<U${units}`, `(${strings.length},)`, 4 * units * strings.length),
    view = viewOf(bytes)
  points.forEach((list, row) => {
    list.forEach((point, i) => {
      view.setUint32(at + 4 * (row * units + i), point, true)
    })
  })
  return bytes
}

function startOf(
  descr: string,
  shape: string,
  dataBytes: number,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly at: number } {
  const plain = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`
  const headerLength = Math.ceil((10 + plain.length + 1) / ALIGN) * ALIGN - 10,
    header = `${plain.padEnd(headerLength - 1)}\n`
  const bytes = new Uint8Array(10 + headerLength + dataBytes)
  bytes.set(MAGIC)
  bytes[6] = 1
  viewOf(bytes).setUint16(8, headerLength, true)
  for (let i = 0; i < header.length; i++) bytes[10 + i] = header.charCodeAt(i)
  return { bytes, at: 10 + headerLength }
}

function layoutOf(bytes: Uint8Array): Layout {
  if (bytes.length < 12 || MAGIC.some((value, i) => bytes[i] !== value))
    throw invalid('does not begin as a .npy file does')
  const long = bytes[6]! >= 2,
    view = viewOf(bytes),
    start = long ? 12 : 10
  const length = long ? view.getUint32(8, true) : view.getUint16(8, true)
  if (length > MOST_HEADER || start + length > bytes.length)
    throw invalid('ends inside its header, or has too long a one')
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + length))
  const descr = /'descr': '([^']{1,20})'/.exec(header),
    shape = /'shape': \(([\d, ]{0,40})\)/.exec(header)
  if (descr === null || shape === null || !header.includes("'fortran_order': False"))
    throw invalid('is not an array of plain values in C order')
  return {
    descr: descr[1]!,
    shape: shape[1]!
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(Number),
    at: start + length,
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function invalid(what: string): HubmeshError {
  return new HubmeshError(
    'archive/invalid',
    `An array of vectors.npz ${what}; hubmesh reads what hubmesh for Python wrote.`,
  )
}
