/**
 * One buffer of many typed arrays: a header, then the arrays one behind the other, as flatbush lays
 * out its index. Without checksums, which are the storage's.
 *
 * Bytes are the machine's own; every engine in use is little-endian, and a buffer of the other
 * order is refused by its magic.
 */
import { HubmeshError } from './errors.ts'

const MAGIC = 0x31544d48 // "HMT1"
type Column = Int32Array | Uint16Array | Uint8Array

export class SectionWriter {
  private readonly columns: Column[] = []

  put(column: Column): this {
    this.columns.push(column)
    return this
  }

  /**
   * Magic, number of columns, their lengths in bytes; then the columns, each at a multiple of 8.
   */
  finish(): Uint8Array<ArrayBuffer> {
    const head = align(8 + this.columns.length * 4)
    const out = new Uint8Array(
      this.columns.reduce((at, column) => at + align(column.byteLength), head),
    )
    new Uint32Array(out.buffer, 0, 2 + this.columns.length).set([
      MAGIC,
      this.columns.length,
      ...this.columns.map((column) => column.byteLength),
    ])
    let at = head
    for (const column of this.columns) {
      out.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
      at += align(column.byteLength)
    }
    return out
  }
}

/**
 * Gives the columns back in order, as copies. Throws `index/corrupt` where the buffer does not hold
 * what it says.
 */
export class SectionReader {
  private readonly lengths: number[] = []
  private column = 0
  private at: number

  constructor(private readonly bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw corrupt()
    const count = view.getUint32(4, true)
    if (8 + count * 4 > bytes.byteLength) throw corrupt()
    for (let i = 0; i < count; i++) this.lengths.push(view.getUint32(8 + i * 4, true))
    this.at = align(8 + count * 4)
    if (this.lengths.reduce((sum, length) => sum + align(length), this.at) !== bytes.byteLength)
      throw corrupt()
  }

  int32(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.next(4))
  }

  uint16(): Uint16Array<ArrayBuffer> {
    return new Uint16Array(this.next(2))
  }

  uint8(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.next(1))
  }

  /** Columns not yet read. */
  get left(): number {
    return this.lengths.length - this.column
  }

  end(): void {
    if (this.column !== this.lengths.length) throw corrupt()
  }

  private next(size: number): ArrayBuffer {
    const length = this.lengths[this.column++]
    if (length === undefined || length % size !== 0) throw corrupt()
    const copy = new Uint8Array(length) // not slice(): that of a Node Buffer is a view of its pool
    copy.set(this.bytes.subarray(this.at, this.at + length))
    this.at += align(length)
    return copy.buffer
  }
}

/** The error of a snapshot that does not hold together; its owner drops it and builds anew. */
export function corrupt(): HubmeshError {
  return new HubmeshError(
    'index/corrupt',
    'A stored index does not hold together; it is dropped and built anew from the documents.',
  )
}

function align(length: number): number {
  return (length + 7) & ~7
}
