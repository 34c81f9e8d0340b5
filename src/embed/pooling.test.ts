import { describe, expect, it } from 'vitest'
import { isUnitVector, pool, unit } from './pooling.ts'

const incompatible = expect.objectContaining({ code: 'model/incompatible' })

describe('pooling token states', () => {
  it('takes their mean and scales it to length 1', () => {
    expect([...pool([1, 0, 5, 8], 2, 2, 'mean')]).toEqual([Math.fround(0.6), Math.fround(0.8)])
  })

  it('takes the first token alone for cls', () => {
    expect([...pool([0, 2, 9, 9], 2, 2, 'cls')]).toEqual([0, 1])
  })

  it('sums in double precision: 255 small states are not lost beside a large one', () => {
    const states = new Float32Array(512).fill(1e-6)
    states[0] = 64
    const [x, y] = pool(states, 256, 2, 'mean') as unknown as [number, number]
    expect(y / x).toBeCloseTo((256 * 1e-6) / (64 + 255 * 1e-6), 12)
  })

  it('refuses states of another size, not finite, or all zero', () => {
    expect(() => pool([1, 2, 3], 2, 2, 'mean')).toThrow(incompatible)
    expect(() => pool([], 0, 2, 'mean')).toThrow(incompatible)
    for (const bad of [Number.NaN, Infinity, -Infinity, 0])
      expect(() => pool([bad, 0], 1, 2, 'mean')).toThrow(incompatible)
  })
})

describe('unit vectors', () => {
  it('are recognised by kind, size, finiteness and length', () => {
    expect(isUnitVector(unit([3, 4]), 2)).toBe(true)
    for (const other of [
      unit([3, 4, 0]),
      [0.6, 0.8],
      new Float32Array(2),
      new Float32Array([Number.NaN, 1]),
      new Float32Array([1, 1]),
      null,
    ]) {
      expect(isUnitVector(other, 2)).toBe(false)
    }
  })
})
