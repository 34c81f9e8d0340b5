/** Work arrays of one kind of node, passages or names, for a forward push. */
import type { ListArena } from '../base/list_arena.ts'

/**
 * A node's 16 bytes in `PushSide.state`, all that an edge to it touches: its residual, a double, and
 * the round in which it last got mass (0: none), an int32 (`PushSide.rounds` over the same bytes).
 */
export const FIELDS = 2,
  ROUND = 2
/**
 * Mass, residual, nodes touched, nodes that got mass since the last round began.
 */
export class PushSide {
  state = new Float64Array(1024 * FIELDS)
  rounds = new Int32Array(this.state.buffer)
  /** Of nodes that pushed: what settled, and weighted degree plus 1, worked out once a walk. */
  mass = new Float64Array(1024)
  degrees = new Float64Array(1024)
  pushed = new Int32Array(1024)
  /**
   * One longer than there are nodes: the branch-free append writes one past the end.
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
    return this.touched[i]!
  }

  /** Gives one node mass; pushes do the same over a list, written out. */
  give(node: number, amount: number): void {
    const at = node * FIELDS,
      last = this.rounds[2 * at + ROUND]!
    this.state[at]! += amount
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
      const node = this.fresh[i]!,
        residual = this.state[node * FIELDS]!
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
    this.mass[node]! += amount - given
    this.state[at]! -= amount
  }

  reset(): void {
    for (let i = 0; i < this.count; i++) {
      const at = this.touched[i]! * FIELDS
      this.state[at] = this.rounds[2 * at + ROUND] = 0
    }
    for (let i = 0; i < this.pushers; i++)
      this.mass[this.pushed[i]!] = this.degrees[this.pushed[i]!] = 0
    this.count = 0
    this.pushers = 0
    this.waiting = 0
    this.round = 1
  }
}
