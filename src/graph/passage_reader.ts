/** Words and sentences of the best passages, read once an answer. */
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { Span } from '../types.ts'
import type { TextIndex } from './text_index.ts'

/** The words of a passage: numbers, -1 for none of the corpus, and offsets into the passage. */
export interface PassageWords {
  readonly ids: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

/**
 * Called for each sentence: the bits of its terms, and its names, of which the first `count` are of
 * this sentence; a name may come twice.
 */
export type SentenceVisitor = (terms: number, names: readonly number[], count: number) => void

/** Used and dropped while nothing is awaited: readers of all corpora share it. */
const buffer = new WordBuffer()

/** Valid for as long as no document comes or goes. */
export class PassageReader {
  private readonly words = new Map<number, PassageWords>()
  private readonly sentences = new Map<number, readonly Span[]>()

  constructor(
    private readonly index: TextIndex,
    readonly textOf: (slot: number) => string,
  ) {}

  wordsOf(slot: number): PassageWords {
    const known = this.words.get(slot)
    if (known) return known
    const { length, ids, starts, ends } = buffer.read(
      this.textOf(slot),
      this.index.vocabulary,
      true,
    )
    const words = {
      ids: ids.slice(0, length),
      starts: starts.slice(0, length),
      ends: ends.slice(0, length),
    }
    this.words.set(slot, words)
    return words
  }

  /** Offsets into the passage. */
  sentencesOf(slot: number): readonly Span[] {
    const known = this.sentences.get(slot)
    if (known) return known
    const spans = sentenceSpans(this.textOf(slot))
    this.sentences.set(slot, spans)
    return spans
  }

  /** The same where they have been asked for before. */
  knownSentences(slot: number): readonly Span[] | undefined {
    return this.sentences.get(slot)
  }

  /**
   * Visits the sentences in order, each by itself, so that no name spans two; `bits` gives the bit
   * of each term that matters.
   */
  visitSentences(slot: number, bits: ReadonlyMap<number, number>, visit: SentenceVisitor): void {
    const { index } = this,
      { ids, starts } = this.wordsOf(slot),
      names: number[] = []
    let from = 0
    for (const { end } of this.sentencesOf(slot)) {
      let to = from,
        count = 0,
        terms = 0
      for (; to < ids.length && starts[to]! < end; to++) {
        const word = ids[to]!
        if (word >= 0) terms |= bits.get(index.vocabulary.termOf(word)) ?? 0
      }
      index.namesIn(ids.subarray(from, to), to - from, true, (name) => {
        names[count++] = name
      })
      visit(terms, names, count)
      from = to
    }
  }
}
