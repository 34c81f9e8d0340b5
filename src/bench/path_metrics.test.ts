import { expect, it } from 'vitest'
import { pathMetrics } from './path_metrics.ts'

const CLASSES = new Map([
  ['a', 0],
  ['b', 1],
  ['b again', 1],
  ['c', 2],
])

it('the best path counts when it passes through every gold passage or one of its text', () => {
  expect(pathMetrics([['c', 'a', 'b again'], ['a']], ['a', 'b'], CLASSES)).toEqual({
    best: 1,
    any: 1,
    union: 1,
  })
})

it('a later path, and all together, are told apart from the best', () => {
  expect(pathMetrics([['a'], ['b', 'a']], ['a', 'b'], CLASSES)).toEqual({
    best: 0,
    any: 1,
    union: 1,
  })
  expect(pathMetrics([['a'], ['b']], ['a', 'b'], CLASSES)).toEqual({ best: 0, any: 0, union: 1 })
  expect(pathMetrics([['a'], ['c']], ['a', 'b'], CLASSES)).toEqual({ best: 0, any: 0, union: 0 })
  expect(pathMetrics([], ['a'], CLASSES)).toEqual({ best: 0, any: 0, union: 0 })
})
