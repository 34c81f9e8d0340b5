/** Which letters a word has, one bit for every 32nd unit: a bound on edit distance by two looks. */
import { grown } from '../base/grown.ts'

export class LetterSignatures {
  private signatures = new Int32Array(0)
  private count = 0

  get bytes(): number {
    return this.signatures.byteLength
  }

  /** Signs words `count` to `size` - 1; `wordOf` gives a word's units. */
  extend(size: number, wordOf: (id: number) => Uint16Array): void {
    this.signatures = grown(this.signatures, size)
    for (; this.count < size; this.count++)
      this.signatures[this.count] = signatureOf(wordOf(this.count))
  }

  /** Whether a word's letters differ by no more than `most` edits can change. */
  mayBeNear(id: number, signature: number, most: number): boolean {
    return bitCount((this.signatures[id] as number) ^ signature) <= 2 * most
  }
}

export function signatureOf(units: Uint16Array): number {
  let bits = 0
  for (const unit of units) bits |= 1 << (unit & 31)
  return bits
}

function bitCount(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
