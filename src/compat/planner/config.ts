/** What a planner can be told and its defaults, those of hubmesh 0.4.2. */
import { estimateTokens } from '../../chunk/estimate_tokens.ts'
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { PlannerGraph } from './graph.ts'
import { detectCommunities } from './louvain.ts'
import { checkAlpha, checkDiscount } from './ppr.ts'
import { checkIntegration, checkWeights } from './scoring.ts'
import type { Integration, ScoringWeights } from './scoring.ts'

/** Community of each node. */
export type CommunityDetector = (graph: PlannerGraph) => ReadonlyMap<string, number>

/** Fields left out have their defaults. */
export type PlannerOptions = { readonly [K in keyof PlannerConfig]?: PlannerConfig[K] }

const KNOWN: KnownOptions<PlannerOptions> = {
  seedTopK: true,
  nSeedsForPpr: true,
  subgraphHops: true,
  subgraphCap: true,
  pprAlpha: true,
  redundancyLambda: true,
  tokenCounter: true,
  weights: true,
  useCommunityAnchor: true,
  useCoherence: true,
  integration: true,
  hubDiscount: true,
  useConvergence: true,
  detectCommunities: true,
}

export class PlannerConfig {
  /** kNN mode: documents of the first pass; default 10. */
  readonly seedTopK: number
  /** kNN mode: how many of them the walk begins at; default 5. */
  readonly nSeedsForPpr: number
  /** kNN mode: steps from the first pass along nearest neighbours; default 2. */
  readonly subgraphHops: number
  /** kNN mode: documents looked at, at most; default 2000. */
  readonly subgraphCap: number
  /** Probability of returning to a seed, in (0, 1]; default .15. */
  readonly pprAlpha: number
  /**
   * In [0, 1]; default .3. A document more than .95 similar to a picked one is left out when (1 -
   * lambda) * score < lambda * similarity.
   */
  readonly redundancyLambda: number
  /** Tokens of a text; default a quarter of its characters. */
  readonly tokenCounter: (text: string) => number
  /** Default 3 : 1 : 1, or 3 : 1 : 0 without convergence. */
  readonly weights: ScoringWeights
  /**
   * kNN mode: finds the communities and the one nearest to the question; shown in debug, and scored
   * by `useCoherence`. Default false.
   */
  readonly useCommunityAnchor: boolean
  /**
   * kNN mode: scores the share of a document's neighbours that are in the anchor. Default false.
   */
  readonly useCoherence: boolean
  /** Default `sum`. */
  readonly integration: Integration
  /** KG mode: gamma of `PprSolver`; default 0, 1 is recommended for three hops and more. */
  readonly hubDiscount: number
  /**
   * KG mode, with two seeds or more: scores the geometric mean of the masses of a walk from each of
   * the first four. Default true.
   */
  readonly useConvergence: boolean
  /** kNN mode: default the Louvain method in an order that is fixed. */
  readonly detectCommunities: CommunityDetector

  /** Throws `input/invalid` for a value out of range. */
  constructor(options: PlannerOptions = {}) {
    checkOptions<PlannerOptions>('PlannerConfig', options, KNOWN)
    this.seedTopK = whole('seedTopK', options.seedTopK ?? 10, LIMITS.topK)
    this.nSeedsForPpr = whole('nSeedsForPpr', options.nSeedsForPpr ?? 5, LIMITS.topK)
    this.subgraphHops = whole('subgraphHops', options.subgraphHops ?? 2, 100, 0)
    this.subgraphCap = whole('subgraphCap', options.subgraphCap ?? 2000, LIMITS.vectorRows)
    this.pprAlpha = options.pprAlpha ?? 0.15
    checkAlpha('pprAlpha', this.pprAlpha)
    this.redundancyLambda = options.redundancyLambda ?? 0.3
    if (!(this.redundancyLambda >= 0 && this.redundancyLambda <= 1))
      throw invalid('redundancyLambda', this.redundancyLambda, 'a number from 0 to 1')
    this.tokenCounter = options.tokenCounter ?? estimateTokens
    this.useConvergence = options.useConvergence ?? true
    this.weights = {
      ...(options.weights ?? {
        relevance: 3,
        structural: 1,
        coherence: this.useConvergence ? 1 : 0,
      }),
    }
    checkWeights(this.weights)
    this.useCommunityAnchor = options.useCommunityAnchor ?? false
    this.useCoherence = options.useCoherence ?? false
    this.integration = options.integration ?? 'sum'
    checkIntegration(this.integration)
    this.hubDiscount = options.hubDiscount ?? 0
    checkDiscount(this.hubDiscount)
    this.detectCommunities = options.detectCommunities ?? detectCommunities
  }
}

/** A whole number from `least` to `most`, else `input/invalid`. */
export function whole(name: string, value: number, most: number, least = 1): number {
  if (!Number.isInteger(value) || value < least || value > most)
    throw invalid(name, value, `a whole number from ${least} to ${most}`)
  return value
}

function invalid(name: string, value: unknown, wanted: string): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `${name} is ${typeof value === 'number' ? value : `a ${typeof value}`}; give ${wanted}.`,
    { details: { field: name } },
  )
}
