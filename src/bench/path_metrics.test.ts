import { expect, it } from 'vitest'
import { pathMetrics } from './path_metrics.ts'
import type { RankedPath } from './system.ts'

const CLASSES = new Map([
  ['a', 0],
  ['b', 1],
  ['b again', 1],
  ['c', 2],
])

function path(ids: readonly string[], named = ids.slice(1).map(() => true)): RankedPath {
  return { ids, names: named.map((_, i) => `name ${i}`), named }
}

it('the best path counts when it passes through every gold passage or one of its text', () => {
  const gold = { gold: ['a', 'b'], answering: ['b'] }
  expect(pathMetrics([path(['c', 'a', 'b again']), path(['a'])], gold, CLASSES)).toEqual({
    best: 1,
    any: 1,
    union: 1,
    ends: 1,
    bridges: 1,
  })
})

it('a later path, and all together, are told apart from the best', () => {
  const of = (...paths: string[][]): number[] => {
    const { best, any, union } = pathMetrics(
      paths.map((ids) => path(ids)),
      { gold: ['a', 'b'], answering: [] },
      CLASSES,
    )
    return [best, any, union]
  }
  expect(of(['a'], ['b', 'a'])).toEqual([0, 1, 1])
  expect(of(['a'], ['b'])).toEqual([0, 0, 1])
  expect(of(['a'], ['c'])).toEqual([0, 0, 0])
  expect(of()).toEqual([0, 0, 0])
})

it('a path that runs past the answer does not end there, and a month is no bridge', () => {
  const gold = { gold: ['a', 'b'], answering: ['b'] }
  expect(pathMetrics([path(['a', 'b', 'c'], [true, false])], gold, CLASSES)).toMatchObject({
    best: 1,
    ends: 0,
    bridges: 0.5,
  })
  expect(pathMetrics([path(['a'])], { ...gold, answering: [] }, CLASSES)).toMatchObject({
    ends: null,
    bridges: null,
  })
})
