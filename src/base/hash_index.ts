import { randomMultipliers, scatter } from './hash.ts'

/**
 * Open-addressing table of small whole numbers (row ids) by hash, linear probing at most half full.
 * Places are random in every table, so hashes that are known outside cannot be chosen to meet.
 * Equality stays with the owner, so that keys need no objects:
 *
 * ```ts
 * for (let at = index.first(hash); index.at(at) >= 0; at = index.next(at))
 *   if (spells(index.at(at), key)) return index.at(at)
 * ```
 */
export class HashIndex {
  private slots: Int32Array<ArrayBuffer> // id + 1, 0 where empty
  private shift: number
  private count = 0
  private readonly multipliers = randomMultipliers()
  /** Taken places passed over so far: what collisions cost. */
  passedOver = 0

  /** `hashOf` gives the hash of an id again when the table grows. */
  constructor(
    private readonly hashOf: (id: number) => number,
    capacity = 512,
  ) {
    this.slots = new Int32Array(slotsFor(capacity))
    this.shift = shiftFor(this.slots.length)
  }

  get size(): number {
    return this.count
  }

  get bytes(): number {
    return this.slots.byteLength
  }

  first(hash: number): number {
    return scatter(hash, this.multipliers) >>> this.shift
  }

  next(at: number): number {
    this.passedOver++
    return (at + 1) & (this.slots.length - 1)
  }

  /** The id in a slot, -1 where it is empty: what was looked for is not in the table. */
  at(at: number): number {
    return (this.slots[at] as number) - 1
  }

  /** Adds an id at the empty slot at which the search for it ended. */
  put(at: number, id: number): void {
    this.slots[at] = id + 1
    if (++this.count * 2 > this.slots.length) this.rebuild(this.count)
  }

  /** Holds exactly the ids 0 to `count` - 1, all different by the owner's equality. */
  fill(count: number): void {
    this.clear(count)
    this.count = count
    for (let id = 0; id < count; id++) this.insert(id)
  }

  private rebuild(capacity: number): void {
    const before = this.slots
    this.clear(capacity + 1)
    for (const entry of before) if (entry !== 0) this.insert(entry - 1)
  }

  private clear(capacity: number): void {
    this.slots = new Int32Array(slotsFor(capacity))
    this.shift = shiftFor(this.slots.length)
  }

  private insert(id: number): void {
    let at = this.first(this.hashOf(id))
    while (this.slots[at] !== 0) at = this.next(at)
    this.slots[at] = id + 1
  }
}

function slotsFor(count: number): number {
  let size = 1024
  while (size < count * 2) size *= 2
  return size
}

/** What leaves as many upper bits of 32 as number the places of a table. */
export function shiftFor(places: number): number {
  return Math.clz32(places) + 1
}
