import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crc32, crc32Text } from './checksum.ts'

/** The definition, bit by bit. */
function slowCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

it('the check value of the standard is met', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(crc32(new Uint8Array())).toBe(0)
})

it('eight bytes at a step give the same as bit by bit, in one piece or two', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), (bytes, cut) => {
      expect(crc32(bytes)).toBe(slowCrc(bytes))
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(slowCrc(bytes))
    }),
  )
})

it('four units at a step give the same as one by one, in one piece or two', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 40 }), fc.nat(40), (units, cut) => {
      const text = String.fromCharCode(...units),
        bytes = new Uint8Array(units.flatMap((unit) => [unit & 255, unit >>> 8]))
      expect(crc32Text(text)).toBe(slowCrc(bytes))
      expect(crc32Text(text.slice(cut), crc32Text(text.slice(0, cut)))).toBe(slowCrc(bytes))
    }),
  )
})

it('a text counts as its UTF-16 units in little-endian bytes', () => {
  for (const text of ['', 'a', 'Zürich 東京', '\ud83d\ude00', '\ud83d', '\udc00x', '\0']) {
    const bytes = new Uint8Array(text.length * 2)
    for (let i = 0; i < text.length; i++) {
      bytes[2 * i] = text.charCodeAt(i)
      bytes[2 * i + 1] = text.charCodeAt(i) >>> 8
    }
    expect(crc32Text(text)).toBe(slowCrc(bytes))
    expect(crc32Text(text.slice(1), crc32Text(text.slice(0, 1)))).toBe(slowCrc(bytes))
  }
})
