/** Words by their first two letters without marks, so that a beginning looks at few of them. */
import { grown } from '../base/grown.ts'
import { foldedUnit } from './folded_forms.ts'

export class PrefixIndex {
  /** By key, the word added last; `before` leads from each word to the one before it, plus 1. */
  private readonly last = new Map<number, number>()
  private before = new Int32Array(0)
  private count = 0
  /** Words looked at so far. */
  looked = 0

  get bytes(): number {
    return this.before.byteLength + this.last.size * 16
  }

  /** Takes in words `count` to `size` - 1; begins anew where there are fewer than before. */
  extend(size: number, unitsOf: (id: number) => Uint16Array): void {
    if (size < this.count) {
      this.last.clear()
      this.count = 0
    }
    this.before = grown(this.before, size)
    for (; this.count < size; this.count++) {
      const units = unitsOf(this.count),
        key = keyOf(units[0] ?? 0, units[1] ?? 0)
      this.before[this.count] = this.last.get(key) ?? 0
      this.last.set(key, this.count + 1)
    }
  }

  /** Words that may begin so: those with the same first two units, or the same first one. */
  *candidates(prefix: string): Generator<number> {
    const first = prefix.charCodeAt(0)
    if (prefix.length > 1) yield* this.chain(keyOf(first, prefix.charCodeAt(1)))
    else
      for (const key of this.last.keys())
        if (key >>> 16 === foldedUnit(first)) yield* this.chain(key)
  }

  private *chain(key: number): Generator<number> {
    for (let id = this.last.get(key) ?? 0; id > 0; id = this.before[id - 1]!) {
      this.looked++
      yield id - 1
    }
  }
}

function keyOf(first: number, second: number): number {
  return ((foldedUnit(first) << 16) | foldedUnit(second)) >>> 0
}
