import { describe, expect, it } from 'vitest'
import { PlannerConfig } from './config.ts'
import { PlannerGraph } from './graph.ts'
import { PprSolver } from './ppr.ts'
import { coherence, compositeScore, convergence, minMax, relevance } from './scoring.ts'
import type { Integration } from './scoring.ts'

const map = (values: Record<string, number>): Map<string, number> => new Map(Object.entries(values))

describe('compositeScore', () => {
  const relevance = map({ a: 1, b: 0.5, c: 0 }),
    structural = map({ a: 0.2, b: 0.1, c: 0.3 }),
    neutral = map({ a: 7, b: 7, c: 7 })

  it('is the weighted mean of min-max parts, where a part without range counts .5', () => {
    expect([
      ...compositeScore(relevance, structural, neutral, {
        relevance: 3,
        structural: 1,
        coherence: 1,
      }),
    ]).toEqual([
      ['a', 0.8],
      ['b', 0.4],
      ['c', 0.3],
    ])
  })

  it('is their weighted geometric mean with geom', () => {
    const scores = compositeScore(
      relevance,
      structural,
      neutral,
      { relevance: 3, structural: 1, coherence: 1 },
      'geom',
    )
    const by = (r: number, s: number): number =>
      Math.exp((3 * Math.log(1e-9 + r) + Math.log(1e-9 + s) + Math.log(1e-9 + 0.5)) / 5)
    expect(scores.get('a')).toBeCloseTo(by(1, 0.5), 8)
    expect(scores.get('c')).toBeCloseTo(by(0, 1), 8)
  })

  it('weighs all parts alike by default, and takes 0 for a key that a part lacks', () => {
    expect(
      compositeScore(map({ a: 0, b: 1 }), map({ a: 0, b: 1, c: 2 }), map({})).get('c'),
    ).toBeCloseTo(1 / 3, 9)
    expect(compositeScore(new Map(), new Map(), new Map()).size).toBe(0)
  })

  it('refuses another integration, and weights that rank nothing', () => {
    expect(() =>
      compositeScore(relevance, structural, neutral, undefined, 'max' as Integration),
    ).toThrow(expect.objectContaining({ code: 'input/invalid' }))
    for (const weights of [
      { relevance: 0, structural: 0, coherence: 0 },
      { relevance: -1, structural: 1, coherence: 1 },
      { relevance: NaN, structural: 1, coherence: 1 },
    ]) {
      expect(() => compositeScore(relevance, structural, neutral, weights)).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
    }
  })
})

it('minMax spans [0, 1], and is .5 where nothing differs', () => {
  expect([...minMax(map({ a: -2, b: 0, c: 2 })).values()]).toEqual([0, 0.5, 1])
  expect([...minMax(map({ a: 3, b: 3 + 1e-10 })).values()]).toEqual([0.5, 0.5])
})

it('relevance is the cosine with the question, brought to [0, 1], and refuses what is no vector', () => {
  const vectors = new Map([
    ['along', [2, 0]],
    ['half', [1, 1]],
    ['against', [-3, 0]],
  ])
  const found = relevance(vectors, [5, 0])
  expect([found.get('along'), found.get('against')]).toEqual([1, 0])
  expect(found.get('half')).toBeCloseTo((Math.SQRT1_2 + 1) / 2, 6)
  expect(() => relevance(new Map([['none', [0, 0]]]), [1, 0])).toThrow(
    expect.objectContaining({ code: 'input/invalid' }),
  )
  expect(() => relevance(new Map([['short', [1]]]), [1, 0])).toThrow(
    expect.objectContaining({ code: 'input/invalid' }),
  )
})

it('coherence is the share of neighbours in the anchor', () => {
  const graph = new PlannerGraph()
  for (const node of ['a', 'b', 'c', 'alone']) graph.addNode(node)
  graph.setEdge('a', 'b')
  graph.setEdge('a', 'c')
  expect(Object.fromEntries(coherence(graph, new Set(['a', 'b'])))).toEqual({
    a: 0.5,
    b: 1,
    c: 1,
    alone: 0,
  })
})

it('convergence is high only where every seed reaches', () => {
  const graph = new PlannerGraph()
  for (const node of ['s', 't', 'both', 'one']) graph.addNode(node)
  for (const [a, b] of [
    ['s', 'both'],
    ['t', 'both'],
    ['s', 'one'],
  ] as const)
    graph.setEdge(a, b)
  const solver = new PprSolver(graph),
    walks = [solver.solve(['s']), solver.solve(['t'])]
  expect(convergence('both', walks)).toBeGreaterThan(convergence('one', walks))
  expect(convergence('both', walks)).toBeCloseTo(
    Math.sqrt(walks[0]!.of('both') * walks[1]!.of('both')),
    9,
  )
})

describe('PlannerConfig', () => {
  it('has the defaults of hubmesh', () => {
    const { tokenCounter, detectCommunities, ...rest } = new PlannerConfig()
    expect(rest).toEqual({
      seedTopK: 10,
      nSeedsForPpr: 5,
      subgraphHops: 2,
      subgraphCap: 2000,
      pprAlpha: 0.15,
      redundancyLambda: 0.3,
      weights: { relevance: 3, structural: 1, coherence: 1 },
      useCommunityAnchor: false,
      useCoherence: false,
      integration: 'sum',
      hubDiscount: 0,
      useConvergence: true,
    })
    expect(tokenCounter('12345678')).toBe(2)
    expect(detectCommunities(new PlannerGraph()).size).toBe(0)
    expect(new PlannerConfig({ useConvergence: false }).weights.coherence).toBe(0)
  })

  it.each([
    { seedTopK: 0 },
    { nSeedsForPpr: 1.5 },
    { subgraphHops: -1 },
    { subgraphCap: 0 },
    { pprAlpha: 0 },
    { redundancyLambda: 2 },
    { integration: 'max' as Integration },
    { hubDiscount: NaN },
    { weights: { relevance: 0, structural: 0, coherence: 0 } },
  ])('refuses %o', (options) => {
    expect(() => new PlannerConfig(options)).toThrow(
      expect.objectContaining({ code: 'input/invalid' }),
    )
  })
})
