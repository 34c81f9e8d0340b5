import fc from 'fast-check'
import { expect, it } from 'vitest'
import { roundScore } from '../base/math.ts'
import { selectBest, selectBestRounded } from './select.ts'

it('gives what a full sort gives, for any scores, masks and counts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 60 }),
      fc.nat(70),
      (rows, count) => {
        const scores = Float64Array.from(rows, ([score]) => score),
          out = Uint8Array.from(rows, ([, isOut]) => (isOut ? 1 : 0))
        const compare = (a: number, b: number): number => b - a // any total order
        const sorted = rows
          .map((_, slot) => slot)
          .filter((slot) => out[slot] === 0)
          .sort((a, b) => scores[b]! - scores[a]! || compare(a, b))
        expect(selectBest(scores, rows.length, count, out, compare)).toEqual(sorted.slice(0, count))
      },
    ),
  )
})

it('rounds as much as the choice needs: the same slots and scores as of scores rounded before', () => {
  const grains = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: -9, max: 9 })), { maxLength: 60 })
  fc.assert(
    fc.property(grains, fc.nat(70), (rows, count) => {
      const scores = Float64Array.from(rows, ([score, part]) => score * 1e-9 + part * 1e-10),
        rounded = scores.map(roundScore),
        out = new Uint8Array(rows.length)
      const compare = (a: number, b: number): number => b - a,
        best = selectBestRounded(scores, rows.length, count, out, compare)
      expect(best).toEqual(selectBest(rounded, rows.length, count, out, compare))
      expect(best.map((slot) => scores[slot])).toEqual(best.map((slot) => rounded[slot]))
    }),
  )
})
