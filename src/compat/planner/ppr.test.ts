import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PlannerGraph } from './graph.ts'
import { personalizedPageRank, PprSolver } from './ppr.ts'

function graphOf(
  edges: readonly (readonly [string, string, number?])[],
  nodes: readonly string[] = [],
): PlannerGraph {
  const graph = new PlannerGraph()
  for (const node of [...nodes, ...edges.flatMap(([a, b]) => [a, b])]) graph.addNode(node)
  for (const [a, b, weight] of edges) graph.setEdge(a, b, weight === undefined ? {} : { weight })
  return graph
}

const total = (masses: ReadonlyMap<string, number>): number =>
  [...masses.values()].reduce((sum, mass) => sum + mass, 0)

/**
 * The fixed point by Gaussian elimination on p = (1 - alpha) P^T p + alpha r, where a node without
 * edges leads to itself.
 */
function dense(graph: PlannerGraph, seed: string, alpha: number): Map<string, number> {
  const ids = graph.nodeIds(),
    n = ids.length
  const weight = (a: string, b: string): number => {
    const edge = graph.edge(a, b)
    return edge ? ((edge.attributes['weight'] as number | undefined) ?? 1) : 0
  }
  const degree = ids.map((id) => ids.reduce((sum, other) => sum + weight(id, other), 0))
  const rows = ids.map((to, i) => [
    ...ids.map((from, j) => {
      const step = degree[j] === 0 ? (i === j ? 1 : 0) : weight(from, to) / degree[j]!
      return (i === j ? 1 : 0) - (1 - alpha) * step
    }),
    to === seed ? alpha : 0,
  ])
  for (let i = 0; i < n; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]!) > Math.abs(rows[best]![i]!) ? i + k : best), i)
    ;[rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!]
    for (let k = 0; k < n; k++) {
      if (k === i) continue
      const factor = rows[k]![i]! / rows[i]![i]!
      for (let j = i; j <= n; j++) rows[k]![j]! -= factor * rows[i]![j]!
    }
  }
  return new Map(ids.map((id, i) => [id, rows[i]![n]! / rows[i]![i]!]))
}

const smallGraphs = fc.record({
  edges: fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
    ),
    { maxLength: 14 },
  ),
  seed: fc.integer({ min: 0, max: 6 }),
  alpha: fc.constantFrom(0.15, 0.5, 0.9),
})
const build = (edges: readonly (readonly [number, number, number])[]): PlannerGraph =>
  graphOf(
    edges.map(([a, b, weight]) => [`n${a}`, `n${b}`, weight]),
    Array.from({ length: 7 }, (_, i) => `n${i}`),
  )

