/** A set of slots, one byte each, read in ascending order. */
export class SlotSet {
  size = 0
  private flags = new Uint8Array(1024)
  /** No slot below it is in the set. */
  private first = 0

  has(slot: number): boolean {
    return this.flags[slot] === 1
  }

  add(slot: number): void {
    if (slot >= this.flags.length) {
      const next = new Uint8Array(Math.ceil((slot + 1) * 1.5))
      next.set(this.flags)
      this.flags = next
    }
    if (this.flags[slot] === 1) return
    this.flags[slot] = 1
    this.size++
    if (slot < this.first) this.first = slot
  }

  delete(slot: number): void {
    if (this.flags[slot] !== 1) return
    this.flags[slot] = 0
    this.size--
  }

  /** The lowest slot, or -1. */
  lowest(): number {
    if (this.size === 0) return -1
    while (this.flags[this.first] === 0) this.first++
    return this.first
  }

  copy(): SlotSet {
    const out = new SlotSet()
    out.flags = this.flags.slice()
    out.size = this.size
    out.first = this.first
    return out
  }

  get bytes(): number {
    return this.flags.byteLength
  }
}
