import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdHead } from './head.ts'

const scores = (values: readonly number[]): Float64Array => Float64Array.from(values)
const ranking = (values: Float64Array): number[] =>
  [...values.keys()].sort((a, b) => (values[b] as number) - (values[a] as number) || a - b)

it('a passage over the head comes just under it, and keeps its place among the others', () => {
  const values = scores([0.5, 0.4, 0.9, 0.7, 0.1])
  const held = holdHead([0, 1], ranking(values), values, 5)
  expect(held.map((h) => h.slot)).toEqual([0, 1, 2, 3, 4])
  expect(held.map((h) => h.score)).toEqual([0.5, 0.4, 0.399999999, 0.399999998, 0.1])
})

it('without a head nothing changes', () => {
  const values = scores([0.2, 0.6, 0.4])
  expect(holdHead([], ranking(values), values, 2)).toEqual([
    { slot: 1, score: 0.6 },
    { slot: 2, score: 0.4 },
  ])
})

it('whatever the scores, the head is first, scores never rise, none is lifted, and nobody is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 12 }),
      fc.nat(11),
      fc.nat(11),
      (raw, a, b) => {
        const values = scores(raw.map((x) => x / 1000)),
          head = [...new Set([a % raw.length, b % raw.length])]
        const held = holdHead(head, ranking(values), values, raw.length)
        expect(held.slice(0, head.length).map((h) => h.slot)).toEqual(head)
        expect(held.map((h) => h.slot).sort((x, y) => x - y)).toEqual([...raw.keys()])
        for (let i = 1; i < held.length; i++)
          expect(held[i]?.score).toBeLessThanOrEqual(held[i - 1]?.score as number)
        for (const { slot, score } of held)
          expect(score).toBeLessThanOrEqual(values[slot] as number)
      },
    ),
  )
})
