/**
 * Communities of a graph by the Louvain method (Blondel et al., "Fast unfolding of communities in
 * large networks", 2008). Nodes are visited in order of their ids and ties go to the smaller
 * community, so one graph has one partition.
 */
import { byCodeUnits, edgeWeight } from './graph.ts'
import type { PlannerGraph } from './graph.ts'

/** A gain below this is rounding. */
const LEAST_GAIN = 1e-12
/**
 * Passes over the nodes of one level: each one raises the modularity, and a dozen reach its end.
 */
const MOST_PASSES = 100

/** Neighbours with their weights; a community of the level below is one node with a loop. */
type Level = readonly ReadonlyMap<number, number>[]

/**
 * Community of each node, numbered from 0 by its first node in order of ids; every node is in one,
 * a node without edges in its own.
 */
export function detectCommunities(graph: PlannerGraph): Map<string, number> {
  const ids = graph.nodeIds().sort(byCodeUnits)
  const index = new Map(ids.map((id, at) => [id, at]))
  const first = ids.map(() => new Map<number, number>())
  for (const edge of graph.edges()) {
    const a = index.get(edge.source)!,
      b = index.get(edge.target)!,
      weight = edgeWeight(edge)
    first[a]!.set(b, weight)
    // A loop counts for both of its ends.
    first[b]!.set(a, a === b ? 2 * weight : weight)
  }
  let level: Level = first
  let communityOf = ids.map((_, at) => at)
  for (;;) {
    const moved = moveNodes(level)
    if (moved === null) break
    communityOf = communityOf.map((node) => moved[node]!)
    level = merge(level, moved)
  }
  const numbers = new Map<number, number>()
  return new Map(
    ids.map((id, at) => {
      const community = communityOf[at]!
      if (!numbers.has(community)) numbers.set(community, numbers.size)
      return [id, numbers.get(community)!]
    }),
  )
}

/**
 * Moves each node to the community with the largest gain in modularity until none gains; null where
 * no node moved.
 */
function moveNodes(level: Level): number[] | null {
  const degrees = level.map((neighbors) => sum(neighbors.values()))
  const total = sum(degrees)
  if (total === 0) return null
  const community = level.map((_, node) => node),
    weight = degrees.slice()
  let everMoved = false
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let moved = false
    level.forEach((neighbors, node) => {
      const own = community[node]!,
        degree = degrees[node]!
      const links = new Map<number, number>([[own, 0]])
      for (const [neighbor, linked] of neighbors) {
        if (neighbor !== node)
          links.set(community[neighbor]!, (links.get(community[neighbor]!) ?? 0) + linked)
      }
      weight[own]! -= degree
      const gainOf = (candidate: number): number =>
        links.get(candidate)! - (weight[candidate]! * degree) / total
      let best = own,
        bestGain = gainOf(own)
      for (const candidate of [...links.keys()].sort((a, b) => a - b)) {
        const gain = gainOf(candidate)
        if (gain > bestGain + LEAST_GAIN) {
          best = candidate
          bestGain = gain
        }
      }
      weight[best]! += degree
      if (best !== own) {
        community[node] = best
        moved = true
      }
    })
    if (!moved) break
    everMoved = true
  }
  return everMoved ? renumber(community) : null
}

/** The graph of the communities. */
function merge(level: Level, community: readonly number[]): Level {
  const merged = Array.from(
    { length: community.reduce((most, one) => Math.max(most, one), 0) + 1 },
    () => new Map<number, number>(),
  )
  level.forEach((neighbors, node) => {
    const from = merged[community[node]!]!
    for (const [neighbor, weight] of neighbors)
      from.set(community[neighbor]!, (from.get(community[neighbor]!) ?? 0) + weight)
  })
  return merged
}

function renumber(community: readonly number[]): number[] {
  const numbers = new Map<number, number>()
  return community.map((old) => {
    if (!numbers.has(old)) numbers.set(old, numbers.size)
    return numbers.get(old)!
  })
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/**
 * Newman's modularity of a partition at resolution 1, in [-.5, 1]: the share of edges inside
 * communities beyond what chance would give.
 */
export function modularity(graph: PlannerGraph, communities: ReadonlyMap<string, number>): number {
  const degrees = new Map<number, number>()
  let inside = 0,
    total = 0
  for (const edge of graph.edges()) {
    const weight = edgeWeight(edge),
      a = communities.get(edge.source)!,
      b = communities.get(edge.target)!
    total += 2 * weight
    if (a === b) inside += 2 * weight
    for (const end of [a, b]) degrees.set(end, (degrees.get(end) ?? 0) + weight)
  }
  if (total === 0) return 0
  let expected = 0
  for (const degree of degrees.values()) expected += (degree / total) ** 2
  return inside / total - expected
}
