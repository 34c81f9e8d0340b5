import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SectionWriter } from '../base/sections.ts'
import { ByteReader } from '../base/bytes.ts'
import { packColumns, unpackColumns } from './packed_columns.ts'

const unpack = (packed: Uint8Array): Uint8Array => {
  const input = new ByteReader(packed, 'archive/invalid'),
    bytes = unpackColumns(input)
  input.end()
  return bytes
}
const column = fc.oneof(
  fc
    .array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
    .map((values) => Int32Array.from(values)),
  fc
    .array(fc.integer({ min: 0, max: 300 }))
    .map((values) => Int32Array.from(values.sort((a, b) => a - b))),
  fc.array(fc.integer({ min: 0, max: 65535 })).map((values) => Uint16Array.from(values)),
  fc.uint8Array(),
)

describe('packed columns', () => {
  it('unpack to the same bytes, whatever the columns hold', () => {
    fc.assert(
      fc.property(fc.array(column, { maxLength: 8 }), (columns) => {
        const writer = new SectionWriter()
        for (const one of columns) writer.put(one)
        const bytes = writer.finish()
        expect(unpack(packColumns(bytes))).toEqual(bytes)
      }),
      { seed: 7 },
    )
  })

  it('unpack to the same bytes, where these are no columns at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(unpack(packColumns(bytes))).toEqual(bytes)
      }),
      { seed: 7 },
    )
  })

  it('are a quarter as long for small numbers and for numbers that rise by small steps', () => {
    const rising = Int32Array.from({ length: 4000 }, (_, i) => 1_000_000 + i * 50),
      small = Int32Array.from({ length: 4000 }, (_, i) => i % 60)
    const bytes = new SectionWriter().put(rising).put(small).finish()
    expect(packColumns(bytes).length).toBeLessThan(bytes.length / 4 + 64)
  })

  it('that were changed are refused or give other bytes, and never more than four for one', () => {
    const bytes = new SectionWriter()
        .put(Int32Array.from({ length: 300 }, (_, i) => i * 3))
        .put(new Uint8Array(50))
        .finish(),
      packed = packColumns(bytes)
    for (let at = 0; at < packed.length; at++) {
      for (const flip of [1, 128]) {
        const damaged = packed.slice()
        damaged[at]! ^= flip
        try {
          expect(unpack(damaged).length).toBeLessThanOrEqual(damaged.length * 4)
        } catch (error) {
          expect(error).toMatchObject({ code: 'archive/invalid' })
        }
      }
    }
  })
})
