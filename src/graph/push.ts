/**
 * Owns personalised PageRank by forward push (Andersen, Chung & Lang, Local Graph Partitioning
 * using PageRank Vectors, FOCS 2006, section 3) over the graph of passages and names. Refuses:
 * global PageRank; an empty seed set is the caller's fault.
 *
 * Mass is counted in whole units of 2^-50, so that sums are exact and p + residual is 1 to the
 * unit. Pushes run in rounds: all nodes above their threshold push what they hold at the start of
 * the round. Both together make the result a function of the graph alone, whatever the numbering of
 * its nodes or the order of its edges.
 */
import { HubmeshError } from '../base/errors.ts'
import type { ListArena } from '../base/list_arena.ts'
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
  /** Touched passages that carry mass, and the mass of each in (0, 1]; in no order. */
  readonly slots: Int32Array
  readonly masses: Float64Array
  readonly pushes: number
  readonly touchedEdges: number
  /** Mass that was not spread further, in [0, 1). */
  readonly residual: number
  /** True where `maxEdges` ended the walk. */
  readonly capped: boolean
}

/**
 * A node's 16 bytes in `Side.state`: what each edge to it needs and no more, so that an edge costs
 * one look into little memory. Its residual, a double, and behind it the round in which it was last
 * given mass, 0 for none, as an int32 (`Side.rounds` over the same bytes).
 */
const FIELDS = 2,
  ROUND = 2
/** What a title adds to the weight of a mention. */
const TITLED = TITLE_WEIGHT - 1

/**
 * Tables of a node kind: mass, residual, who was touched, who was given mass since the last round
 * began.
 */
class Side {
  state = new Float64Array(1024 * FIELDS)
  rounds = new Int32Array(this.state.buffer)
  /** Of nodes that pushed: what settled, and weighted degree plus 1, worked out once a walk. */
  mass = new Float64Array(1024)
  degrees = new Float64Array(1024)
  pushed = new Int32Array(1024)
  /**
   * One longer than there are nodes: a push writes behind the end before it knows whether that
   * counts.
   */
  touched = new Int32Array(1025)
  fresh = new Int32Array(1025)
  count = 0
  pushers = 0
  waiting = 0
  round = 1
  /** Who pushes in this round, and how much. */
  nodes = new Int32Array(1024)
  amounts = new Float64Array(1024)
  active = 0
  edges = 0

  ensure(size: number): void {
    if (size <= this.nodes.length) return
    const length = Math.max(size, Math.ceil(this.nodes.length * 1.5))
    // between walks all of these are empty, and a list holds a node once at most
    this.state = new Float64Array(length * FIELDS)
    this.rounds = new Int32Array(this.state.buffer)
    this.mass = new Float64Array(length)
    this.degrees = new Float64Array(length)
    this.pushed = new Int32Array(length)
    this.touched = new Int32Array(length + 1)
    this.fresh = new Int32Array(length + 1)
    this.nodes = new Int32Array(length)
    this.amounts = new Float64Array(length)
  }

  node(i: number): number {
    return this.touched[i] as number
  }

  /** Gives one node mass; pushes do the same over a list, written out. */
  give(node: number, amount: number): void {
    const at = node * FIELDS,
      last = this.rounds[2 * at + ROUND] as number
    this.state[at] = (this.state[at] as number) + amount
    if (last === this.round) return
    if (last === 0) this.touched[this.count++] = node
    this.rounds[2 * at + ROUND] = this.round
    this.fresh[this.waiting++] = node
  }

  /** Keeps the weighted degree of a node that pushes for the first time. */
  keep(node: number, degree: number): void {
    this.degrees[node] = degree + 1
    this.pushed[this.pushers++] = node
  }

  /**
   * Begins a round: of the nodes given mass since the last one, those above their threshold. No
   * other has come to more than it had.
   */
  begin(lists: ListArena, threshold: number): void {
    let active = 0,
      edges = 0
    for (let i = 0; i < this.waiting; i++) {
      const node = this.fresh[i] as number,
        residual = this.state[node * FIELDS] as number
      if (residual <= threshold) continue // most; a degree only raises the threshold
      const degree = lists.length(node)
      if (residual <= threshold * Math.max(degree, 1)) continue
      this.nodes[active] = node
      this.amounts[active++] = residual
      edges += degree
    }
    this.active = active
    this.edges = edges
    this.waiting = 0
    this.round++
  }

  /**
   * What was neither spread nor lost to rounding down stays with the node: mass is conserved to the
   * unit.
   */
  settle(node: number, amount: number, given: number): void {
    const at = node * FIELDS
    this.mass[node] = (this.mass[node] as number) + (amount - given)
    this.state[at] = (this.state[at] as number) - amount
  }

  reset(): void {
    for (let i = 0; i < this.count; i++) {
      const at = (this.touched[i] as number) * FIELDS
      this.state[at] = this.rounds[2 * at + ROUND] = 0
    }
    for (let i = 0; i < this.pushers; i++)
      this.mass[this.pushed[i] as number] = this.degrees[this.pushed[i] as number] = 0
    this.count = 0
    this.pushers = 0
    this.waiting = 0
    this.round = 1
  }
}

/** Holds the work arrays from question to question. */
export class Pusher {
  private readonly passages = new Side()
  private readonly names = new Side()
  /** Weights of names, as the graph knows them at this walk. */
  private weights: Int32Array = new Int32Array(0)

  constructor(private readonly graph: EntityGraph) {}

