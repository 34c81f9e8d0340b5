import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from './edit_distance.ts'

function whole(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      d[i]![j] = Math.min(
        d[i - 1]![j]! + 1,
        d[i]![j - 1]! + 1,
        d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d[i]![j] = Math.min(d[i]![j]!, d[i - 2]![j - 2]! + 1)
    }
  return d[a.length]![b.length]!
}

it('agrees with the whole table up to the bound, and says more beyond it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(word, word, fc.nat(3), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(whole(a, b), most + 1))
    }),
    { numRuns: 2000 },
  )
})

it('knows common slips', () => {
  expect(
    ['derickson', 'derricksno', 'derrickson', 'derickso', 'dorrickson'].map((w) =>
      editDistance(w, 'derrickson', 2),
    ),
  ).toEqual([1, 1, 0, 2, 1])
})
