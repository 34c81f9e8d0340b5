/** Rows of float32 as NumPy's .npy files. */
import { HubmeshError } from '../base/errors.ts'
import { createNpy, readNpy } from '../base/npy.ts'

/** Rows of equal length as one little-endian C-order file. */
export function encodeNpy(rows: readonly Float32Array[], dims: number): Uint8Array<ArrayBuffer> {
  const { bytes, at } = createNpy('<f4', [rows.length, dims], 4 * rows.length * dims),
    view = new DataView(bytes.buffer)
  for (const [r, row] of rows.entries()) {
    if (row.length !== dims)
      throw new HubmeshError('input/invalid', `A row has ${row.length} components, not ${dims}.`)
    row.forEach((value, i) => {
      view.setFloat32(at + 4 * (r * dims + i), value, true)
    })
  }
  return bytes
}

/** Throws `input/invalid` for anything but a complete `<f4` array of two dimensions. */
export function decodeNpy(bytes: Uint8Array): {
  readonly rows: Float32Array[]
  readonly dims: number
} {
  const { descr, shape, at } = readNpy(bytes, invalid),
    [count, dims] = shape
  if (descr !== '<f4' || count === undefined || dims === undefined || shape.length !== 2)
    throw invalid('is not a two-dimensional float32 array in C order')
  if (bytes.length - at !== 4 * count * dims)
    throw invalid(`has ${bytes.length - at} bytes of data, not ${4 * count * dims}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows = Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: dims }, (_, i) => view.getFloat32(at + 4 * (row * dims + i), true)),
  )
  return { rows, dims }
}

function invalid(what: string): HubmeshError {
  return new HubmeshError('input/invalid', `The .npy file ${what}.`)
}
