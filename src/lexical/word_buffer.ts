/** The words of one text as numbers of a vocabulary, with their places. */
import type { Span } from '../types.ts'
import type { Vocabulary } from './vocabulary.ts'
import { WordColumns } from './word_columns.ts'

export class WordBuffer extends WordColumns {
  private vocabulary: Vocabulary | null = null
  private adding = false

  /**
   * Reads the words of a text; unknown ones are added to the vocabulary, or numbered -1 when
   * `known` is true.
   */
  read(text: string, vocabulary: Vocabulary, known = false): this {
    this.vocabulary = vocabulary
    this.adding = !known
    this.scan(text, 0, text.length, vocabulary.seed, vocabulary.spelling)
    return this
  }

  /** Words of a text read before: `length` numbers from `from`, without places and shapes. */
  take(ids: Int32Array, from: number, length: number): void {
    this.reserve(length)
    for (let i = 0; i < length; i++) this.ids[i] = ids[from + i] as number
    this.length = length
  }

  /** How many words begin before a place in the text. */
  before(place: number): number {
    let count = this.length
    while (count > 0 && (this.starts[count - 1] as number) >= place) count--
    return count
  }

  /**
   * Ranges of words, [from, to), that lie in these spans of the text; each run of words once, and
   * none of more than `most`.
   */
  ranges(spans: readonly Span[], most: number): [from: number, to: number][] {
    const found = new Map<string, [number, number]>()
    for (const { start, end } of spans) {
      let from = 0
      for (let high = this.length; from < high;) {
        const middle = (from + high) >>> 1
        if ((this.starts[middle] as number) < start) from = middle + 1
        else high = middle
      }
      let to = from
      while (to < this.length && (this.ends[to] as number) <= end) to++
      if (to > from && to - from <= most)
        found.set(this.ids.subarray(from, to).join(' '), [from, to])
    }
    return [...found.values()]
  }

  protected idOfSpelling(length: number, hash: number): number {
    return (this.vocabulary as Vocabulary).look(length, hash, this.adding)
  }

  protected idOfText(text: string, start: number, end: number): number {
    return (this.vocabulary as Vocabulary).read(text, start, end, this.adding)
  }
}
