import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectBest } from './select.ts'

test('gives what a full sort gives, for any scores, masks and counts', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 60 }), fc.nat(70), (rows, count) => {
    const scores = Float64Array.from(rows, ([score]) => score), out = Uint8Array.from(rows, ([, isOut]) => (isOut ? 1 : 0))
    const compare = (a: number, b: number): number => b - a     // any total order
    const sorted = rows.map((_, slot) => slot).filter((slot) => out[slot] === 0).sort((a, b) => scores[b]! - scores[a]! || compare(a, b))
    expect(selectBest(scores, rows.length, count, out, compare)).toEqual(sorted.slice(0, count))
  }))
})
