/**
 * Places the picture of the reasoning paths. No simulation, chance or DOM: the same answer and
 * width give the same numbers.
 */
import type { PathNode, PathStep, ReasoningPath } from '../../src/index.ts'
import { labelLines, widestPiece } from './label.ts'
import { layersOf, type Layers, type RawNode } from './layers.ts'

export interface PictureNode {
  readonly key: string
  readonly node: PathNode
  readonly lines: readonly string[]
  /** At most the picture's own: a little smaller where that keeps a word whole. */
  readonly fontSize: number
  /** Left upper corner and size, in units of the picture. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** Its layer, from 0. */
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

/** Below this width of a column the layers run from top to bottom, as on a phone. */
const NARROWEST = 84
/** Boxes side by side where layers are rows. */
const IN_ROW = 4

/**
 * Lays out the best paths: left to right, or from top to bottom where the columns would be too
 * narrow to read.
 */
export function layoutPicture(paths: readonly ReasoningPath[], options: LayoutOptions): Picture {
  const maxNodes = options.maxNodes ?? 24
  let graph = layersOf(paths, maxNodes)
  const down = options.width / Math.max(1, graph.layers.length) < NARROWEST
  if (down) graph = layersOf(paths, maxNodes, IN_ROW)
  const { layers, nodes, edges, shown } = graph
  if (nodes.length === 0)
    return { width: options.width, height: 0, fontSize: 12, nodes: [], edges: [], shown: 0 }
  const { placed, height, fontSize } = down
    ? rows(layers, options.width)
    : columns(layers, options.width)
  const heaviest = Math.max(...edges.map((edge) => edge.mass))
  const drawn = edges.map((edge): PictureEdge => {
    const from = placed.get(edge.from.key)!
    const to = placed.get(edge.to.key)!
    return {
      key: edge.key,
      from,
      to,
      d: down ? curveDown(from, to) : curveRight(from, to),
      width: round(1.5 + 4.5 * Math.sqrt(edge.mass / heaviest)),
      mass: edge.mass,
      step: edge.step,
      best: edge.best,
    }
  })
  // Light lines first, the best path last, so that it lies on top.
  drawn.sort((a, b) => Number(a.best) - Number(b.best) || a.mass - b.mass)
  return {
    width: options.width,
    height: Math.ceil(height),
    fontSize,
    nodes: nodes.map((raw) => placed.get(raw.key)!),
    edges: drawn,
    shown,
  }
}

interface Placing {
  readonly placed: ReadonlyMap<string, PictureNode>
  readonly height: number
  readonly fontSize: number
}

/** Layers as columns; each is centred on the height of the tallest. */
function columns(layers: Layers['layers'], width: number): Placing {
  const count = layers.length
  const narrow = width / count < 120
  const fontSize = narrow ? 10 : 12
  const gap = narrow ? Math.max(13, (width / count) * 0.16) : Math.min(72, (width / count) * 0.3)
  const w = Math.min(176, (width - 4 - gap * (count - 1)) / count)
  const step = count > 1 ? (width - 4 - w) / (count - 1) : 0
  const rowGap = narrow ? 10 : 14
  const boxes = new Map(
    layers
      .flat()
      .map((raw) => [raw.key, box(raw, w - (narrow ? 6 : 14), fontSize, narrow ? 4 : 2)]),
  )
  const tall = (layer: readonly RawNode[]): number =>
    layer.reduce((sum, raw) => sum + boxes.get(raw.key)!.h, (layer.length - 1) * rowGap)
  const height = Math.max(...layers.map(tall)) + 8
  const placed = new Map<string, PictureNode>()
  layers.forEach((layer, column) => {
    let y = (height - tall(layer)) / 2
    for (const raw of layer) {
      const { lines, h, size } = boxes.get(raw.key)!
      placed.set(raw.key, {
        key: raw.key,
        node: raw.node,
        lines,
        fontSize: size,
        x: round(2 + column * step),
        y: round(y),
        w: round(w),
        h,
        column,
        best: raw.best,
      })
      y += h + rowGap
    }
  })
  return { placed, height, fontSize }
}

/** Layers as rows; the boxes of a row share the width. */
function rows(layers: Layers['layers'], width: number): Placing {
  const fontSize = 11.5
  const gap = 8
  const placed = new Map<string, PictureNode>()
  let y = 4
  layers.forEach((layer, column) => {
    const w = Math.min(190, (width - 4 - gap * (layer.length - 1)) / layer.length)
    const boxes = layer.map((raw) => box(raw, w - 8, fontSize, 3))
    const h = Math.max(...boxes.map((one) => one.h))
    let x = (width - w * layer.length - gap * (layer.length - 1)) / 2
    layer.forEach((raw, i) => {
      const own = boxes[i]!
      placed.set(raw.key, {
        key: raw.key,
        node: raw.node,
        lines: own.lines,
        fontSize: own.size,
        x: round(x),
        y: round(y + (h - own.h) / 2),
        w: round(w),
        h: own.h,
        column,
        best: raw.best,
      })
      x += w + gap
    })
    y += h + 30
  })
  return { placed, height: y - 26, fontSize }
}

/** Smaller type is not read. */
const SMALLEST = 9

/**
 * Titles are set a little bolder than names. A word a little wider than its box is set smaller, one
 * much wider is broken.
 */
function box(
  raw: RawNode,
  room: number,
  fontSize: number,
  maxLines: number,
): { readonly lines: readonly string[]; readonly h: number; readonly size: number } {
  const { label, kind } = raw.node,
    weight = kind === 'document' ? 1.08 : 1
  const whole = Math.floor((10 * room) / (weight * Math.max(0.1, widestPiece(label)))) / 10,
    size = whole >= SMALLEST ? Math.min(fontSize, whole) : fontSize
  const lines = labelLines(label, room / (size * weight), maxLines)
  return { lines, h: lines.length * Math.round(fontSize * 1.3) + 10, size }
}

/**
 * From the facing side of one box to the facing side of the other; within a column it bows out to
 * the right.
 */
function curveRight(from: PictureNode, to: PictureNode): string {
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

/** The same, turned: from the lower side to the upper; within a row it bows out below. */
function curveDown(from: PictureNode, to: PictureNode): string {
  const across = (node: PictureNode): number => round(node.x + node.w / 2)
  if (from.column === to.column) {
    const bow = round(Math.max(from.y + from.h, to.y + to.h) + 14)
    return (
      `M${across(from)} ${from.y + from.h}C${across(from)} ${bow} ${across(to)} ${bow} ` +
      `${across(to)} ${to.y + to.h}`
    )
  }
  const [upper, lower] = from.column < to.column ? [from, to] : [to, from]
  const y1 = round(upper.y + upper.h)
  const y2 = lower.y
  const bend = round((y2 - y1) * 0.5)
  return `M${across(upper)} ${y1}C${across(upper)} ${y1 + bend} ${across(lower)} ${y2 - bend} ${across(lower)} ${y2}`
}

function mid(node: PictureNode): number {
  return round(node.y + node.h / 2)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
