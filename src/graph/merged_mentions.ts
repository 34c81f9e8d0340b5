/** Puts mentions into the graph as the merges of names have them, and back; reads no text. */
import type { EntityGraph } from './entity_graph.ts'
import type { NameMerges } from './name_merges.ts'

export class MergedMentions {
  /** What a slot mentions as it was read, where the merges change it. */
  private readonly plain = new Map<number, readonly number[]>()

  constructor(
    private readonly graph: EntityGraph,
    private readonly merges: NameMerges,
  ) {}

  /** Sets the mentions of a passage, given as read: name * 2 + own, each name once. */
  set(slot: number, mentions: readonly number[]): void {
    const mapped = this.merges.mapped(mentions)
    if (mapped) this.plain.set(slot, mentions)
    else this.plain.delete(slot)
    this.graph.setMentions(slot, mapped ?? mentions)
  }

  clear(slot: number): void {
    this.graph.remove(slot)
    this.plain.delete(slot)
  }

  /**
   * Moves mentions of names that are known by another one now. Work is bounded by their passages.
   */
  remap(names: ReadonlySet<number>): void {
    if (names.size === 0) return
    const { holders, mentions } = this.graph,
      slots = new Set<number>()
    for (const name of names) for (const holder of holders.values(name)) slots.add(holder >>> 1)
    for (const [slot, before] of this.plain)
      if (before.some((mention) => names.has(mention >>> 1))) slots.add(slot)
    for (const slot of slots) this.set(slot, this.plain.get(slot) ?? [...mentions.values(slot)])
  }

  /** Runs the work on the graph as it is without merges. */
  withoutMerges(work: () => void): void {
    const plain = [...this.plain]
    for (const [slot, mentions] of plain) this.graph.setMentions(slot, mentions)
    try {
      work()
    } finally {
      for (const [slot, mentions] of plain) this.set(slot, mentions)
    }
  }
}
