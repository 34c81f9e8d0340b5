/**
 * Personalised PageRank by forward push (Andersen, Chung & Lang, Local Graph Partitioning using
 * PageRank Vectors, FOCS 2006, section 3) over passages and names.
 *
 * Mass is counted in whole units of 2^-50, so sums are exact. Pushes run in rounds: all nodes
 * above their threshold push what they hold at the start of the round. So the result is a function
 * of the graph alone, whatever the numbering of nodes or the order of edges.
 */
import { HubmeshError } from '../base/errors.ts'
import { TITLE_WEIGHT, type EntityGraph } from './entity_graph.ts'
import { FIELDS, PushSide, ROUND } from './push_side.ts'

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

/** What a title adds to the weight of a mention. */
const TITLED = TITLE_WEIGHT - 1

/** Reuses its work arrays across questions. */
export class Pusher {
  private readonly passages = new PushSide()
  private readonly names = new PushSide()
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
    this.start(seeds)
    let pushes = 0,
      edges = 0,
      capped = false
    const { alpha, epsilon, excluded, maxEdges } = options
    const threshold = epsilon * WHOLE
    this.weights = graph.knownWeights()
    for (;;) {
      // what a round may push is fixed before the first push
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
        this.pushName(names.nodes[i]!, names.amounts[i]!, alpha, excluded)
      for (let i = 0; i < passages.active; i++)
        this.pushPassage(passages.nodes[i]!, passages.amounts[i]!, alpha)
    }
    const settled = this.settled(alpha)
    passages.reset()
    names.reset()
    return { ...settled, pushes, touchedEdges: edges, capped }
  }

  /** Gives the seeds their shares of the whole; the last takes what rounding left. */
  private start(seeds: readonly { readonly name: number; readonly weight: number }[]): void {
    let left = WHOLE
    for (const [i, seed] of seeds.entries()) {
      const amount = i === seeds.length - 1 ? left : Math.min(left, Math.round(seed.weight * WHOLE))
      left -= amount
      if (amount > 0) this.names.give(seed.name, amount)
    }
  }

  private settled(alpha: number): Pick<Walk, 'slots' | 'masses' | 'residual'> {
    const { passages, names } = this,
      slots = new Int32Array(passages.count),
      masses = new Float64Array(passages.count)
    let residual = 0,
      carrying = 0
    for (let i = 0; i < passages.count; i++) {
      const slot = passages.node(i),
        held = passages.state[slot * FIELDS]!,
        mass = passages.mass[slot]! + alpha * held
      residual += held
      if (mass <= 0) continue
      slots[carrying] = slot
      masses[carrying++] = mass / WHOLE
    }
    for (let i = 0; i < names.count; i++) residual += names.state[names.node(i) * FIELDS]!
    return {
      slots: slots.subarray(0, carrying),
      masses: masses.subarray(0, carrying),
      residual: residual / WHOLE,
    }
  }

  private pushName(name: number, amount: number, alpha: number, excluded: Uint8Array | null): void {
    const { passages, names, graph } = this,
      { data } = graph.holders,
      from = graph.holders.offset(name),
      to = from + graph.holders.length(name)
    let degree = names.degrees[name]! - 1
    if (degree < 0) {
      degree = 0
      if (!excluded) degree = to - from + TITLED * graph.titled.length(name)
      else
        for (let i = from; i < to; i++)
          if (excluded[data[i]! >>> 1] === 0) degree += 1 + (data[i]! & 1) * TITLED
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
      const holder = data[i]!,
        slot = holder >>> 1,
        at = slot * FIELDS
      if (excluded !== null && excluded[slot] !== 0) continue
      const share = one * (1 + (holder & 1) * TITLED),
        last = rounds[2 * at + ROUND]!
      state[at]! += share
      given += share
      // branch-free append: these branches mispredict
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
    let degree = passages.degrees[slot]! - 1
    if (degree < 0) {
      degree = 0
      for (let i = from; i < to; i++) {
        const mention = data[i]!,
          name = mention >>> 1
        let weight = weights[name]!
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
      const mention = data[i]!,
        name = mention >>> 1,
        weight = weights[name]!
      const share = Math.floor(spread * ((weight * (1 + (mention & 1) * TITLED)) / degree))
      if (share === 0) continue
      const at = name * FIELDS,
        last = rounds[2 * at + ROUND]!
      state[at]! += share
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
