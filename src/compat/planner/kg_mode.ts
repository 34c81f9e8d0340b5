/** Retrieval over an entity graph: seeds, walk, parts of the score, paths. */
import type { PlannerConfig } from './config.ts'
import { cosines } from './document_vectors.ts'
import type { DocumentVectors } from './document_vectors.ts'
import type { EntityKG } from './entity_kg.ts'
import { byCodeUnits } from './graph.ts'
import { reasoningPaths } from './paths.ts'
import { DOCUMENT_PREFIX } from './ppr.ts'
import type { PprSolver } from './ppr.ts'
import type { PprMass } from './ppr_mass.ts'
import type { Asked, Ranking } from './ranking.ts'
import { rankBy } from './ranking.ts'
import type { PlannerStore } from './result.ts'
import { compositeScore, convergence, scoreParts } from './scoring.ts'

const FALLBACK_DOCUMENTS = 3
const FALLBACK_SEEDS = 8
const CONVERGING_SEEDS = 4
const MAX_HOPS = 4
const SHOWN_SEEDS = 10

export interface KgParts {
  readonly kg: EntityKG
  readonly solver: PprSolver
  readonly store: PlannerStore
  readonly config: PlannerConfig
  readonly documentIds: readonly string[]
  readonly vectors: DocumentVectors
  readonly mentions: readonly string[]
}

/**
 * Documents that are excluded are out of the walk, of the ranges of the scores and of the paths.
 */
export async function rankByGraph(asked: Asked, parts: KgParts): Promise<Ranking> {
  const { kg, config, vectors } = parts
  const without = new Set([...asked.excluded].map((id) => DOCUMENT_PREFIX + id))
  const ids = parts.documentIds.filter((id) => !asked.excluded.has(id))
  const warnings: string[] = []
  const { injected, seeds } = await seedsOf(asked, parts, warnings)
  const relevance = cosines(asked.vector, ids, vectors)
  if (relevance.size === 0) warnings.push('No document has a vector: the graph alone ranks.')
  else if (relevance.size < ids.length)
    warnings.push(
      `${ids.length - relevance.size} of ${ids.length} documents have no vector: the graph alone ranks them.`,
    )
  const { each, pooled } = await walksFrom(seeds, without, asked, parts)
  const massOf = (node: string): number =>
    pooled.reduce((sum, walk) => sum + walk.of(node), 0) / Math.max(1, pooled.length)
  const structural = new Map(ids.map((id) => [id, massOf(DOCUMENT_PREFIX + id)]))
  const converging = new Map(
    ids.map((id) => [id, each.length > 0 ? convergence(DOCUMENT_PREFIX + id, each) : 1]),
  )
  const scores =
    pooled.length === 0 && relevance.size === 0
      ? new Map<string, number>()
      : compositeScore(relevance, structural, converging, config.weights, config.integration)
  return {
    ranked: rankBy(scores),
    vectors,
    warnings,
    similarityOf: (id) => relevance.get(id) ?? 0,
    cosineOf: (id) => relevance.get(id) ?? null,
    massOf: (id) => massOf(DOCUMENT_PREFIX + id),
    partsOf: scoreParts(relevance, structural, converging, config.weights, scores),
    paths: (found, maxPaths) => {
      const targets = found.map((id) => DOCUMENT_PREFIX + id)
      const options = { maxPaths, maxHops: MAX_HOPS, without }
      return reasoningPaths(kg.graph, seeds, targets, massOf, options)
    },
    debug: (all) => ({
      mode: 'kg',
      queryMentions: parts.mentions,
      pprSeeds: seeds.slice(0, SHOWN_SEEDS),
      injectedSeeds: injected.slice(0, SHOWN_SEEDS),
      excludedDocs: asked.excluded.size,
      kgNodes: kg.graph.order,
      kgEdges: kg.graph.size,
      warnings: all,
    }),
  }
}

/** Nodes the walk begins at: given names, those of the question, else those of what is nearest. */
async function seedsOf(
  asked: Asked,
  parts: KgParts,
  warnings: string[],
): Promise<{ readonly injected: string[]; readonly seeds: string[] }> {
  const { kg, mentions } = parts
  const injected = kg.queryEntityNodes(asked.seedEntities)
  if (injected.length < asked.seedEntities.length)
    warnings.push(
      `${asked.seedEntities.length} seedEntities led to ${injected.length} nodes of the graph.`,
    )
  const named = [...new Set([...injected, ...kg.queryEntityNodes(mentions)])]
  if (named.length > 0) return { injected, seeds: named }
  const seeds = await seedsOfNearest(asked, parts)
  warnings.push(
    seeds.length === 0
      ? 'No name of the question is in the graph, and no document stands in for one: meaning alone ranks.'
      : 'No name of the question is in the graph: the walk begins at the names of the most similar documents.',
  )
  return { injected, seeds }
}

/** A walk from each of the first seeds, for convergence, and the walks whose mean is the score. */
async function walksFrom(
  seeds: readonly string[],
  without: ReadonlySet<string>,
  { signal }: Asked,
  { solver, config }: KgParts,
): Promise<{ readonly each: readonly PprMass[]; readonly pooled: readonly PprMass[] }> {
  const options = { alpha: config.pprAlpha, without, ...(signal ? { signal } : {}) }
  if (seeds.length === 0) return { each: [], pooled: [] }
  const starts = seeds.slice(0, CONVERGING_SEEDS).map((seed) => [seed])
  const each =
    config.useConvergence && seeds.length >= 2 ? await solver.solveMany(starts, options) : []
  // A walk is linear in where it begins: the one from all seeds is the mean of those from each.
  if (each.length === seeds.length) return { each, pooled: each }
  return { each, pooled: await solver.solveMany([[...seeds]], options) }
}

/**
 * Names of the most similar documents that may take part: what stands in for a question that names
 * nothing.
 */
async function seedsOfNearest(asked: Asked, { kg, store }: KgParts): Promise<string[]> {
  if (!asked.vector) return []
  const hits = await store.search(
    asked.vector,
    FALLBACK_DOCUMENTS + asked.excluded.size,
    asked.signal ? { signal: asked.signal } : {},
  )
  const seeds = new Set<string>()
  for (const { id } of hits
    .filter((hit) => !asked.excluded.has(hit.id))
    .slice(0, FALLBACK_DOCUMENTS)) {
    for (const node of [...(kg.docToEntities.get(id) ?? [])].sort(byCodeUnits))
      if (kg.graph.hasNode(node)) seeds.add(node)
  }
  return [...seeds].slice(0, FALLBACK_SEEDS)
}