  /**
   * Walks from names with restart weights that add up to 1. Passage masses are those settled plus
   * the share that a last, unspread visit settles (alpha of the residual).
   */
  walk(
    seeds: readonly { readonly name: number; readonly weight: number }[],
    options: PushOptions,
  ): Walk {
    if (seeds.length === 0)
      throw new HubmeshError(
        'input/invalid',
        'A walk needs at least one seed name; without one, rank by words and meaning only.',
      )
    const { passages, names, graph } = this
    passages.ensure(graph.mentions.lists)
    names.ensure(Math.max(graph.holders.lists, ...seeds.map((seed) => seed.name + 1)))
    let left = WHOLE
    for (const [i, seed] of seeds.entries()) {
      const amount = i === seeds.length - 1 ? left : Math.min(left, Math.round(seed.weight * WHOLE))
      left -= amount
      if (amount > 0) names.give(seed.name, amount)
    }
    let pushes = 0,
      edges = 0,
      capped = false
    const { alpha, epsilon, excluded, maxEdges } = options
    const threshold = epsilon * WHOLE
    this.weights = graph.knownWeights()
    for (;;) {
      // what a round may push is fixed before anybody pushes
      names.begin(graph.holders, threshold)
      passages.begin(graph.mentions, threshold)
      if (names.active === 0 && passages.active === 0) break
      if (edges + names.edges + passages.edges > maxEdges) {
        capped = true
        break
      }
      pushes += names.active + passages.active
      edges += names.edges + passages.edges
      for (let i = 0; i < names.active; i++)
        this.pushName(names.nodes[i] as number, names.amounts[i] as number, alpha, excluded)
      for (let i = 0; i < passages.active; i++)
        this.pushPassage(passages.nodes[i] as number, passages.amounts[i] as number, alpha)
    }
    const slots = new Int32Array(passages.count),
      masses = new Float64Array(passages.count)
    let residual = 0,
      carrying = 0
    for (let i = 0; i < passages.count; i++) {
      const slot = passages.node(i),
        held = passages.state[slot * FIELDS] as number,
        mass = (passages.mass[slot] as number) + alpha * held
      residual += held
      if (mass <= 0) continue
      slots[carrying] = slot
      masses[carrying++] = mass / WHOLE
    }
    for (let i = 0; i < names.count; i++) residual += names.state[names.node(i) * FIELDS] as number
    passages.reset()
    names.reset()
    return {
      slots: slots.subarray(0, carrying),
      masses: masses.subarray(0, carrying),
      pushes,
      touchedEdges: edges,
      residual: residual / WHOLE,
      capped,
    }
  }

  private pushName(name: number, amount: number, alpha: number, excluded: Uint8Array | null): void {
    const { passages, names, graph } = this,
      { data } = graph.holders,
      from = graph.holders.offset(name),
      to = from + graph.holders.length(name)
    let degree = (names.degrees[name] as number) - 1
    if (degree < 0) {
      degree = 0
      if (!excluded) degree = to - from + TITLED * graph.titled.length(name)
      else
        for (let i = from; i < to; i++)
          if (excluded[(data[i] as number) >>> 1] === 0)
            degree += 1 + ((data[i] as number) & 1) * TITLED
      names.keep(name, degree)
    }
    // an isolated node keeps its mass
    const one = degree === 0 ? 0 : Math.floor(Math.floor(amount * (1 - alpha)) / degree)
    if (one === 0) {
      names.settle(name, amount, 0)
      return
    }
    const { state, rounds, touched, fresh, round } = passages
    let { count, waiting } = passages,
      given = 0
    for (let i = from; i < to; i++) {
      const holder = data[i] as number,
        slot = holder >>> 1,
        at = slot * FIELDS
      if (excluded !== null && excluded[slot] !== 0) continue
      const share = one * (1 + (holder & 1) * TITLED),
        last = rounds[2 * at + ROUND] as number
      state[at] = (state[at] as number) + share
      given += share
      // without branches, as none could be foretold: 1 where it was never touched, 1 where not in
      // this round
      touched[count] = slot
      count += (last - 1) >>> 31
      fresh[waiting] = slot
      waiting += (last - round) >>> 31
      rounds[2 * at + ROUND] = round
    }
    passages.count = count
    passages.waiting = waiting
    names.settle(name, amount, given)
  }

  private pushPassage(slot: number, amount: number, alpha: number): void {
    const { passages, names, graph, weights } = this,
      { data } = graph.mentions,
      from = graph.mentions.offset(slot),
      to = from + graph.mentions.length(slot)
    let degree = (passages.degrees[slot] as number) - 1
    if (degree < 0) {
      degree = 0
      for (let i = from; i < to; i++) {
        const mention = data[i] as number,
          name = mention >>> 1
        let weight = weights[name] as number
        if (weight === 0) weights[name] = weight = graph.weight(name)
        degree += weight * (1 + (mention & 1) * TITLED)
      }
      passages.keep(slot, degree)
    }
    const spread = degree === 0 ? 0 : Math.floor(amount * (1 - alpha)),
      { state, rounds, touched, fresh, round } = names
    let { count, waiting } = names,
      given = 0
    for (let i = from; i < to; i++) {
      const mention = data[i] as number,
        name = mention >>> 1,
        weight = weights[name] as number
      const share = Math.floor(spread * ((weight * (1 + (mention & 1) * TITLED)) / degree))
      if (share === 0) continue
      const at = name * FIELDS,
        last = rounds[2 * at + ROUND] as number
      state[at] = (state[at] as number) + share
      given += share
      touched[count] = name
      count += (last - 1) >>> 31
      fresh[waiting] = name
      waiting += (last - round) >>> 31
      rounds[2 * at + ROUND] = round
    }
    names.count = count
    names.waiting = waiting
    passages.settle(slot, amount, given)
  }
}
