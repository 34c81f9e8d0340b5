/** What a walk of the planner ends with. */

/** Mass of every node after a walk; all of it adds up to 1. */
export class PprMass {
  constructor(
    readonly iterations: number,
    /** L1 change of the last iteration, of all walks that ran together. */
    readonly change: number,
    private readonly index: ReadonlyMap<string, number>,
    private readonly values: Float64Array,
  ) {}

  /** 0 for a node the graph does not have. */
  of(node: string): number {
    const at = this.index.get(node)
    return at === undefined ? 0 : this.values[at]!
  }

  /** In order of the nodes' ids. */
  toMap(): Map<string, number> {
    const out = new Map<string, number>()
    for (const [node, at] of this.index) out.set(node, this.values[at]!)
    return out
  }
}