describe('personalizedPageRank', () => {
  it('agrees with a dense solve on small graphs, and its masses add up to 1', () => {
    fc.assert(
      fc.property(smallGraphs, ({ edges, seed, alpha }) => {
        const graph = build(edges),
          masses = personalizedPageRank(graph, [`n${seed}`], {
            alpha,
            maxIterations: 500,
            tolerance: 1e-13,
          })
        expect(total(masses)).toBeCloseTo(1, 10)
        for (const [node, mass] of dense(graph, `n${seed}`, alpha))
          expect(masses.get(node)!).toBeCloseTo(mass, 9)
      }),
      { seed: 7, numRuns: 100 },
    )
  })

  it('gives what the graph without the excluded nodes gives', () => {
    fc.assert(
      fc.property(smallGraphs, ({ edges, seed }) => {
        const out = `n${(seed + 1) % 7}`,
          rest = build(edges.filter(([a, b]) => `n${a}` !== out && `n${b}` !== out))
        const masked = new PprSolver(build(edges)).solve([`n${seed}`], { without: new Set([out]) })
        const plain = new PprSolver(rest).solve([`n${seed}`])
        for (const node of rest.nodeIds()) expect(masked.of(node)).toBeCloseTo(plain.of(node), 12)
        expect(masked.of(out)).toBe(0)
      }),
      { seed: 8, numRuns: 100 },
    )
  })

  it('gives the same bits whatever the order of nodes and edges', () => {
    const edges = [
      ['b', 'c', 0.1],
      ['a', 'b', 0.7],
      ['ent:x', 'a', 3],
      ['c', 'ent:x', 0.3],
    ] as const
    const options = { hubDiscount: 1.5 }
    expect([...personalizedPageRank(graphOf([...edges].reverse()), ['b', 'a'], options)]).toEqual([
      ...personalizedPageRank(graphOf(edges), ['a', 'b'], options),
    ])
  })

  it('leaves all mass on an isolated seed', () => {
    expect([...personalizedPageRank(graphOf([['a', 'b']], ['alone']), ['alone'])]).toEqual([
      ['a', 0],
      ['alone', 1],
      ['b', 0],
    ])
    const half = personalizedPageRank(graphOf([['a', 'b']], ['alone']), ['alone', 'a'])
    expect(half.get('alone')).toBeCloseTo(0.5, 12)
    expect(total(half)).toBeCloseTo(1, 12)
  })

  it('counts a seed once and passes over unknown ones, but refuses to walk from nowhere', () => {
    const graph = graphOf([
      ['a', 'b'],
      ['b', 'c'],
    ])
    expect([...personalizedPageRank(graph, ['a', 'a', 'nobody'])]).toEqual([
      ...personalizedPageRank(graph, ['a']),
    ])
    for (const seeds of [[], ['nobody']])
      expect(() => personalizedPageRank(graph, seeds)).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
    expect(() => new PprSolver(graph).solve(['a'], { without: new Set(['a']) })).toThrow(/seeds/)
    expect(personalizedPageRank(new PlannerGraph(), ['a']).size).toBe(0)
  })

  it('counts a loop once, and lets a hub pass on less with a discount', () => {
    const loop = personalizedPageRank(
      graphOf([
        ['a', 'a'],
        ['a', 'b'],
      ]),
      ['a'],
      { maxIterations: 500, tolerance: 1e-13 },
    )
    expect(loop.get('b')).toBeCloseTo(
      dense(
        graphOf([
          ['a', 'a'],
          ['a', 'b'],
        ]),
        'a',
        0.15,
      ).get('b')!,
      10,
    )
    const graph = graphOf([
      ['doc:s', 'ent:hub'],
      ['doc:s', 'ent:rare'],
      ...Array.from({ length: 20 }, (_, i) => ['ent:hub', `doc:${i}`] as const),
      ['ent:rare', 'doc:t'],
    ])
    const plain = personalizedPageRank(graph, ['doc:s']),
      discounted = personalizedPageRank(graph, ['doc:s'], { hubDiscount: 1 })
    expect(discounted.get('doc:t')!).toBeGreaterThan(plain.get('doc:t')!)
    expect(discounted.get('doc:3')!).toBeLessThan(plain.get('doc:3')!)
  })

  it('refuses impossible options and weights', () => {
    const graph = graphOf([['a', 'b']])
    for (const options of [
      { alpha: 0 },
      { alpha: 1.1 },
      { alpha: NaN },
      { hubDiscount: -1 },
      { hubDiscount: Infinity },
      { maxIterations: 0 },
      { tolerance: -1 },
    ]) {
      expect(() => personalizedPageRank(graph, ['a'], options)).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
    }
    for (const weight of [-1, NaN, Infinity])
      expect(() => new PprSolver(graphOf([['a', 'b', weight]]))).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
    expect(personalizedPageRank(graph, ['a'], { alpha: 1 }).get('a')).toBe(1)
  })

  it('walks for several groups at once as for each alone, and stops at its signal', async () => {
    const solver = new PprSolver(
      graphOf([
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
      ]),
    )
    const options = { maxIterations: 500, tolerance: 1e-12 }
    const many = await solver.solveMany([['a'], ['d']], options)
    expect(many[0]!.of('c')).toBeCloseTo(solver.solve(['a'], options).of('c'), 10)
    expect(many[1]!.of('a')).toBeCloseTo(many[0]!.of('d'), 10)
    const triangle = new PprSolver(
      graphOf([
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'c'],
      ]),
    ).solve(['a'])
    expect(triangle.change).toBeLessThan(1e-6)
    expect(triangle.iterations).toBeLessThan(50)
    expect(solver.solve(['a']).iterations).toBe(50)
    const big = graphOf(Array.from({ length: 30_000 }, (_, i) => [`n${i}`, `n${i + 1}`] as const)),
      controller = new AbortController()
    const walk = new PprSolver(big).solveMany([['n0']], {
      signal: controller.signal,
      tolerance: 0,
      maxIterations: 10_000,
    })
    controller.abort()
    await expect(walk).rejects.toMatchObject({ code: 'aborted' })
  })
})
