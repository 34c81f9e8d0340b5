/**
 * Owns NumPy's .npy files of two-dimensional float32 arrays (format 1.0, numpy.lib.format).
 * Refuses: every other array.
 */
import { HubmeshError } from '../base/errors.ts'

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const // \x93NUMPY
const ALIGN = 64

/** Rows of equal length as one little-endian C-order file. */
export function encodeNpy(rows: readonly Float32Array[], dims: number): Uint8Array<ArrayBuffer> {
  const plain = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${dims}), }`
  const headerLength = Math.ceil((10 + plain.length + 1) / ALIGN) * ALIGN - 10
  const header = `${plain.padEnd(headerLength - 1)}\n`
  const bytes = new Uint8Array(10 + headerLength + 4 * rows.length * dims),
    view = new DataView(bytes.buffer)
  bytes.set(MAGIC)
  bytes[6] = 1
  view.setUint16(8, headerLength, true)
  for (let i = 0; i < header.length; i++) bytes[10 + i] = header.charCodeAt(i)
  let at = 10 + headerLength
  for (const row of rows) {
    if (row.length !== dims)
      throw new HubmeshError('input/invalid', `A row has ${row.length} components, not ${dims}.`)
    for (const value of row) {
      view.setFloat32(at, value, true)
      at += 4
    }
  }
  return bytes
}

/**
 * Throws `input/invalid` for anything but a little-endian C-order float32 array of two dimensions
 * that holds all its rows.
 */
export function decodeNpy(bytes: Uint8Array): {
  readonly rows: Float32Array[]
  readonly dims: number
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || MAGIC.some((value, i) => bytes[i] !== value))
    throw invalid('does not begin with the .npy magic')
  const long = bytes[6]! >= 2
  const start = long ? 12 : 10,
    headerLength = long ? view.getUint32(8, true) : view.getUint16(8, true)
  if (start + headerLength > bytes.length) throw invalid('ends inside its header')
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + headerLength))
  const shape = /'shape': \((\d{1,12}), (\d{1,6})\)/.exec(header)
  if (
    !header.includes("'descr': '<f4'") ||
    !header.includes("'fortran_order': False") ||
    shape === null
  )
    throw invalid('is not a two-dimensional float32 array in C order')
  const count = Number(shape[1]),
    dims = Number(shape[2]),
    at = start + headerLength
  if (bytes.length - at !== 4 * count * dims)
    throw invalid(`has ${bytes.length - at} bytes of data, not ${4 * count * dims}`)
  const rows = Array.from({ length: count }, (_, row) => {
    const values = new Float32Array(dims)
    for (let i = 0; i < dims; i++) values[i] = view.getFloat32(at + 4 * (row * dims + i), true)
    return values
  })
  return { rows, dims }
}

function invalid(what: string): HubmeshError {
  return new HubmeshError('input/invalid', `The .npy file ${what}.`)
}
