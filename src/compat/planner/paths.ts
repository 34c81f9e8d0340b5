/** The shortest ways from the seeds to what was found. */
import { byCodeUnits } from './graph.ts'
import type { PlannerGraph } from './graph.ts'

/** seed -> ... -> document. */
export interface PlannerPath {
  readonly nodeIds: readonly string[]
  /** `edges[i]` joins `nodeIds[i]` and `nodeIds[i + 1]`. */
  readonly edges: readonly (readonly [string, string])[]
  /**
   * What joins each pair: the first predicate of a relation, else the edge's kind (`mentions`,
   * `co_occurs`, `similar`), else `joined`.
   */
  readonly predicates: readonly string[]
  /** Mass of the walk at the end, divided by 1 + hops. */
  readonly score: number
}

export interface PathOptions {
  readonly maxPaths: number
  /** Edges of a path at most. */
  readonly maxHops: number
  /** Nodes no path may touch. */
  readonly without?: ReadonlySet<string>
}

/**
 * The shortest path from the nearest seed to each target that is no seed itself and lies within
 * reach; best first, ties by hops, then by id. Among equally short ones it is the way from the
 * first seed, else from the one of smaller id, and over the nodes of smaller id, so that it does
 * not depend on the order of edges.
 */
export function reasoningPaths(
  graph: PlannerGraph,
  seeds: readonly string[],
  targets: readonly string[],
  massOf: (node: string) => number,
  options: PathOptions,
): PlannerPath[] {
  const { maxPaths, maxHops, without } = options
  const wanted = new Set(targets.filter((target) => graph.hasNode(target)))
  const before = new Map<string, string | null>()
  for (const seed of seeds) if (graph.hasNode(seed) && !without?.has(seed)) before.set(seed, null)
  let missing = [...wanted].filter((target) => !before.has(target)).length
  const found: string[] = []
  const [first, ...others] = before.keys()
  let level = first === undefined ? [] : [first, ...others.sort(byCodeUnits)]
  for (let hops = 0; hops < maxHops && missing > 0 && level.length > 0; hops++) {
    const next: string[] = []
    for (const node of level) {
      for (const neighbor of graph.neighbors(node)) {
        if (before.has(neighbor) || without?.has(neighbor)) continue
        before.set(neighbor, node)
        next.push(neighbor)
        if (wanted.has(neighbor)) {
          found.push(neighbor)
          missing--
        }
      }
    }
    level = next.sort(byCodeUnits)
  }
  const paths = found.map((target) => {
    const nodeIds: string[] = []
    for (let node: string | null = target; node !== null; node = before.get(node) ?? null)
      nodeIds.push(node)
    nodeIds.reverse()
    const edges = nodeIds.slice(1).map((node, i) => [nodeIds[i]!, node] as const)
    return {
      nodeIds,
      edges,
      predicates: edges.map(([a, b]) => predicateOf(graph, a, b)),
      score: massOf(target) / nodeIds.length,
    }
  })
  paths.sort(
    (a, b) =>
      b.score - a.score ||
      a.nodeIds.length - b.nodeIds.length ||
      byCodeUnits(a.nodeIds.at(-1)!, b.nodeIds.at(-1)!),
  )
  return paths.slice(0, maxPaths)
}

function predicateOf(graph: PlannerGraph, a: string, b: string): string {
  const attributes = graph.edge(a, b)?.attributes ?? {}
  const predicates = attributes['predicates']
  if (Array.isArray(predicates) && typeof predicates[0] === 'string') return predicates[0]
  return typeof attributes['kind'] === 'string' ? attributes['kind'] : 'joined'
}
