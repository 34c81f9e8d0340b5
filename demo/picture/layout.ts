/**
 * Owns where the picture of the reasoning paths puts what. Refuses: simulation, chance and the DOM; the same answer and
 * width give the same numbers. Layers are drawn as columns, left to right; within a column the order follows the
 * mean place of the neighbours (the barycentre heuristic of Sugiyama, Tagawa and Toda 1981), ties by first appearance.
 */
import type { PathNode, PathStep, ReasoningPath } from '../../src/index.ts'
import { labelLines } from './label.ts'

export interface PictureNode {
  readonly key: string
  readonly node: PathNode
  readonly lines: readonly string[]
  /** Left upper corner and size, in units of the picture. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly column: number
  /** On the best path. */
  readonly best: boolean
}

export interface PictureEdge {
  readonly key: string
  readonly from: PictureNode
  readonly to: PictureNode
  /** An SVG path. */
  readonly d: string
  /** Stroke width, 1.5 to 6. */
  readonly width: number
  /** Sum of the scores of the shown paths that use it. */
  readonly mass: number
  readonly step: PathStep
  readonly best: boolean
}

export interface Picture {
  readonly width: number
  readonly height: number
  readonly fontSize: number
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly PictureEdge[]
  /** How many of the paths are drawn: the best ones, as far as `maxNodes` allows. */
  readonly shown: number
}

export interface LayoutOptions {
  readonly width: number
  readonly maxNodes?: number
}

interface RawNode { readonly key: string; readonly node: PathNode; column: number; readonly seen: number; best: boolean }
interface RawEdge { readonly key: string; readonly from: RawNode; readonly to: RawNode; readonly step: PathStep; mass: number; best: boolean }

/** Lays out the best paths, left to right. */
export function layoutPicture(paths: readonly ReasoningPath[], options: LayoutOptions): Picture {
  const { nodes, edges, shown } = collect(paths, options.maxNodes ?? 24)
  if (nodes.length === 0) return { width: options.width, height: 0, fontSize: 12, nodes: [], edges: [], shown: 0 }
  const columns = order(nodes, edges)
  const count = columns.length
  const narrow = options.width / count < 120
  const fontSize = narrow ? 10 : 12
  const gap = narrow ? Math.max(13, (options.width / count) * 0.16) : Math.min(72, (options.width / count) * 0.3)
  const w = Math.min(176, (options.width - 4 - gap * (count - 1)) / count)
  const step = count > 1 ? (options.width - 4 - w) / (count - 1) : 0
  const lineHeight = Math.round(fontSize * 1.3)
  const maxLines = narrow ? 4 : 2
  const rowGap = narrow ? 10 : 14
  const boxes = new Map<string, { lines: readonly string[]; h: number }>()
  for (const raw of nodes) {
    // Titles are set a little bolder than names.
    const room = (w - (narrow ? 6 : 14)) / (raw.node.kind === 'document' ? fontSize * 1.08 : fontSize)
    const lines = labelLines(raw.node.label, room, maxLines)
    boxes.set(raw.key, { lines, h: lines.length * lineHeight + 10 })
  }
  const tall = (column: readonly RawNode[]): number => column.reduce((sum, raw) => sum + (boxes.get(raw.key)?.h ?? 0), (column.length - 1) * rowGap)
  const height = Math.max(...columns.map(tall)) + 8
  const placed = new Map<string, PictureNode>()
  columns.forEach((column, c) => {
    let y = (height - tall(column)) / 2
    for (const raw of column) {
      const { lines, h } = boxes.get(raw.key)!
      placed.set(raw.key, { key: raw.key, node: raw.node, lines, x: round(2 + c * step), y: round(y), w: round(w), h, column: c, best: raw.best })
      y += h + rowGap
    }
  })
  const heaviest = Math.max(...edges.map((edge) => edge.mass))
  const drawn = edges.map((edge): PictureEdge => {
    const from = placed.get(edge.from.key)!
    const to = placed.get(edge.to.key)!
    return { key: edge.key, from, to, d: curve(from, to), width: round(1.5 + 4.5 * Math.sqrt(edge.mass / heaviest)), mass: edge.mass, step: edge.step, best: edge.best }
  })
  // Light lines first, the best path last, so that it lies on top.
  drawn.sort((a, b) => Number(a.best) - Number(b.best) || a.mass - b.mass)
  return { width: options.width, height: Math.ceil(height), fontSize, nodes: nodes.map((raw) => placed.get(raw.key)!), edges: drawn, shown }
}

/** Merges the paths into one graph; a path that would exceed `maxNodes` is left out whole. */
function collect(paths: readonly ReasoningPath[], maxNodes: number): { nodes: RawNode[]; edges: RawEdge[]; shown: number } {
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

/** The column of a node is its distance from the nearest seed in the merged graph, so that no line jumps over a column. */
function assignColumns(edges: readonly RawEdge[]): void {
  for (let changed = true; changed;) {
    changed = false
    for (const { from, to } of edges) {
      for (const [a, b] of [[from, to], [to, from]] as const) {
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
    for (const column of columns) column.forEach((raw, i) => place.set(raw.key, (i + 0.5) / column.length))
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const wish = new Map(column.map((raw) => {
        const around = neighbours.get(raw.key) ?? []
        const mean = around.reduce((sum, other) => sum + (place.get(other.key) ?? 0.5), 0) / Math.max(1, around.length)
        return [raw.key, around.length === 0 ? 0.5 : mean] as const
      }))
      column.sort((a, b) => (wish.get(a.key)! - wish.get(b.key)!) || a.seen - b.seen)
      column.forEach((raw, i) => place.set(raw.key, (i + 0.5) / column.length))
    }
  }
  return columns
}

/** From the facing side of one box to the facing side of the other; within a column it bows out to the right. */
function curve(from: PictureNode, to: PictureNode): string {
  if (from.column === to.column) {
    const x = from.x + from.w
    const bow = x + 16
    return `M${x} ${mid(from)}C${bow} ${mid(from)} ${bow} ${mid(to)} ${x} ${mid(to)}`
  }
  const [left, right] = from.column < to.column ? [from, to] : [to, from]
  const x1 = left.x + left.w
  const x2 = right.x
  const bend = round(Math.max(10, (x2 - x1) * 0.5))
  return `M${x1} ${mid(left)}C${x1 + bend} ${mid(left)} ${x2 - bend} ${mid(right)} ${x2} ${mid(right)}`
}

function mid(node: PictureNode): number {
  return round(node.y + node.h / 2)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
