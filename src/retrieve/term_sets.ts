/** Sets of a question's terms, one bit each. */
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from './question.ts'

/** The question's terms as bits, and the share of its idf mass that a set of them has. */
export class TermSets {
  readonly bits: ReadonlyMap<number, number>
  private readonly idfs: readonly number[]
  readonly total: number
  /** Thousands of passages are looked at, but few sets of terms occur. */
  private readonly shares = new Map<number, number>()

  constructor({ distinct }: Question, { lexical }: TextIndex) {
    const terms = distinct.slice(0, 31)
    this.bits = new Map(terms.map((term, bit) => [term, 1 << bit]))
    this.idfs = terms.map((term) => lexical.idf(term))
    this.total = this.idfs.reduce((a, b) => a + b, 0)
  }

  weight(mask: number): number {
    let sum = 0
    for (let bit = 0, left = mask; left !== 0; bit++, left >>>= 1)
      if (left & 1) sum += this.idfs[bit]!
    return sum
  }

  share(mask: number): number {
    const known = this.shares.get(mask)
    if (known !== undefined) return known
    const share = this.weight(mask) / this.total
    this.shares.set(mask, share)
    return share
  }
}
