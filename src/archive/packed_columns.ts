/**
 * A smaller form of a buffer of typed columns (src/base/sections.ts): each column as LEB128
 * numbers, of its values or of the steps between them, or as it is, whichever is shortest; the same
 * bytes from every engine, which a compressor of the host would not promise. Unpacking gives the
 * buffer back to the byte, and never more than four times the bytes at hand.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts'

/** Magic, the number of columns, their lengths, as src/base/sections.ts lays them out. */
const HEAD = 8

type Form = 0 | 1 | 2 | 3
const RAW = 0,
  VALUES32 = 1,
  STEPS32 = 2,
  VALUES16 = 3

/** Packs a buffer; one that is not of columns is kept as a single one. */
export function packColumns(bytes: Uint8Array): Uint8Array {
  const cuts = columnsOf(bytes)
  const out = new ByteWriter(bytes.length / 2 + 64)
  out.varint(bytes.length)
  out.varint(cuts.length)
  for (const { from, to } of cuts) {
    const column = bytes.slice(from, to),
      sizes = [column.length, ...packedSizes(column)]
    const form = sizes.indexOf(Math.min(...sizes)) as Form
    out.varint(column.length)
    out.u8(form)
    writeColumn(out, column, form)
  }
  return out.finish()
}

/** The buffer that was packed. Throws `archive/invalid` for what `packColumns` did not write. */
export function unpackColumns(input: ByteReader): Uint8Array<ArrayBuffer> {
  const total = input.varint()
  // every packed number takes a byte at least
  if (total > input.left * 4) throw input.fault('an index claims more than its bytes can hold')
  const out = new Uint8Array(total)
  let at = 0
  const count = input.count(2)
  for (let i = 0; i < count; i++) {
    const length = input.varint(),
      form = input.u8()
    if (length > total - at) throw input.fault('the columns of an index are longer than it says')
    readColumn(input, out.subarray(at, at + length), form)
    at += length
  }
  if (at !== total) throw input.fault('the columns of an index are shorter than it says')
  return out
}

/** Ranges that cover the buffer in order: its head, then each column with the padding behind it. */
function columnsOf(bytes: Uint8Array): { readonly from: number; readonly to: number }[] {
  const whole = [{ from: 0, to: bytes.length }]
  if (bytes.length < HEAD) return whole
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    count = view.getUint32(4, true)
  const head = align(HEAD + count * 4)
  if (count === 0 || head > bytes.length) return whole
  const cuts = [{ from: 0, to: head }]
  let from = head
  for (let i = 0; i < count; i++) {
    const to = from + align(view.getUint32(HEAD + i * 4, true))
    if (to > bytes.length) return whole
    cuts.push({ from, to })
    from = to
  }
  return from === bytes.length ? cuts : whole
}

function align(length: number): number {
  return Math.ceil(length / 8) * 8
}

/** Bytes of the forms 1 to 3, in order. */
function packedSizes(column: Uint8Array): number[] {
  if (column.length % 4 !== 0)
    return [Infinity, Infinity, column.length % 2 === 0 ? sizeOf(halves(column)) : Infinity]
  const values = words(column)
  let plain = 0,
    steps = 0,
    before = 0
  for (const value of values) {
    plain += bytesOf(folded(value))
    steps += bytesOf(folded((value - before) | 0))
    before = value
  }
  return [plain, steps, sizeOf(halves(column))]
}

function sizeOf(values: Uint16Array): number {
  let size = 0
  for (const value of values) size += bytesOf(value)
  return size
}

function bytesOf(value: number): number {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5
}

/** Signed to unsigned, small ones staying small. */
function folded(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0
}

function unfolded(value: number): number {
  return (value >>> 1) ^ -(value & 1)
}

function words(column: Uint8Array): Int32Array {
  return new Int32Array(column.buffer, column.byteOffset, column.length / 4)
}

function halves(column: Uint8Array): Uint16Array {
  return new Uint16Array(column.buffer, column.byteOffset, column.length / 2)
}

/** `column` is at an address of its own. */
function writeColumn(out: ByteWriter, column: Uint8Array, form: Form): void {
  if (form === RAW) {
    out.raw(column)
    return
  }
  if (form === VALUES16) {
    for (const value of halves(column)) out.varint(value)
    return
  }
  let before = 0
  for (const value of words(column)) {
    out.varint(folded(form === STEPS32 ? (value - before) | 0 : value))
    before = value
  }
}

function readColumn(input: ByteReader, column: Uint8Array, form: number): void {
  if (form === RAW) {
    column.set(input.raw(column.length))
    return
  }
  if (
    (form !== VALUES32 && form !== STEPS32 && form !== VALUES16) ||
    column.length % (form === VALUES16 ? 2 : 4) !== 0
  )
    throw input.fault('a column of an index has an unknown form')
  const view = new DataView(column.buffer, column.byteOffset, column.length)
  if (form === VALUES16) {
    for (let at = 0; at < column.length; at += 2) {
      const value = input.varint()
      if (value > 0xffff) throw input.fault('a number of an index is too large')
      view.setUint16(at, value, true)
    }
    return
  }
  let before = 0
  for (let at = 0; at < column.length; at += 4) {
    const folded = input.varint()
    if (folded > 0xffffffff) throw input.fault('a number of an index is too large')
    before = form === STEPS32 ? (before + unfolded(folded)) | 0 : unfolded(folded)
    view.setInt32(at, before, true)
  }
}
