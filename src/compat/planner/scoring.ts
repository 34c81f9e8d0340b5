/** How a document's parts become one score. */
import { exp, ln, roundScore } from '../../base/math.ts'
import { HubmeshError } from '../../base/errors.ts'
import type { PlannerGraph } from './graph.ts'
import type { PprMass } from './ppr_mass.ts'
import { cosineOfUnits, toUnitVector } from '../../vector/unit_vector.ts'

/** What each part counts; only their proportions matter. */
export interface ScoringWeights {
  /** Cosine of question and document. */
  readonly relevance: number
  /** Mass of the walk at the document. */
  readonly structural: number
  /**
   * Neighbours in the anchor community (kNN mode), or the convergence of several seeds (KG mode).
   */
  readonly coherence: number
}

/**
 * `sum`: a strong part makes up for a weak one. `geom`: a geometric mean, every part must be
 * strong.
 */
export type Integration = 'sum' | 'geom'

export const EQUAL_WEIGHTS: ScoringWeights = { relevance: 1, structural: 1, coherence: 1 }

/** Below this range, and in front of every logarithm of a part. */
const EPSILON = 1e-9
/** In front of every logarithm of a mass. */
const MASS_EPSILON = 1e-12

/**
 * Values brought to [0, 1] by their smallest and largest; all .5 where these are within 1e-9. Order
 * of keys is kept.
 */
export function minMax(values: ReadonlyMap<string, number>): Map<string, number> {
  let low = Infinity,
    high = -Infinity
  for (const value of values.values()) {
    if (value < low) low = value
    if (value > high) high = value
  }
  const range = high - low,
    out = new Map<string, number>()
  for (const [key, value] of values) out.set(key, range < EPSILON ? 0.5 : (value - low) / range)
  return out
}

/**
 * One score in [0, 1] a key, rounded to 1e-9. Each part is brought to [0, 1] by min-max first; a
 * key that a part lacks has 0 there. `sum`: weighted mean. `geom`: exp(sum of w ln(1e-9 + part) /
 * sum of w). Throws `input/invalid` for another integration and for impossible weights.
 */
export function compositeScore(
  relevance: ReadonlyMap<string, number>,
  structural: ReadonlyMap<string, number>,
  coherence: ReadonlyMap<string, number>,
  weights: ScoringWeights = EQUAL_WEIGHTS,
  integration: Integration = 'sum',
): Map<string, number> {
  checkWeights(weights)
  checkIntegration(integration)
  const parts = [minMax(relevance), minMax(structural), minMax(coherence)]
  const shares = [weights.relevance, weights.structural, weights.coherence]
  const total = shares[0]! + shares[1]! + shares[2]!
  const out = new Map<string, number>()
  for (const part of parts) {
    for (const key of part.keys()) {
      if (out.has(key)) continue
      let sum = 0
      parts.forEach((values, i) => {
        const value = values.get(key) ?? 0
        sum += shares[i]! * (integration === 'geom' ? ln(EPSILON + value) : value)
      })
      out.set(key, roundScore(integration === 'geom' ? exp(sum / total) : sum / total))
    }
  }
  return out
}

/**
 * Cosine of each vector with the question's, brought to [0, 1] by min-max. Throws `input/invalid`
 * for a vector that is none: of another length, without a direction, or with a component that is
 * not finite.
 */
export function relevance(
  vectors: ReadonlyMap<string, ArrayLike<number>>,
  query: ArrayLike<number>,
): Map<string, number> {
  const dims = query.length,
    unit = toUnitVector(query, dims),
    cosines = new Map<string, number>()
  for (const [id, vector] of vectors)
    cosines.set(id, cosineOfUnits(unit, 0, toUnitVector(vector, dims), 0, dims))
  return minMax(cosines)
}

/**
 * What of a score each part is worth, in their order; they add up to it. Under `geom` parts are no
 * summands: the score is shared out by weight times value.
 */
export function scoreParts(
  relevance: ReadonlyMap<string, number>,
  structural: ReadonlyMap<string, number>,
  coherence: ReadonlyMap<string, number>,
  weights: ScoringWeights,
  scores: ReadonlyMap<string, number>,
): (key: string) => readonly [number, number, number] {
  const parts = [minMax(relevance), minMax(structural), minMax(coherence)],
    shares = [weights.relevance, weights.structural, weights.coherence]
  return (key) => {
    const score = scores.get(key) ?? 0,
      weighted = parts.map((values, i) => shares[i]! * (values.get(key) ?? 0)),
      total = weighted[0]! + weighted[1]! + weighted[2]!
    return total === 0
      ? [score, 0, 0]
      : [
          (score * weighted[0]!) / total,
          (score * weighted[1]!) / total,
          (score * weighted[2]!) / total,
        ]
  }
}

/**
 * Share of each node's neighbours that are in the anchor, in [0, 1]; 0 for a node without
 * neighbours.
 */
export function coherence(graph: PlannerGraph, anchor: ReadonlySet<string>): Map<string, number> {
  const out = new Map<string, number>()
  for (const node of graph.nodeIds()) {
    const neighbors = graph.neighbors(node)
    let inside = 0
    for (const neighbor of neighbors) if (anchor.has(neighbor)) inside++
    out.set(node, neighbors.length === 0 ? 0 : inside / neighbors.length)
  }
  return out
}

/**
 * Geometric mean of a node's masses under one walk a seed: high only where every seed reaches it.
 */
export function convergence(node: string, walks: readonly PprMass[]): number {
  let sum = 0
  for (const walk of walks) sum += ln(MASS_EPSILON + walk.of(node))
  return exp(sum / walks.length)
}

/** Throws `input/invalid` unless all are finite, none is negative and one is above 0. */
export function checkWeights(weights: ScoringWeights): void {
  const { relevance, structural, coherence: third } = weights
  for (const weight of [relevance, structural, third]) {
    if (!Number.isFinite(weight) || weight < 0)
      throw new HubmeshError(
        'input/invalid',
        `A scoring weight is ${weight}; give relevance, structural and coherence a finite number of at least 0 each.`,
        { details: { field: 'weights' } },
      )
  }
  if (relevance + structural + third === 0)
    throw new HubmeshError(
      'input/invalid',
      'All scoring weights are 0, so nothing ranks; give one of them a number above 0.',
      { details: { field: 'weights' } },
    )
}

export function checkIntegration(integration: string): void {
  if (integration !== 'sum' && integration !== 'geom')
    throw new HubmeshError(
      'input/invalid',
      `integration is '${String(integration).slice(0, 40)}'; use 'sum' or 'geom'.`,
      { details: { field: 'integration' } },
    )
}
