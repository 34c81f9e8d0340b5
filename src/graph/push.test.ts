import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EntityGraph, TITLE_WEIGHT } from './entity_graph.ts'
import { Pusher, WHOLE, type PushOptions, type Walk } from './push.ts'

const options: PushOptions = { alpha: 0.3, epsilon: 1e-9, maxEdges: 1e7, excluded: null }

function graphOf(
  edges: readonly (readonly [number, number, boolean])[],
  passages: number,
): EntityGraph {
  const graph = new EntityGraph()
  graph.passages = passages
  const lists = Array.from({ length: passages }, () => new Map<number, boolean>())
  for (const [slot, name, own] of edges) lists[slot]?.set(name, own)
  lists.forEach((list, slot) =>
    graph.setMentions(
      slot,
      [...list].map(([name, own]) => name * 2 + (own ? 1 : 0)),
    ),
  )
  return graph
}

const masses = (walk: Walk): Map<number, number> =>
  new Map([...walk.slots].map((slot, i) => [slot, walk.masses[i]!]))

/** Dense power iteration on the same weights: the oracle. */
function dense(
  graph: EntityGraph,
  passages: number,
  names: number,
  seed: number,
  alpha: number,
): Float64Array {
  const n = passages + names,
    w = Array.from({ length: n }, () => new Float64Array(n))
  for (let slot = 0; slot < passages; slot++) {
    const from = graph.mentions.offset(slot)
    for (const m of graph.mentions.data.subarray(from, from + graph.mentions.length(slot))) {
      const weight = graph.weight(m >> 1) * (m & 1 ? TITLE_WEIGHT : 1)
      w[slot]![passages + (m >> 1)] = weight
      w[passages + (m >> 1)]![slot] = weight
    }
  }
  const sums = w.map((row) => row.reduce((a, b) => a + b, 0))
  let p = new Float64Array(n)
  p[passages + seed] = 1
  for (let step = 0; step < 300; step++) {
    const next = new Float64Array(n)
    next[passages + seed] = alpha
    for (let u = 0; u < n; u++) {
      if (sums[u] === 0) {
        next[u]! += (1 - alpha) * p[u]!
        continue
      }
      for (let v = 0; v < n; v++) next[v]! += ((1 - alpha) * p[u]! * w[u]![v]!) / sums[u]!
    }
    p = next
  }
  return p
}

const edge = fc.tuple(fc.nat(7), fc.nat(9), fc.boolean())

it('push agrees with a dense power iteration, and mass plus residual is one', () => {
  fc.assert(
    fc.property(fc.array(edge, { minLength: 1, maxLength: 40 }), fc.nat(9), (edges, seed) => {
      const graph = graphOf(edges, 8),
        walk = new Pusher(graph).walk([{ name: seed, weight: 1 }], options),
        mass = masses(walk)
      const exact = dense(graph, 8, 10, seed, options.alpha)
      for (let slot = 0; slot < 8; slot++)
        expect(Math.abs((mass.get(slot) ?? 0) - exact[slot]!)).toBeLessThan(1e-6)
      expect(walk.residual).toBeLessThan(1e-6)
    }),
    { numRuns: 200 },
  )
})

it('push is linear in its seeds', () => {
  const graph = graphOf(
    [
      [0, 0, true],
      [0, 1, false],
      [1, 1, true],
      [1, 2, false],
      [2, 2, false],
      [2, 0, false],
      [3, 3, true],
    ],
    4,
  )
  const pusher = new Pusher(graph)
  const a = masses(pusher.walk([{ name: 0, weight: 1 }], options)),
    b = masses(pusher.walk([{ name: 0, weight: 1 }], options))
  const both = masses(
    pusher.walk(
      [
        { name: 0, weight: 0.25 },
        { name: 0, weight: 0.75 },
      ],
      options,
    ),
  )
  for (let slot = 0; slot < 4; slot++)
    expect(both.get(slot) ?? 0).toBeCloseTo(
      0.25 * (a.get(slot) ?? 0) + 0.75 * (b.get(slot) ?? 0),
      7,
    )
})

it('an isolated seed keeps its mass, and an empty seed set is an error', () => {
  const graph = graphOf([[0, 0, false]], 2)
  const walk = new Pusher(graph).walk([{ name: 5, weight: 1 }], options)
  expect(walk.slots).toHaveLength(0)
  expect(walk.residual).toBe(0)
  expect(() => new Pusher(graph).walk([], options)).toThrowError(
    expect.objectContaining({ code: 'input/invalid' }),
  )
})

it('excluded passages carry no mass', () => {
  const graph = graphOf(
    [
      [0, 0, false],
      [1, 0, false],
      [1, 1, false],
      [2, 1, false],
    ],
    3,
  )
  const walk = new Pusher(graph).walk([{ name: 0, weight: 1 }], {
    ...options,
    excluded: Uint8Array.from([0, 1, 0]),
  })
  expect([...walk.slots]).toEqual([0])
})

it('work is bounded: fewer edges with a larger epsilon, and never more than the cap', () => {
  const edges: [number, number, boolean][] = []
  for (let i = 0; i < 3000; i++)
    edges.push([(i * 31 + (i >> 4)) % 500, (i * i + 3 * i) % 701, i % 11 === 0])
  const graph = graphOf(edges, 500),
    pusher = new Pusher(graph)
  const fine = pusher.walk([{ name: 0, weight: 1 }], { ...options, epsilon: 1e-8 }),
    coarse = pusher.walk([{ name: 0, weight: 1 }], { ...options, epsilon: 1e-3 })
  expect(coarse.touchedEdges).toBeLessThan(fine.touchedEdges / 3)
  const capped = pusher.walk([{ name: 0, weight: 1 }], {
    ...options,
    epsilon: 1e-9,
    maxEdges: 1000,
  })
  expect(capped.capped).toBe(true)
  expect(capped.touchedEdges).toBeLessThanOrEqual(1000)
  expect(capped.residual).toBeGreaterThan(0)
})

it('a unit of mass is small enough for a sum of many', () =>
  expect(WHOLE * 8).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER + 1))
