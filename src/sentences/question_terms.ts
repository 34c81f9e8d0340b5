/** The question's terms as bits, with their shares of its idf mass. */
import { ln } from '../base/math.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { termAt, type Question } from '../retrieve/question.ts'
import { askedNoun } from './asked_noun.ts'

export class QuestionTerms {
  /** Sum of the idf of the distinct terms. */
  readonly total: number
  /** Share of the question that the corpus has no word for, each such word as rare as can be. */
  readonly unknown: number
  /** The nouns asked for ("what fight song", "which city"), and the rarest term, as bits. */
  readonly noun: number
  readonly rarest: number
  private readonly bits: ReadonlyMap<number, number>
  private readonly idfs: readonly number[]

  constructor(
    question: Question,
    private readonly index: TextIndex,
  ) {
    // a word whose passages were all removed is as unknown as one never read
    const { words } = question
    const spoken = Array.from({ length: words.length }, (_, i) =>
      termAt(question, i, index.vocabulary),
    )
    // In the order of the question: numbers of terms tell what was added when.
    const place = (term: number): number => (spoken.includes(term) ? spoken.indexOf(term) : 1e9)
    const terms = [...question.distinct]
      .sort((a, b) => place(a) - place(b))
      .filter((term) => index.lexical.documentFrequency(term) > 0)
      .slice(0, 31)
    this.bits = new Map(terms.map((term, bit) => [term, 1 << bit]))
    this.idfs = terms.map((term) => index.lexical.idf(term))
    this.total = Math.max(
      1e-9,
      this.idfs.reduce((a, b) => a + b, 0),
    )
    const [from, to] = askedNoun(question)
    this.noun = spoken.slice(from, to).reduce((mask, term) => mask | (this.bits.get(term) ?? 0), 0)
    this.rarest = terms.length === 0 ? 0 : 1 << this.idfs.indexOf(Math.max(...this.idfs))
    const missing = this.missing(question) * ln(1 + index.size)
    this.unknown = missing / (missing + this.total)
  }

  share(mask: number): number {
    let sum = 0
    for (let bit = 0, left = mask; left !== 0; bit++, left >>>= 1)
      if (left & 1) sum += this.idfs[bit]!
    return sum / this.total
  }

  maskOf(ids: Int32Array, from: number, to: number): number {
    let mask = 0
    for (let i = from; i < to; i++) mask |= this.bitOf(ids[i]!)
    return mask
  }

  /** Share of the question's neighbouring terms that stand within three words of each other. */
  pairs(ids: Int32Array, from: number, to: number): number {
    let found = 0,
      last = -1,
      lastBit = -1
    for (let i = from; i < to; i++) {
      const mask = this.bitOf(ids[i]!)
      if (mask === 0) continue
      const bit = 31 - Math.clz32(mask)
      if (lastBit >= 0 && bit === lastBit + 1 && i - last <= 3) found++
      last = i
      lastBit = bit
    }
    return this.bits.size < 2 ? 0 : Math.min(1, found / (this.bits.size - 1))
  }

  private bitOf(id: number): number {
    return id < 0 ? 0 : (this.bits.get(this.index.vocabulary.termOf(id)) ?? 0)
  }

  private missing(question: Question): number {
    const { words, text } = question
    let count = 0
    for (let i = 0; i < words.length; i++) {
      const term = termAt(question, i, this.index.vocabulary)
      if (term >= 0 && this.index.lexical.documentFrequency(term) > 0) continue
      if (!STOP_WORDS.has(text.slice(words.starts[i], words.ends[i]).toLowerCase())) count++
    }
    return count
  }
}
