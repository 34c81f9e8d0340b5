import { expect, it } from 'vitest'
import { PlannerGraph } from './graph.ts'
import { detectCommunities, modularity } from './louvain.ts'

function graphOf(
  edges: readonly (readonly [string, string, number?])[],
  alone: readonly string[] = [],
): PlannerGraph {
  const graph = new PlannerGraph()
  for (const node of [...edges.flatMap(([a, b]) => [a, b]), ...alone]) graph.addNode(node)
  for (const [a, b, weight] of edges) graph.setEdge(a, b, weight === undefined ? {} : { weight })
  return graph
}

/** A ring of cliques, each joined to the next by one edge. */
function ring(cliques: number, size: number): [string, string][] {
  const edges: [string, string][] = []
  for (let c = 0; c < cliques; c++) {
    for (let i = 0; i < size; i++)
      for (let j = i + 1; j < size; j++) edges.push([`c${c}n${i}`, `c${c}n${j}`])
    edges.push([`c${c}n0`, `c${(c + 1) % cliques}n1`])
  }
  return edges
}

it('finds the cliques of a ring', () => {
  const communities = detectCommunities(graphOf(ring(6, 5)))
  expect(new Set(communities.values()).size).toBe(6)
  for (const [node, community] of communities)
    expect(community).toBe(communities.get(`${node.slice(0, 2)}n0`))
})

it('gives one partition whatever the order of nodes and edges', () => {
  const edges = ring(5, 4)
  expect([...detectCommunities(graphOf([...edges].reverse()))]).toEqual([
    ...detectCommunities(graphOf(edges)),
  ])
})

it('follows weights, and leaves a node without edges alone', () => {
  const communities = detectCommunities(
    graphOf(
      [
        ['a', 'b', 9],
        ['c', 'd', 9],
        ['b', 'c', 0.1],
      ],
      ['e'],
    ),
  )
  expect(Object.fromEntries(communities)).toEqual({ a: 0, b: 0, c: 1, d: 1, e: 2 })
  expect(detectCommunities(new PlannerGraph()).size).toBe(0)
  expect([...detectCommunities(graphOf([['a', 'a', 2]])).values()]).toEqual([0])
})

it('modularity agrees with its definition', () => {
  const graph = graphOf([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(
    modularity(
      graph,
      new Map([
        ['a', 0],
        ['b', 0],
        ['c', 1],
        ['d', 1],
      ]),
    ),
  ).toBeCloseTo(0.5, 12)
  expect(
    modularity(
      graph,
      new Map([
        ['a', 0],
        ['b', 0],
        ['c', 0],
        ['d', 0],
      ]),
    ),
  ).toBeCloseTo(0, 12)
  expect(
    modularity(
      graph,
      new Map([
        ['a', 0],
        ['b', 1],
        ['c', 2],
        ['d', 3],
      ]),
    ),
  ).toBeCloseTo(-0.25, 12)
})
