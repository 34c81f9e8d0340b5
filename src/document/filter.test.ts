import { describe, expect, it } from 'vitest'
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

describe('operators', () => {
  const record = {
    year: 2020,
    tags: ['sea', 'ship'],
    name: 'Skagen harbour',
    at: '2024-05-01T00:00:00.000Z',
    place: { town: 'Skagen', geo: { lat: 57.7 } },
    nothing: null,
    'a.b': 1,
  }
  const passes = (filter: Filter): boolean => compileFilter(filter)(record)

  it.each<[string, Filter, boolean]>([
    ['eq', { year: { eq: 2020 } }, true],
    ['ne', { year: { ne: 2020 } }, false],
    ['ne of a missing field', { missing: { ne: 1 } }, true],
    ['in', { year: { in: [1, 2020] } }, true],
    ['nin', { tags: { nin: ['sea'] } }, false],
    ['nin of others', { tags: { nin: ['land'] } }, true],
    ['gt', { year: { gt: 2020 } }, false],
    ['gte', { year: { gte: 2020 } }, true],
    ['lt', { year: { lt: 2021 } }, true],
    ['lte', { year: { lte: 2019 } }, false],
    ['between', { year: { between: [2020, 2021] } }, true],
    ['between beside', { year: { between: [2021, 2022] } }, false],
    ['contains in a text', { name: { contains: 'harb' } }, true],
    ['contains in a list', { tags: { contains: 'ship' } }, true],
    ['contains is a whole member', { tags: { contains: 'shi' } }, false],
    ['startsWith', { name: { startsWith: 'Skagen' } }, true],
    ['exists', { nothing: { exists: true } }, true],
    ['exists not', { missing: { exists: false } }, true],
    ['a path', { 'place.town': 'Skagen' }, true],
    ['a deeper path', { 'place.geo.lat': { gt: 57 } }, true],
    ['a path to nowhere', { 'place.geo.lon': null }, true],
    ['a name with a dot', { 'a.b': 1 }, true],
    ['a date', { at: { gte: new Date('2024-01-01'), lt: new Date('2025-01-01') } }, true],
    ['a date equal', { at: new Date('2024-05-01') }, true],
    ['not', { not: { year: 2020 } }, false],
    ['not of or', { not: { or: [{ year: 1 }, { name: 'x' }] } }, true],
    ['two of one field', { year: { gt: 2000, lt: 2010 } }, false],
  ])('%s', (_name, filter, expected) => {
    expect(passes(filter)).toBe(expected)
  })

  it.each<object>([
    { a: { between: [1] } },
    { a: { exists: 1 } },
    { a: { startsWith: 1 } },
    { a: { gt: null } },
    { a: { in: [{}] } },
    { a: new Date(NaN) },
    { a: { constructor: 1 } },
  ])('refuses %o', (filter) => {
    expect(() => passes(filter as never)).toThrow('A filter is')
  })
})

it('fields that the metadata has not do not compile', () => {
  interface Meta {
    readonly year: number
    readonly place: { readonly town: string }
    readonly tags: readonly string[]
  }
  const good: Filter<Meta>[] = [{ year: 1 }, { 'place.town': 'x' }, { not: { tags: 'a' } }]
  // @ts-expect-error no such field
  const wrong: Filter<Meta> = { yeer: 1 }
  // @ts-expect-error no such path
  const astray: Filter<Meta> = { 'place.city': 'x' }
  for (const filter of [...good, wrong, astray])
    expect(compileFilter(filter as Filter)).toBeTypeOf('function')
})
