import { expect, it } from 'vitest'
import { PlannerGraph } from './graph.ts'
import { reasoningPaths } from './paths.ts'

function graphOf(edges: readonly (readonly [string, string])[]): PlannerGraph {
  const graph = new PlannerGraph()
  for (const node of edges.flat()) graph.addNode(node)
  for (const [a, b] of edges) graph.setEdge(a, b, { kind: 'mentions' })
  return graph
}

const chain = graphOf([
  ['s', 'a'],
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'd'],
  ['s', 'z'],
  ['z', 'b'],
])

it('gives the shortest way to each target within reach, scored by its end and its hops', () => {
  const paths = reasoningPaths(chain, ['s'], ['b', 'd', 'nobody'], () => 0.6, {
    maxPaths: 5,
    maxHops: 3,
  })
  expect(paths).toEqual([
    {
      nodeIds: ['s', 'a', 'b'],
      edges: [
        ['s', 'a'],
        ['a', 'b'],
      ],
      predicates: ['mentions', 'mentions'],
      score: 0.6 / 3,
    },
  ])
  expect(
    reasoningPaths(chain, ['s'], ['b', 'd'], () => 0.6, { maxPaths: 5, maxHops: 4 }).map((path) =>
      path.nodeIds.at(-1),
    ),
  ).toEqual(['b', 'd'])
  expect(
    reasoningPaths(chain, ['s'], ['b', 'd'], (node) => (node === 'd' ? 0.9 : 0.1), {
      maxPaths: 1,
      maxHops: 4,
    }).map((path) => path.nodeIds.at(-1)),
  ).toEqual(['d'])
})

it('gives a seed no path to itself, and begins at the nearest seed', () => {
  expect(
    reasoningPaths(chain, ['s', 'd'], ['s', 'c'], () => 1, { maxPaths: 5, maxHops: 4 }).map(
      (path) => path.nodeIds,
    ),
  ).toEqual([['d', 'c']])
  expect(reasoningPaths(chain, [], ['c'], () => 1, { maxPaths: 5, maxHops: 4 })).toEqual([])
})

it('goes around nodes that may not be touched', () => {
  const paths = reasoningPaths(chain, ['s'], ['b', 'a'], () => 1, {
    maxPaths: 5,
    maxHops: 4,
    without: new Set(['a']),
  })
  expect(paths.map((path) => path.nodeIds)).toEqual([['s', 'z', 'b']])
})

it('does not depend on the order of edges, and shows the predicate of a relation', () => {
  const edges = [
    ['s', 'a'],
    ['s', 'z'],
    ['a', 'b'],
    ['z', 'b'],
  ] as const
  const of = (graph: PlannerGraph): unknown =>
    reasoningPaths(graph, ['s'], ['b'], () => 1, { maxPaths: 5, maxHops: 4 })
  expect(of(graphOf([...edges].reverse()))).toEqual(of(graphOf(edges)))
  const graph = graphOf([['s', 't']])
  graph.setEdge('s', 't', { kind: 'relates', predicates: ['founded', 'leads'] })
  expect(
    reasoningPaths(graph, ['s'], ['t'], () => 1, { maxPaths: 1, maxHops: 1 })[0]!.predicates,
  ).toEqual(['founded'])
})
