/** Passages whose mentions must be read again because names came into or went out of force. */
import { SlotSet } from '../base/slot_set.ts'
import type { LexicalIndex } from '../lexical/bm25.ts'

export class StalePassages {
  /** All of them when null. */
  private slots: SlotSet | null = new SlotSet()

  constructor(
    private readonly present: SlotSet,
    private readonly lexical: LexicalIndex,
    private readonly termsOf: (name: number) => readonly number[],
  ) {}

  get size(): number {
    return this.slots === null ? this.present.size : this.slots.size
  }

  add(slot: number): void {
    this.slots?.add(slot)
  }

  delete(slot: number): void {
    this.slots?.delete(slot)
  }

  /** One to read again, the lowest; -1 where none is left. */
  next(): number {
    this.slots ??= this.present.copy()
    return this.slots.lowest()
  }

  /**
   * Adds the passages that hold all words of one of these names; the whole corpus where so many
   * names changed that looking each one up would cost more.
   */
  changed(names: readonly number[]): void {
    if (this.slots === null) return
    const many = names.length > 64 && names.length * 4 > this.present.size
    if (many || !names.every((name) => this.addHolders(name, this.slots!))) this.slots = null
  }

  /** False where the terms cannot tell. */
  private addHolders(name: number, into: SlotSet): boolean {
    const { lexical } = this,
      [rarest, ...terms] = [...new Set(this.termsOf(name))].sort(
        (a, b) => lexical.documentFrequency(a) - lexical.documentFrequency(b),
      )
    if (rarest === undefined) return false
    let slots = new Set<number>()
    lexical.visit(rarest, (slot) => slots.add(slot))
    for (const term of terms) {
      if (slots.size <= 8) break // reading a few passages costs less than a long list of postings
      const both = new Set<number>()
      lexical.visit(term, (slot) => {
        if (slots.has(slot)) both.add(slot)
      })
      slots = both
    }
    for (const slot of slots) into.add(slot)
    return true
  }
}
