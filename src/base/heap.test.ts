import { describe, expect, it } from 'vitest'
import { BinaryHeap } from './heap.ts'

describe('BinaryHeap', () => {
  it('gives items in order, as a sort does', () => {
    let state = 7
    const next = (): number => (state = (state * 48271) % 2147483647) % 50
    const heap = new BinaryHeap<number>((a, b) => a < b),
      given: number[] = []
    for (let i = 0; i < 500; i++) {
      const value = next()
      heap.push(value)
      given.push(value)
    }
    expect(heap.size).toBe(500)
    const out = Array.from({ length: 500 }, () => heap.pop())
    expect(out).toEqual(given.sort((a, b) => a - b))
    expect(heap.pop()).toBeUndefined()
  })

  it('keeps the k largest with replaceTop', () => {
    const heap = new BinaryHeap<number>((a, b) => a < b)
    for (const value of [5, 1, 9, 7, 3, 8]) {
      if (heap.size < 3) heap.push(value)
      else if (value > (heap.peek() as number)) heap.replaceTop(value)
    }
    expect([...heap.values()].sort()).toEqual([7, 8, 9])
  })
})
