import { expect, it } from 'vitest'
import { grown } from './grown.ts'

it('keeps the array where it is long enough', () => {
  const array = new Int32Array(4)
  expect(grown(array, 4)).toBe(array)
})

it('keeps kind and values, and fills what is new', () => {
  const next = grown(Uint16Array.of(1, 2), 3, 9)
  expect(next).toEqual(Uint16Array.of(1, 2, 9))
  expect(grown(new Float64Array(10), 11).length).toBe(15)
})
