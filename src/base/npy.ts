/** NumPy's .npy container (format 1.0 to 3.0, numpy.lib.format): header and place of the data. */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const // \x93NUMPY
const ALIGN = 64
const MOST_HEADER = 10_000

export interface NpyLayout {
  /** Type of a value, such as `<f4`. */
  readonly descr: string
  readonly shape: readonly number[]
  /** Offset of the first value; values lie in C order. */
  readonly at: number
}

/** A file with its header written and `dataBytes` of zeros from `at` on. */
export function createNpy(
  descr: string,
  shape: readonly number[],
  dataBytes: number,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly at: number } {
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(', '),
    plain = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${dims}), }`,
    headerLength = Math.ceil((10 + plain.length + 1) / ALIGN) * ALIGN - 10,
    header = `${plain.padEnd(headerLength - 1)}\n`,
    bytes = new Uint8Array(10 + headerLength + dataBytes)
  bytes.set(MAGIC)
  bytes[6] = 1
  new DataView(bytes.buffer).setUint16(8, headerLength, true)
  for (let i = 0; i < header.length; i++) bytes[10 + i] = header.charCodeAt(i)
  return { bytes, at: 10 + headerLength }
}

/** Reads the header; throws what `fault` makes of the reason. Pickled objects are refused. */
export function readNpy(bytes: Uint8Array, fault: (reason: string) => Error): NpyLayout {
  if (bytes.length < 12 || MAGIC.some((value, i) => bytes[i] !== value))
    throw fault('does not begin with the .npy magic')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    long = (bytes[6] as number) >= 2,
    start = long ? 12 : 10,
    length = long ? view.getUint32(8, true) : view.getUint16(8, true)
  if (length > MOST_HEADER || start + length > bytes.length)
    throw fault('ends inside its header, or has too long a one')
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + length)),
    descr = /'descr': '([^']{1,20})'/.exec(header),
    shape = /'shape': \(([\d, ]{0,40})\)/.exec(header)
  if (!descr || !shape || !header.includes("'fortran_order': False"))
    throw fault('is not an array of plain values in C order')
  return {
    descr: descr[1] as string,
    shape: (shape[1] as string)
      .split(',')
      .filter((part) => part.trim() !== '')
      .map(Number),
    at: start + length,
  }
}
