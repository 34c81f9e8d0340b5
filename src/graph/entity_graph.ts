/**
 * Bipartite graph of passages and names.
 *
 * An edge weighs idf(name) * (3 where the passage is about the name, else 1), idf = ln(1 + D /
 * df). Weights are computed on demand, so an addition changes only its own edges; they are whole
 * units of 2^-16, whose sums are exact in any order.
 */
import { ln } from '../base/math.ts'
import { ListArena } from '../base/list_arena.ts'
import { corrupt, type SectionReader, type SectionWriter } from '../base/sections.ts'

/** How much more the name a passage is about weighs than another that it mentions. */
export const TITLE_WEIGHT = 3

const UNIT = 65536

export class EntityGraph {
  /** slot -> name * 2 + (the passage is about the name). */
  mentions = new ListArena()
  /** name -> slot * 2 + (the passage is about the name). */
  holders = new ListArena()
  /** name -> slots that are about it. */
  titled = new ListArena()
  /** Passages that are in the graph, with or without mentions. */
  passages = 0
  /** Names with at least one mention. */
  entities = 0
  /** Mentions in all. */
  edges = 0
  private idfs = new Float64Array(1024).fill(-1)
  private idfsFor = -1
  private known = new Int32Array(1024)
  private knownFor = -1
  /** Counts changes of mentions, of which the weights are made. */
  private changes = 0

  /** Sets the mentions of a passage, given as name * 2 + own, each name once. */
  setMentions(slot: number, mentions: readonly number[]): void {
    this.clearMentions(slot)
    this.changes++
    this.mentions.set(slot, mentions)
    this.hold(slot, mentions)
  }

  clearMentions(slot: number): void {
    this.changes++
    const before = this.mentions.values(slot)
    this.edges -= before.length
    for (const mention of before) {
      const name = mention >>> 1
      this.holders.removeWhere(name, (holder) => holder >>> 1 === slot)
      if (this.holders.length(name) === 0) this.entities--
      if (mention & 1) this.titled.removeWhere(name, (titled) => titled === slot)
    }
    this.mentions.clear(slot)
  }

  /** Passages that mention the name. */
  documentFrequency(name: number): number {
    return this.holders.length(name)
  }

  /** ln(1 + D / df) in whole units of 2^-16; 0 for a name nobody mentions. */
  weight(name: number): number {
    const df = this.holders.length(name)
    if (df === 0) return 0
    if (this.idfsFor !== this.passages) {
      this.idfs.fill(-1)
      this.idfsFor = this.passages
    }
    if (df >= this.idfs.length) return Math.round(ln(1 + this.passages / df) * UNIT)
    let weight = this.idfs[df]!
    if (weight < 0) {
      weight = Math.round(ln(1 + this.passages / df) * UNIT)
      this.idfs[df] = weight
    }
    return weight
  }

  /**
   * Cache of weights by name, 0 where unknown; the caller fills it from `weight`. Valid until the
   * graph changes.
   */
  knownWeights(): Int32Array {
    if (
      this.knownFor === this.changes &&
      this.idfsFor === this.passages &&
      this.known.length >= this.holders.lists
    )
      return this.known
    if (this.known.length < this.holders.lists)
      this.known = new Int32Array(Math.ceil(this.holders.lists * 1.25))
    else this.known.fill(0)
    this.knownFor = this.changes
    if (this.idfsFor !== this.passages) {
      this.idfs.fill(-1)
      this.idfsFor = this.passages
    }
    return this.known
  }

  /** Writes the mentions; `slots[i]` is the slot written as i. Holders follow from them. */
  dump(out: SectionWriter, slots: Int32Array): void {
    this.mentions.dump(out, slots.length, (mention) => mention, slots)
  }

  /**
   * A graph as `dump` wrote it, of slots 0 to passages - 1 and names below `names`. Throws
   * `index/corrupt`.
   */
  restore(input: SectionReader, passages: number, names: number): void {
    this.mentions = ListArena.restore(input)
    this.mentions.check(names * 2)
    if (this.mentions.lists !== passages) throw corrupt()
    this.passages = passages
    this.changes++
    for (let slot = 0; slot < passages; slot++) this.hold(slot, this.mentions.values(slot))
  }

  get bytes(): number {
    return (
      this.mentions.bytes +
      this.holders.bytes +
      this.titled.bytes +
      this.idfs.byteLength +
      this.known.byteLength
    )
  }

  private hold(slot: number, mentions: ArrayLike<number>): void {
    this.edges += mentions.length
    for (let i = 0; i < mentions.length; i++) {
      const name = mentions[i]! >>> 1,
        own = mentions[i]! & 1
      if (this.holders.length(name) === 0) this.entities++
      this.holders.push(name, slot * 2 + own)
      if (own) this.titled.push(name, slot)
    }
  }
}
