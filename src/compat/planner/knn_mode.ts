/** Retrieval over the graph of nearest neighbours around a question. */
import { throwIfAborted } from '../../base/errors.ts'
import { toUnitVector } from '../../vector/unit_vector.ts'
import type { PlannerConfig } from './config.ts'
import { cosines, readVectors } from './document_vectors.ts'
import type { DocumentVectors } from './document_vectors.ts'
import { byCodeUnits, PlannerGraph } from './graph.ts'
import { reasoningPaths } from './paths.ts'
import { PprSolver } from './ppr.ts'
import type { Asked, Ranking } from './ranking.ts'
import { rankBy } from './ranking.ts'
import type { PlannerStore } from './result.ts'
import { coherence, compositeScore, minMax, scoreParts } from './scoring.ts'

const NEIGHBORS = 16
const MAX_HOPS = 3
/** Questions to a store at the same time: a remote one answers them together. */
const CONCURRENCY = 16

/** Documents that are excluded are passed over as if the store did not hold them. */
export async function rankByNeighbors(
  asked: Asked & { readonly vector: Float32Array },
  store: PlannerStore,
  config: PlannerConfig,
): Promise<Ranking> {
  const { excluded } = asked
  const signal = asked.signal ?? undefined
  const firstPass = await nearestTo(asked, store, config.seedTopK)
  const graph = await inducedSubgraph(store, [...firstPass.keys()], {
    hops: config.subgraphHops,
    cap: config.subgraphCap,
    excluded,
    ...(signal ? { signal } : {}),
  })
  const ids = graph.nodeIds()
  const vectors = await readVectors(store, ids, signal)
  const cosine = cosines(asked.vector, ids, vectors),
    relevance = minMax(cosine)

  const wanted = (config.useCommunityAnchor || config.useCoherence) && graph.order > 0
  const communities = wanted ? config.detectCommunities(graph) : new Map<string, number>()
  const anchor = wanted ? nearestCommunity(asked.vector, communities, vectors) : new Set(ids)
  const seeds = [...firstPass.keys()]
    .slice(0, config.nSeedsForPpr)
    .filter((id) => graph.hasNode(id))
  const walk = { alpha: config.pprAlpha, ...(signal ? { signal } : {}) }
  const [mass] = seeds.length > 0 ? await new PprSolver(graph).solveMany([seeds], walk) : []
  const massOf = (id: string): number => mass?.of(id) ?? 0

  const structural = new Map(ids.map((id) => [id, massOf(id)]))
  const inside = config.useCoherence ? coherence(graph, anchor) : new Map(ids.map((id) => [id, 1]))
  const scores = compositeScore(relevance, structural, inside, config.weights, config.integration)
  return {
    ranked: rankBy(scores),
    vectors,
    massOf,
    partsOf: scoreParts(relevance, structural, inside, config.weights, scores),
    warnings:
      ids.length === 0
        ? ['No document has a vector, so there is no neighbourhood to look at.']
        : [],
    similarityOf: (id) => firstPass.get(id) ?? relevance.get(id) ?? 0,
    cosineOf: (id) => cosine.get(id) ?? null,
    paths: (found, maxPaths) =>
      reasoningPaths(graph, seeds, found, massOf, { maxPaths, maxHops: MAX_HOPS }),
    debug: (warnings) => ({
      mode: 'knn',
      subgraphNodes: graph.order,
      subgraphEdges: graph.size,
      communities: new Set(communities.values()).size,
      anchorSize: anchor.size,
      pprSeeds: seeds,
      excludedDocs: excluded.size,
      warnings,
    }),
  }
}

/** Cosine of each of the `k` nearest documents that are not excluded, best first. */
async function nearestTo(
  { vector, excluded, signal }: Asked & { readonly vector: Float32Array },
  store: PlannerStore,
  k: number,
): Promise<Map<string, number>> {
  const hits = await store.search(vector, k + excluded.size, signal ? { signal } : {})
  const taken = hits.filter(({ id }) => !excluded.has(id)).slice(0, k)
  return new Map(taken.map(({ id, score }) => [id, score]))
}

export interface SubgraphOptions {
  readonly hops: number
  /** Nodes at most. */
  readonly cap: number
  readonly excluded: ReadonlySet<string>
  readonly signal?: AbortSignal
}

/**
 * What lies within `hops` of the seeds along the 16 nearest neighbours, and every such edge inside
 * it. Nodes of a hop are visited in order of their ids and their neighbours nearest first, so that
 * the same ones are inside when the cap is met.
 */
export async function inducedSubgraph(
  store: PlannerStore,
  seeds: readonly string[],
  options: SubgraphOptions,
): Promise<PlannerGraph> {
  const { cap, excluded, signal } = options
  const known = new Map<string, readonly string[]>()
  const fetchAll = async (ids: readonly string[]): Promise<void> => {
    const missing = ids.filter((id) => !known.has(id))
    for (let from = 0; from < missing.length; from += CONCURRENCY) {
      throwIfAborted(signal)
      await Promise.all(
        missing.slice(from, from + CONCURRENCY).map(async (id) => {
          const near = await store.neighbors(id, NEIGHBORS + excluded.size)
          known.set(
            id,
            near
              .map((hit) => hit.id)
              .filter((other) => !excluded.has(other))
              .slice(0, NEIGHBORS),
          )
        }),
      )
    }
  }
  const nodes = new Set(seeds)
  let frontier = [...nodes]
  for (let hop = 0; hop < options.hops && nodes.size < cap && frontier.length > 0; hop++) {
    frontier.sort(byCodeUnits)
    await fetchAll(frontier)
    const found = new Set<string>()
    for (const id of frontier) {
      for (const neighbor of known.get(id)!) {
        if (nodes.size + found.size >= cap) break
        if (!nodes.has(neighbor)) found.add(neighbor)
      }
    }
    for (const id of found) nodes.add(id)
    frontier = [...found]
  }
  const graph = new PlannerGraph(),
    ordered = [...nodes].sort(byCodeUnits)
  await fetchAll(ordered)
  for (const id of ordered) graph.addNode(id)
  for (const id of ordered)
    for (const neighbor of known.get(id)!)
      if (nodes.has(neighbor)) graph.setEdge(id, neighbor, { kind: 'similar' })
  return graph
}

/**
 * Members of the community whose mean vector is nearest to the question: it holds also where single
 * hits scatter over several.
 */
function nearestCommunity(
  question: Float32Array,
  communities: ReadonlyMap<string, number>,
  vectors: DocumentVectors,
): Set<string> {
  const members = new Map<number, string[]>()
  for (const id of [...communities.keys()].sort(byCodeUnits)) {
    const community = communities.get(id)!
    const list = members.get(community)
    if (list) list.push(id)
    else members.set(community, [id])
  }
  let best: readonly string[] = [],
    bestCosine = -Infinity
  for (const list of members.values()) {
    const sum = new Float64Array(question.length)
    let any = false
    for (const id of list)
      vectors.get(id)?.forEach((x, i) => {
        sum[i]! += x
        any ||= x !== 0
      })
    if (!any || sum.every((x) => x === 0)) continue
    const cosine = cosines(
      question,
      ['mean'],
      new Map([['mean', toUnitVector(sum, question.length)]]),
    ).get('mean')!
    if (cosine > bestCosine) {
      best = list
      bestCosine = cosine
    }
  }
  return new Set(best)
}
