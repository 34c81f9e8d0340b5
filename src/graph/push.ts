/**
 * Owns personalised PageRank by forward push (Andersen, Chung & Lang, Local Graph Partitioning using PageRank Vectors, FOCS
 * 2006, section 3) over the graph of passages and names. Refuses: global PageRank; an empty seed set is the caller's fault.
 *
 * Mass is counted in whole units of 2^-50, so that sums are exact and p + residual is 1 to the unit. Pushes run in
 * rounds: all nodes above their threshold push what they hold at the start of the round. Both together make the result a
 * function of the graph alone, whatever the numbering of its nodes or the order of its edges.
 */
import { HubmeshError } from '../errors.ts'
import { TITLE_WEIGHT, type EntityGraph } from './entity_graph.ts'

export const WHOLE = 2 ** 50

export interface PushOptions {
  /** Probability of a jump back to the seeds, in (0, 1). */
  readonly alpha: number
  /** A node pushes while its residual is above epsilon * its number of edges. */
  readonly epsilon: number
  /** Bound on edges touched; when it is reached the rest stays residual. */
  readonly maxEdges: number
  /** Passages that are out of the walk. */
  readonly excluded: Uint8Array | null
}

export interface Walk {
  /** Mass of each touched passage, in (0, 1]. */
  readonly passages: Map<number, number>
  readonly pushes: number
  readonly touchedEdges: number
  /** Mass that was not spread further, in [0, 1). */
  readonly residual: number
  /** True where `maxEdges` ended the walk. */
  readonly capped: boolean
}

/** Tables of a node kind: mass, residual, and who is in the present round. */
class Side {
  mass = new Float64Array(1024)
  residual = new Float64Array(1024)
  touched: number[] = []
  ensure(size: number): void {
    if (size <= this.mass.length) return
    const grow = (a: Float64Array): Float64Array<ArrayBuffer> => { const b = new Float64Array(Math.max(size, Math.ceil(a.length * 1.5))); b.set(a); return b }
    this.mass = grow(this.mass)
    this.residual = grow(this.residual)
  }
  give(node: number, amount: number): void {
    if (this.residual[node] === 0 && this.mass[node] === 0) this.touched.push(node)
    this.residual[node] = (this.residual[node] as number) + amount
  }
  reset(): void {
    for (const node of this.touched) { this.mass[node] = 0; this.residual[node] = 0 }
    this.touched = []
  }
}

/** Holds the work arrays from question to question. */
export class Pusher {
  private readonly passages = new Side()
  private readonly names = new Side()

  constructor(private readonly graph: EntityGraph) {}

  /**
   * Walks from names with restart weights that add up to 1. Passage masses are those settled plus the share that a last,
   * unspread visit settles (alpha of the residual).
   */
  walk(seeds: readonly { readonly name: number; readonly weight: number }[], options: PushOptions): Walk {
    if (seeds.length === 0) throw new HubmeshError('input/invalid', 'A walk needs at least one seed name; without one, rank by words and meaning only.')
    const { passages, names, graph } = this
    this.size()
    let left = WHOLE
    for (const [i, seed] of seeds.entries()) {
      const amount = i === seeds.length - 1 ? left : Math.min(left, Math.round(seed.weight * WHOLE))
      left -= amount
      if (amount > 0) names.give(seed.name, amount)
    }
    let pushes = 0, edges = 0, capped = false
    const { alpha, epsilon, excluded, maxEdges } = options
    const threshold = epsilon * WHOLE
    for (;;) {
      // what a round may push is fixed before anybody pushes
      const fromNames = active(names, graph.holders, threshold), fromPassages = active(passages, graph.mentions, threshold)
      if (fromNames.nodes.length === 0 && fromPassages.nodes.length === 0) break
      if (edges + fromNames.edges + fromPassages.edges > maxEdges) { capped = true; break }
      pushes += fromNames.nodes.length + fromPassages.nodes.length
      edges += fromNames.edges + fromPassages.edges
      for (let i = 0; i < fromNames.nodes.length; i++) this.pushName(fromNames.nodes[i] as number, fromNames.amounts[i] as number, alpha, excluded)
      for (let i = 0; i < fromPassages.nodes.length; i++) this.pushPassage(fromPassages.nodes[i] as number, fromPassages.amounts[i] as number, alpha)
    }
    const out = new Map<number, number>()
    let residual = 0
    for (const slot of passages.touched) {
      const mass = (passages.mass[slot] as number) + alpha * (passages.residual[slot] as number)
      residual += passages.residual[slot] as number
      if (mass > 0) out.set(slot, mass / WHOLE)
    }
    for (const name of names.touched) residual += names.residual[name] as number
    passages.reset()
    names.reset()
    return { passages: out, pushes, touchedEdges: edges, residual: residual / WHOLE, capped }
  }

  private size(): void {
    this.passages.ensure(this.graph.mentions.lists)
    this.names.ensure(this.graph.holders.lists)
  }

  private pushName(name: number, amount: number, alpha: number, excluded: Uint8Array | null): void {
    const { data } = this.graph.holders, from = this.graph.holders.offset(name), to = from + this.graph.holders.length(name)
    let degree = 0
    for (let i = from; i < to; i++) {
      const holder = data[i] as number
      if (!excluded || excluded[holder >>> 1] === 0) degree += holder & 1 ? TITLE_WEIGHT : 1
    }
    let spread = Math.floor(amount * (1 - alpha))
    if (degree === 0) spread = 0                              // an isolated node keeps its mass
    const one = Math.floor(spread / degree)
    let given = 0
    if (one > 0) {
      for (let i = from; i < to; i++) {
        const holder = data[i] as number
        if (excluded && excluded[holder >>> 1] !== 0) continue
        const share = holder & 1 ? one * TITLE_WEIGHT : one
        this.passages.give(holder >>> 1, share)
        given += share
      }
    }
    this.settle(this.names, name, amount, given)
  }

  private pushPassage(slot: number, amount: number, alpha: number): void {
    const { graph } = this, { data } = graph.mentions, from = graph.mentions.offset(slot), to = from + graph.mentions.length(slot)
    let degree = 0
    for (let i = from; i < to; i++) {
      const mention = data[i] as number
      degree += graph.weight(mention >>> 1) * (mention & 1 ? TITLE_WEIGHT : 1)
    }
    const spread = degree === 0 ? 0 : Math.floor(amount * (1 - alpha))
    let given = 0
    for (let i = from; i < to; i++) {
      const mention = data[i] as number
      const share = Math.floor(spread * (graph.weight(mention >>> 1) * (mention & 1 ? TITLE_WEIGHT : 1) / degree))
      if (share === 0) continue
      this.names.give(mention >>> 1, share)
      given += share
    }
    this.settle(this.passages, slot, amount, given)
  }

  /** What was neither spread nor lost to rounding down stays with the node: mass is conserved to the unit. */
  private settle(side: Side, node: number, amount: number, given: number): void {
    side.mass[node] = (side.mass[node] as number) + (amount - given)
    side.residual[node] = (side.residual[node] as number) - amount
  }
}

function active(side: Side, lists: { length(list: number): number }, threshold: number): { nodes: number[]; amounts: number[]; edges: number } {
  const nodes: number[] = [], amounts: number[] = []
  let edges = 0
  for (const node of side.touched) {
    const residual = side.residual[node] as number, degree = lists.length(node)
    if (residual <= threshold * Math.max(degree, 1)) continue
    nodes.push(node)
    amounts.push(residual)
    edges += degree
  }
  return { nodes, amounts, edges }
}
