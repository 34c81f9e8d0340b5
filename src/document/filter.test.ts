import { expect, it } from 'vitest'
import type { Filter } from '../types.ts'
import { compileFilter } from './filter.ts'

const metadata = { year: 2020, tags: ['a', 'b'], lang: 'en', draft: false }
const holds = (filter: unknown): boolean => compileFilter(filter as Filter)(metadata)

it('fields, lists and ranges are compared', () => {
  expect(holds({ lang: 'en' })).toBe(true)
  expect(holds({ lang: 'de' })).toBe(false)
  expect(holds({ tags: 'b' })).toBe(true)
  expect(holds({ tags: { in: ['x', 'a'] } })).toBe(true)
  expect(holds({ tags: { not: 'a' } })).toBe(false)
  expect(holds({ year: { gte: 2020, lte: 2021 } })).toBe(true)
  expect(holds({ year: { gte: '2020' } })).toBe(false)
  expect(holds({ missing: null })).toBe(true)
  expect(holds({ missing: { not: 'x' } })).toBe(true)
  expect(holds({ or: [{ lang: 'de' }, { and: [{ year: 2020 }, { draft: false }] }] })).toBe(true)
  expect(holds({})).toBe(true)
})

it('names of object members are fields like others', () => {
  expect(holds({ constructor: null })).toBe(true)
  expect(
    compileFilter(JSON.parse('{"__proto__":"x"}') as Filter)(
      JSON.parse('{"__proto__":"x"}') as typeof metadata,
    ),
  ).toBe(true)
})

it('another shape is a named error that says what is allowed', () => {
  let deep: unknown = { a: 1 }
  for (let i = 0; i < 20; i++) deep = { and: [deep] }
  for (const bad of [
    null,
    3,
    [],
    { a: { like: 'x' } },
    { a: { in: 'x' } },
    { a: [1] },
    { a: { gte: NaN } },
    deep,
  ]) {
    expect(() => holds(bad)).toThrowError(
      expect.objectContaining({
        code: 'input/invalid',
        message: expect.stringContaining('A filter is'),
      }),
    )
  }
})
