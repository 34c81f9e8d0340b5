/**
 * The merged graph of the reasoning paths and the order of its layers. Within a layer the order
 * follows the mean place of the neighbours (the barycentre heuristic of Sugiyama, Tagawa and Toda
 * 1981), ties by first appearance.
 */
import type { PathNode, PathStep, ReasoningPath } from '../../src/index.ts'

export interface RawNode {
  readonly key: string
  readonly node: PathNode
  column: number
  readonly seen: number
  best: boolean
}
export interface RawEdge {
  readonly key: string
  readonly from: RawNode
  readonly to: RawNode
  readonly step: PathStep
  mass: number
  best: boolean
}

export interface Layers {
  readonly layers: readonly (readonly RawNode[])[]
  readonly nodes: readonly RawNode[]
  readonly edges: readonly RawEdge[]
  /** How many paths are in it. */
  readonly shown: number
}

/**
 * The best paths, as far as at most `maxNodes` nodes, and at most `maxInLayer` side by side, allow.
 */
export function layersOf(
  paths: readonly ReasoningPath[],
  maxNodes: number,
  maxInLayer = Infinity,
): Layers {
  for (let count = paths.length; ; count--) {
    const { nodes, edges, shown } = collect(paths.slice(0, count), maxNodes)
    const layers = order(nodes, edges)
    if (count <= 1 || layers.every((layer) => layer.length <= maxInLayer))
      return { layers, nodes, edges, shown }
  }
}

/** Merges the paths into one graph; a path that would exceed `maxNodes` is left out whole. */
function collect(
  paths: readonly ReasoningPath[],
  maxNodes: number,
): { nodes: RawNode[]; edges: RawEdge[]; shown: number } {
  const nodes = new Map<string, RawNode>()
  const edges = new Map<string, RawEdge>()
  let shown = 0
  for (const path of paths) {
    const keys = path.nodes.map((node) => `${node.kind}\n${node.id}`)
    const fresh = new Set(keys.filter((key) => !nodes.has(key)))
    if (nodes.size + fresh.size > maxNodes) continue
    const best = shown === 0
    shown++
    path.nodes.forEach((node, i) => {
      const key = keys[i]!
      const known = nodes.get(key)
      // A path begins at its seed; everything else finds its column below.
      if (known) known.column = Math.min(known.column, i === 0 ? 0 : UNPLACED)
      else nodes.set(key, { key, node, column: i === 0 ? 0 : UNPLACED, seen: nodes.size, best })
    })
    path.steps.forEach((step, i) => {
      const from = nodes.get(keys[i]!)
      const to = nodes.get(keys[i + 1]!)
      if (!from || !to) return
      const key = [from.key, to.key].sort().join('\n\n')
      const known = edges.get(key)
      if (known) known.mass += path.score
      else edges.set(key, { key, from, to, step, mass: path.score, best })
    })
  }
  assignColumns([...edges.values()])
  return { nodes: [...nodes.values()], edges: [...edges.values()], shown }
}

const UNPLACED = Number.MAX_SAFE_INTEGER

/**
 * The column of a node is its distance from the nearest seed in the merged graph, so that no line
 * jumps over a column.
 */
function assignColumns(edges: readonly RawEdge[]): void {
  for (let changed = true; changed;) {
    changed = false
    for (const { from, to } of edges) {
      for (const [a, b] of [
        [from, to],
        [to, from],
      ] as const) {
        if (a.column === UNPLACED || b.column <= a.column + 1) continue
        b.column = a.column + 1
        changed = true
      }
    }
  }
}

/** Columns from left to right, each ordered by four sweeps of barycentres. */
function order(nodes: readonly RawNode[], edges: readonly RawEdge[]): RawNode[][] {
  const used = [...new Set(nodes.map((raw) => raw.column))].sort((a, b) => a - b)
  const columns = used.map((column) => nodes.filter((raw) => raw.column === column))
  const neighbours = new Map<string, RawNode[]>()
  for (const edge of edges) {
    neighbours.set(edge.from.key, [...(neighbours.get(edge.from.key) ?? []), edge.to])
    neighbours.set(edge.to.key, [...(neighbours.get(edge.to.key) ?? []), edge.from])
  }
  for (let sweep = 0; sweep < 4; sweep++) {
    const place = new Map<string, number>()
    for (const column of columns)
      column.forEach((raw, i) => place.set(raw.key, (i + 0.5) / column.length))
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const wish = new Map(
        column.map((raw) => {
          const around = neighbours.get(raw.key) ?? []
          const mean =
            around.reduce((sum, other) => sum + (place.get(other.key) ?? 0.5), 0) /
            Math.max(1, around.length)
          return [raw.key, around.length === 0 ? 0.5 : mean] as const
        }),
      )
      column.sort((a, b) => wish.get(a.key)! - wish.get(b.key)! || a.seen - b.seen)
      column.forEach((raw, i) => place.set(raw.key, (i + 0.5) / column.length))
    }
  }
  return columns
}
