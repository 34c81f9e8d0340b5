/** Owns the sentences of a passage as the ranking sees them: which terms and names each one has. Refuses: offsets, and passages that are not among the best. */
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'

export interface SentenceReading {
  readonly terms: ReadonlySet<number>
  readonly names: readonly number[]
}

/** Reads each sentence of a text by itself, so that no name spans two. */
export class PassageReader {
  private readonly words = new WordBuffer()

  constructor(private readonly index: TextIndex) {}

  read(text: string): SentenceReading[] {
    return sentenceSpans(text).map(({ start, end }) => {
      const names = new Set<number>(), terms = new Set<number>()
      this.index.readNames(text.slice(start, end), this.words, true, (name) => names.add(name))
      for (let i = 0; i < this.words.length; i++) {
        const word = this.words.ids[i] as number
        if (word >= 0) terms.add(this.index.vocabulary.termOf(word))
      }
      return { terms, names: [...names] }
    })
  }
}
