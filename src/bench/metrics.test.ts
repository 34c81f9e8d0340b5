import { expect, it } from 'vitest'
import { meanInterval, pairedDifference } from './bootstrap.ts'
import { mean, percentile, questionMetrics, textClasses } from './metrics.ts'

const corpus = textClasses([
  { id: 'a', text: 'one' },
  { id: 'b', text: 'two' },
  { id: 'b2', text: 'two' },
  { id: 'c', text: 'three' },
  ...Array.from({ length: 20 }, (_, i) => ({ id: `x${i}`, text: `filler ${i}` })),
])

it('recall, reciprocal rank and nDCG are those of the definitions', () => {
  const metrics = questionMetrics(['x0', 'a', 'x1', 'b', 'x2'], ['a', 'b'], corpus)
  expect(metrics.recall).toEqual([0.5, 1, 1, 1])
  expect(metrics.allGold).toEqual([1, 1])
  expect(metrics.reciprocalRank).toBe(0.5)
  expect(metrics.ndcg).toBeCloseTo(
    (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)),
    12,
  )
})

it('a perfect ranking has nDCG 1 and a ranking without gold has nothing', () => {
  expect(questionMetrics(['b', 'a'], ['a', 'b'], corpus)).toEqual({
    recall: [1, 1, 1, 1],
    allGold: [1, 1],
    reciprocalRank: 1,
    ndcg: 1,
  })
  expect(questionMetrics(['x1', 'x2'], ['a'], corpus)).toEqual({
    recall: [0, 0, 0, 0],
    allGold: [0, 0],
    reciprocalRank: 0,
    ndcg: 0,
  })
})

it('a passage with the text of a gold one counts as it, and only once', () => {
  expect(questionMetrics(['b2', 'b', 'x0'], ['b', 'c'], corpus)).toMatchObject({
    recall: [0.5, 0.5, 0.5, 0.5],
    reciprocalRank: 1,
  })
  expect(questionMetrics(['b2'], ['b', 'b2'], corpus)).toMatchObject({
    recall: [1, 1, 1, 1],
    ndcg: 1,
  })
})

it('gold beyond the tenth place counts for recall at 20 alone', () => {
  const late = [...Array.from({ length: 12 }, (_, i) => `x${i}`), 'a']
  expect(questionMetrics(late, ['a'], corpus)).toEqual({
    recall: [0, 0, 0, 1],
    allGold: [0, 0],
    reciprocalRank: 1 / 13,
    ndcg: 0,
  })
})

it('percentiles are nearest ranks', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3)
  expect(percentile([1, 2, 3, 4], 0.95)).toBe(4)
  expect(percentile([], 0.5)).toBe(0)
  expect(mean([])).toBe(0)
})

it('an interval is reproducible, holds the mean, and narrows with more values', () => {
  const values = Array.from({ length: 100 }, (_, i) => (i % 4 === 0 ? 0 : 1))
  const interval = meanInterval(values)
  expect(meanInterval(values)).toEqual(interval)
  expect(interval.low).toBeLessThan(0.75)
  expect(interval.high).toBeGreaterThan(0.75)
  // the normal approximation: .75 ± 1.96 * sqrt(.75 * .25 / 100)
  expect(interval.low).toBeCloseTo(0.665, 1.5)
  expect(interval.high).toBeCloseTo(0.835, 1.5)
  const wide = meanInterval(values.slice(0, 12))
  expect(wide.high - wide.low).toBeGreaterThan(interval.high - interval.low)
})

it('the paired interval of a constant difference is that difference', () => {
  const b = [0.1, 0.9, 0.4, 0.3],
    a = b.map((value) => value + 0.25)
  const difference = pairedDifference(a, b)
  for (const value of Object.values(difference)) expect(value).toBeCloseTo(0.25, 12)
})
