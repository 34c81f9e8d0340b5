/**
 * Inverted index with BM25 scores (Robertson & Zaragoza, The Probabilistic Relevance Framework,
 * 2009; idf as in Lucene). Counts are kept as they change, so nothing is rebuilt after an addition
 * or a removal. A score is summed in the order of the question's terms, whatever that of postings.
 */
import { grown } from '../base/grown.ts'
import { ln } from '../base/math.ts'
import { ListArena } from '../base/list_arena.ts'
import { NumberSet } from '../base/number_set.ts'
import { SlotSet } from '../base/slot_set.ts'
import { type SectionReader, type SectionWriter } from '../base/sections.ts'

const K1 = 1.2,
  B = 0.75

/** Most occurrences counted in a passage: a posting packs slot and count into 31 bits. */
const MAX_COUNT = 255

export class LexicalIndex {
  private postings = new ListArena()
  /** Terms of each slot. */
  private lengths = new Int32Array(256)
  private totalLength = 0
  private passages = 0
  /** Passages taken out whose postings are not, and the terms of those. */
  private gone = new SlotSet()
  private readonly touched = new NumberSet()
  // scratch of the passage under way: count of each term, and the terms that have one
  private counts = new Uint8Array(256)
  private distinct = new Int32Array(256)

  get size(): number {
    return this.passages
  }

  /** Passages that hold the term. */
  documentFrequency(term: number): number {
    return this.postings.length(term)
  }

  /** Terms of a slot's passage, forms apart. */
  lengthOf(slot: number): number {
    return this.lengths[slot] ?? 0
  }

  /** ln(1 + (D - df + .5) / (df + .5)). */
  idf(term: number): number {
    const df = this.postings.length(term)
    return ln(1 + (this.passages - df + 0.5) / (df + 0.5))
  }

  /**
   * Adds a passage given as its terms in any order, repeated as often as they count; its length is
   * `counted`. Slot below 2^23.
   */
  add(slot: number, terms: Int32Array, length: number, counted = length): void {
    this.lengths = grown(this.lengths, slot + 1)
    for (let i = 0, distinct = this.count(terms, length); i < distinct; i++) {
      const term = this.distinct[i] as number
      this.postings.push(term, slot * (MAX_COUNT + 1) + (this.counts[term] as number))
      this.counts[term] = 0
    }
    this.lengths[slot] = counted
    this.totalLength += counted
    this.passages++
  }

  /** Takes a passage out, given the same terms it was added with, but for its postings: `sweep`. */
  remove(slot: number, terms: Int32Array, length: number, counted = length): void {
    for (let i = 0, distinct = this.count(terms, length); i < distinct; i++) {
      const term = this.distinct[i] as number
      this.counts[term] = 0
      this.touched.add(term)
    }
    this.gone.add(slot)
    this.totalLength -= counted
    this.passages--
  }

  /**
   * Takes the postings of removed passages out, each list in one pass for all of them; to be run
   * before one of their slots is used again. Yields after each list how much it looked at.
   */
  *sweep(): Generator<number, void> {
    const { gone, touched } = this
    for (let i = 0; i < touched.size; i++) {
      const term = touched.values[i]!
      yield this.postings.length(term)
      this.postings.removeAll(term, (posting) => gone.has(posting >>> 8))
    }
    touched.clear()
    this.gone = new SlotSet()
  }

  /** Postings looked at by removals so far. */
  get looked(): number {
    return this.postings.looked
  }

  /** Visits the slots that hold a term. */
  visit(term: number, visitor: (slot: number, count: number) => void): void {
    const { data } = this.postings,
      from = this.postings.offset(term),
      to = from + this.postings.length(term)
    for (let i = from; i < to; i++)
      visitor((data[i] as number) >>> 8, (data[i] as number) & MAX_COUNT)
  }

  /**
   * Adds the BM25 score of each slot to `scores`, and sets bit j of `held` where the slot holds the
   * j-th term (up to 31 terms). A term given twice counts twice; all times `share`.
   */
  score(terms: readonly number[], scores: Float64Array, held: Int32Array | null, share = 1): void {
    if (this.passages === 0) return
    const average = this.totalLength / this.passages || 1,
      { data } = this.postings,
      { lengths } = this
    const seen = new Map<number, number>()
    for (const term of terms) {
      let bit = seen.get(term)
      if (bit === undefined) {
        bit = seen.size
        seen.set(term, bit)
      }
      const weight = share * this.idf(term) * (K1 + 1),
        mask = bit < 31 ? 1 << bit : 0
      const from = this.postings.offset(term),
        to = from + this.postings.length(term)
      for (let i = from; i < to; i++) {
        const posting = data[i] as number,
          slot = posting >>> 8,
          count = posting & MAX_COUNT
        scores[slot] =
          (scores[slot] as number) +
          (weight * count) / (count + K1 * (1 - B + (B * (lengths[slot] as number)) / average))
        if (held) held[slot] = (held[slot] as number) | mask
      }
    }
  }

  /** Writes postings of all `terms`; `slots[i]` is the slot written as i, `places` the reverse. */
  dump(out: SectionWriter, terms: number, slots: Int32Array, places: Int32Array): void {
    this.postings.dump(
      out,
      terms,
      (posting) => (places[posting >>> 8] as number) * (MAX_COUNT + 1) + (posting & MAX_COUNT),
    )
    out.put(slots.map((slot) => this.lengths[slot] as number))
  }

  /**
   * An index as `dump` wrote it, of slots 0 to passages - 1; gives the number of passages. Throws
   * `index/corrupt`.
   */
  restore(input: SectionReader): number {
    this.postings = ListArena.restore(input)
    const lengths = input.int32(),
      passages = lengths.length
    this.postings.check(passages * (MAX_COUNT + 1))
    this.lengths = lengths
    this.passages = passages
    this.totalLength = lengths.reduce((sum, length) => sum + length, 0)
    return passages
  }

  get bytes(): number {
    return (
      this.postings.bytes +
      this.lengths.byteLength +
      this.counts.byteLength +
      this.distinct.byteLength
    )
  }

  /** Counts the terms; gives how many different ones there are. */
  private count(terms: Int32Array, length: number): number {
    this.distinct = grown(this.distinct, length)
    let distinct = 0
    for (let i = 0; i < length; i++) {
      const term = terms[i] as number
      this.counts = grown(this.counts, term + 1)
      const count = this.counts[term] as number
      if (count === 0) this.distinct[distinct++] = term
      if (count < MAX_COUNT) this.counts[term] = count + 1
    }
    return distinct
  }
}
