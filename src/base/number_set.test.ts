import { expect, it } from 'vitest'
import { NumberSet } from './number_set.ts'
import { seededRandom } from '../vector/seeded_vectors.ts'

it('it holds what a Set holds, in the same order, each time it is filled', () => {
  const random = seededRandom(11),
    set = new NumberSet()
  for (const [count, range] of [
    [10, 5],
    [5000, 3000],
    [40, 1 << 30],
    [300, 2],
    [900, 1 << 20],
    [0, 1],
  ] as const) {
    set.clear()
    const oracle = new Set<number>()
    for (let i = 0; i < count; i++) {
      const value = Math.floor(random() * range)
      expect(set.add(value)).toBe(!oracle.has(value))
      oracle.add(value)
    }
    expect([...set.values.subarray(0, set.size)]).toEqual([...oracle])
  }
})
