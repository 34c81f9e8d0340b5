import { randomMultipliers, scatter } from './hash.ts'
import { shiftFor } from './hash_index.ts'

/**
 * A set of whole numbers from 0 that is filled, read in order and emptied again for every passage:
 * it stays in the nearest cache and makes no garbage, where a Set a passage does.
 */
export class NumberSet {
  /** The numbers in the order in which they came: the first `size`. */
  values = new Int32Array(64)
  size = 0
  private places = new Int32Array(64) // where in the table each of them lies
  private table = new Int32Array(256) // open addressing: a number + 1
  private readonly multipliers = randomMultipliers()
  /** Taken places passed over so far: what collisions cost. */
  passedOver = 0

  /** False where the number is in it already. */
  add(value: number): boolean {
    const { table } = this,
      mask = table.length - 1
    let at = scatter(value, this.multipliers) >>> shiftFor(table.length)
    for (; table[at] !== 0; at = (at + 1) & mask) {
      if (table[at] === value + 1) return false
      this.passedOver++
    }
    if (this.size === this.values.length) {
      this.grow()
      return this.add(value)
    }
    table[at] = value + 1
    this.places[this.size] = at
    this.values[this.size++] = value
    return true
  }

  clear(): void {
    for (let i = 0; i < this.size; i++) this.table[this.places[i] as number] = 0
    this.size = 0
  }

  private grow(): void {
    const { values, size } = this
    this.values = new Int32Array(size * 2)
    this.places = new Int32Array(size * 2)
    this.table = new Int32Array(size * 8)
    this.size = 0
    for (let i = 0; i < size; i++) this.add(values[i] as number)
  }
}
