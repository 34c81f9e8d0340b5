import { describe, expect, it } from 'vitest'
import { poolSize, threadsPerWorker } from './pool_size.ts'

describe('the size of the pool', () => {
  it('follows the cores, and ends at four', () => {
    expect([0, 1, 2, 3, 4, 5, 8, 64].map((cores) => poolSize(cores, null))).toEqual([
      1, 1, 2, 3, 4, 4, 4, 4,
    ])
  })

  it('follows the memory where the machine admits to little', () => {
    expect([0.5, 1, 2, 4, 8].map((memory) => poolSize(8, memory))).toEqual([1, 1, 1, 2, 4])
    expect(poolSize(1, 8)).toBe(1)
  })

  it('gives a worker threads only where memory may be shared', () => {
    expect(threadsPerWorker(false, 16, 1)).toBe(1)
    expect(
      [
        [2, 1],
        [2, 2],
        [8, 2],
        [8, 4],
        [64, 2],
        [1, 1],
      ].map(([cores, workers]) => threadsPerWorker(true, cores!, workers!)),
    ).toEqual([2, 1, 4, 2, 4, 1])
  })
})
