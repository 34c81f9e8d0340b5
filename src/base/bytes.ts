/** Writes and reads binary records, bounds-checked; never allocates more than the bytes at hand. */
import { HubmeshError, type ErrorCode } from './errors.ts'

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Grows as it is written to. All numbers are little-endian. */
export class ByteWriter {
  private bytes: Uint8Array<ArrayBuffer>
  private used = 0

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.used
  }

  u8(value: number): void {
    this.reserve(1)
    this.bytes[this.used++] = value
  }

  u32(value: number): void {
    this.reserve(4)
    for (let shift = 0; shift < 32; shift += 8) this.bytes[this.used++] = value >>> shift
  }

  /** A whole number from 0 to 2^53 - 1 as LEB128: seven bits a byte, low bits first. */
  varint(value: number): void {
    this.reserve(8)
    while (value >= 128) {
      this.bytes[this.used++] = (value % 128) | 128
      value = Math.floor(value / 128)
    }
    this.bytes[this.used++] = value
  }

  /** A whole number of either sign, small ones short. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2)
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.used)
    this.used += bytes.length
  }

  /** UTF-8 where that keeps the string, else UTF-16: a lone surrogate has no UTF-8. */
  text(text: string): void {
    if (isWellFormed(text)) {
      const bytes = ENCODER.encode(text)
      this.varint(bytes.length * 2)
      this.raw(bytes)
      return
    }
    this.varint(text.length * 4 + 1)
    this.reserve(text.length * 2)
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      this.bytes[this.used++] = unit
      this.bytes[this.used++] = unit >>> 8
    }
  }

  /** The bytes written so far; a copy. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.used)
  }

  private reserve(more: number): void {
    const needed = this.used + more
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    grown.set(this.bytes)
    this.bytes = grown
  }
}

/**
 * Reads what ByteWriter wrote; every step past the end, and every impossible value, throws the
 * given code.
 */
export class ByteReader {
  private readonly bytes: Uint8Array
  private readonly code: ErrorCode
  private at = 0

  constructor(bytes: Uint8Array, code: ErrorCode) {
    this.bytes = bytes
    this.code = code
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  u8(): number {
    if (this.at >= this.bytes.length) throw this.fault('it ends too early')
    return this.bytes[this.at++]!
  }

  u32(): number {
    if (this.left < 4) throw this.fault('it ends too early')
    const bytes = this.bytes,
      at = this.at
    this.at += 4
    return (
      (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    )
  }

  varint(): number {
    // nearly all are of one byte, and there are millions of them in an index
    const first = this.bytes[this.at]
    if (first !== undefined && first < 128) {
      this.at++
      return first
    }
    let value = 0
    let scale = 1
    for (let i = 0; i < 8; i++) {
      const byte = this.u8()
      value += (byte & 127) * scale
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break
        return value
      }
      scale *= 128
    }
    throw this.fault('a number is too large')
  }

  signed(): number {
    const value = this.varint()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  /** A number of things, each of which takes at least `bytesEach` of the bytes that are left. */
  count(bytesEach: number): number {
    const count = this.varint()
    if (count * bytesEach > this.left) throw this.fault('a count exceeds the bytes present')
    return count
  }

  /** A view, not a copy. */
  raw(length: number): Uint8Array {
    if (length > this.left) throw this.fault('it ends too early')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  text(maxUnits: number): string {
    const head = this.varint()
    const length = Math.floor(head / 2)
    if (length > maxUnits * 3) throw this.fault('a text is longer than its limit')
    const bytes = this.raw(length)
    const text = head % 2 === 0 ? this.utf8(bytes) : this.utf16(bytes)
    if (text.length > maxUnits) throw this.fault('a text is longer than its limit')
    return text
  }

  /** Throws unless all bytes were read. */
  end(): void {
    if (this.left !== 0) throw this.fault('bytes are left over')
  }

  fault(reason: string): HubmeshError {
    return new HubmeshError(this.code, `A stored record cannot be read: ${reason}.`, {
      details: { offset: this.at, bytes: this.bytes.length },
    })
  }

  private utf8(bytes: Uint8Array): string {
    try {
      return DECODER.decode(bytes)
    } catch {
      throw this.fault('a text is not valid UTF-8')
    }
  }

  private utf16(bytes: Uint8Array): string {
    if (bytes.length % 2 !== 0) throw this.fault('a text has half a character')
    let text = ''
    for (let from = 0; from < bytes.length; from += 16384) {
      const units: number[] = []
      for (let i = from; i < Math.min(from + 16384, bytes.length); i += 2)
        units.push(bytes[i]! | (bytes[i + 1]! << 8))
      text += String.fromCharCode(...units)
    }
    return text
  }
}

/** No surrogate without its partner. */
function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const next = unit < 0xdc00 ? text.charCodeAt(i + 1) : 0
    if (!(next >= 0xdc00 && next <= 0xdfff)) return false
    i++
  }
  return true
}
