/** Owns the sentences of a passage as the ranking sees them: which terms and names each one has. Refuses: offsets, and passages that are not among the best. */
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'

/** Called for each sentence: the bits of its terms, and its names, of which the first `count` are of this sentence; a name may come twice. */
export type SentenceVisitor = (terms: number, names: readonly number[], count: number) => void

/** Reads each sentence of a text by itself, so that no name spans two. */
export class PassageReader {
  private readonly words = new WordBuffer()
  private readonly names: number[] = []

  constructor(private readonly index: TextIndex) {}

  /** Visits the sentences in order; `bits` gives the bit of each term that matters. */
  read(text: string, bits: ReadonlyMap<number, number>, visit: SentenceVisitor): void {
    const { names, words, index } = this
    for (const { start, end } of sentenceSpans(text)) {
      let count = 0, terms = 0
      index.readNames(text.slice(start, end), words, true, (name) => { names[count++] = name })
      for (let i = 0; i < words.length; i++) {
        const word = words.ids[i] as number
        if (word >= 0) terms |= bits.get(index.vocabulary.termOf(word)) ?? 0
      }
      visit(terms, names, count)
    }
  }
}
