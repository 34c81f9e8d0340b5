import { describe, expect, it } from 'vitest'
import { poolSize, threadsPerWorker } from './pool_size.ts'

describe('the size of the pool', () => {
  it('follows the cores, leaves the page one of them, and ends at four', () => {
    expect([1, 2, 3, 4, 5, 8, 64].map((cores) => poolSize(cores, null))).toEqual([1, 1, 2, 3, 4, 4, 4])
  })

  it('is one on a machine with little memory', () => {
    expect([0.5, 1, 2].map((memory) => poolSize(8, memory))).toEqual([1, 1, 1])
    expect(poolSize(8, 4)).toBe(4)
  })

  it('gives a worker threads only where memory may be shared', () => {
    expect(threadsPerWorker(false, 16, 1)).toBe(1)
    expect([[2, 1], [2, 2], [8, 2], [64, 2], [1, 1]].map(([cores, workers]) => threadsPerWorker(true, cores!, workers!))).toEqual([1, 1, 3, 4, 1])
  })
})
