import { expect, it } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { slices, Stage } from './staging.ts'

const cut = (items: readonly unknown[]): (readonly unknown[])[] => [...slices(items)]

it('slices keep every entry, in order', () => {
  const items = Array.from({ length: 3 * LIMITS.stageItems + 7 }, (_, i) => ({
    id: String(i),
    text: 'x'.repeat(i),
  }))
  const parts = cut(items)
  expect(parts.flat()).toEqual(items)
  expect(parts.every((part) => part.length > 0 && part.length <= LIMITS.stageItems)).toBe(true)
})

it('a slice is bounded by the length of its texts unless it holds one entry', () => {
  const long = 'x'.repeat(LIMITS.stageChars)
  const parts = cut(['a', long, 'b', 'c', { text: long }, { text: long }])
  expect(parts.map((part) => part.length)).toEqual([1, 1, 2, 1, 1])
})

it('nothing gives no slice, and entries that are no documents pass as they are', () => {
  expect(cut([])).toEqual([])
  expect(cut([null, undefined, 7, { text: 5 }, new Blob(['x'])])).toHaveLength(1)
})

it('a stage gives each key its own entries, once', () => {
  const stage = new Stage()
  stage.push(1, ['a'])
  stage.push(2, ['x'])
  stage.push(1, ['b'])
  stage.drop(2)
  expect(stage.take(1)).toEqual(['a', 'b'])
  expect(stage.take(1)).toEqual([])
  expect(stage.take(2)).toEqual([])
})
