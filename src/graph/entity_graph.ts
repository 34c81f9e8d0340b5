/**
 * Bipartite graph of passages and names.
 *
 * An edge weighs idf(name) * (3 where the passage is about the name, else 1), idf = ln(1 + D /
 * df). Weights are computed on demand, so an addition changes only its own edges; they are whole
 * units of 2^-16, whose sums are exact in any order.
 */
import { ln } from '../base/math.ts'
import { grown } from '../base/grown.ts'
import { ListArena } from '../base/list_arena.ts'
import { NumberSet } from '../base/number_set.ts'
import { SlotSet } from '../base/slot_set.ts'
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
  /** Passages taken out that their names still hold, and those names. */
  private gone = new SlotSet()
  private readonly touched = new NumberSet()
  /** Scratch of `setMentions`: the mention + 1 of a name that is to be held. */
  private wanted = new Int32Array(1024)
  /** Counts changes of mentions, of which the weights are made. */
  private changes = 0

  /** Sets the mentions of a passage, given as name * 2 + own, each name once. */
  setMentions(slot: number, mentions: readonly number[]): void {
    this.changes++
    if (this.mentions.length(slot) === 0) {
      this.hold(slot, mentions)
      this.mentions.set(slot, mentions)
      return
    }
    for (const mention of mentions) {
      this.wanted = grown(this.wanted, (mention >>> 1) + 1)
      this.wanted[mention >>> 1] = mention + 1
    }
    // what stays is not looked for in the list of its name
    for (const mention of this.mentions.values(slot)) {
      if (this.wanted[mention >>> 1] === mention + 1) this.wanted[mention >>> 1] = 0
      else this.letGo(slot, mention)
    }
    this.hold(
      slot,
      mentions.filter((mention) => this.wanted[mention >>> 1] !== 0),
    )
    for (const mention of mentions) this.wanted[mention >>> 1] = 0
    this.mentions.set(slot, mentions)
  }

  /** Takes a passage out, but for what its names hold of it: `sweep`. */
  remove(slot: number): void {
    this.changes++
    this.edges -= this.mentions.length(slot)
    for (const mention of this.mentions.values(slot)) this.touched.add(mention >>> 1)
    this.mentions.clear(slot)
    this.gone.add(slot)
  }

  /**
   * Takes removed passages out of what names hold, each list in one pass for all of them; to be run
   * before one of their slots is used again. Yields after each list how much it looked at.
   */
  *sweep(): Generator<number, void> {
    const { gone, touched, holders, titled } = this
    for (let i = 0; i < touched.size; i++) {
      const name = touched.values[i]!
      yield holders.length(name) + titled.length(name)
      holders.removeAll(name, (holder) => gone.has(holder >>> 1))
      titled.removeAll(name, (slot) => gone.has(slot))
      if (holders.length(name) === 0) this.entities--
    }
    this.changes++
    touched.clear()
    this.gone = new SlotSet()
  }

  private letGo(slot: number, mention: number): void {
    const name = mention >>> 1
    this.edges--
    this.holders.removeWhere(name, (holder) => holder >>> 1 === slot)
    if (this.holders.length(name) === 0) this.entities--
    if (mention & 1) this.titled.removeWhere(name, (titled) => titled === slot)
  }

  /** Holders looked at by removals so far. */
  get looked(): number {
    return this.holders.looked + this.titled.looked
  }

  /** Passages that mention the name. */
  documentFrequency(name: number): number {
    return this.holders.length(name)
  }

  /** ln(1 + D / df) in whole units of 2^-16; 0 for a name without mentions. */
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
