/** Owns where a name stands in a passage, and what it looks like there. Refuses: ranking. */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { Span } from '../types.ts'

/** A place of a name: offsets into the document's text, or into its title. */
export interface Mention extends Span {
  /** What it is known by. */
  readonly name: number
  /** The name as it stands here, which may have been merged into that one. */
  readonly spelt: number
  readonly inTitle: boolean
}

/** The words of a passage: numbers, -1 for none of the corpus, and offsets into the passage. */
export interface PassageWords {
  readonly ids: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

/** Reads passages again for the few that are shown; keeps what it read for the length of one answer. */
export class MentionReader {
  private readonly words = new WordBuffer()
  private readonly passageWords = new Map<number, PassageWords>()
  private readonly mentions = new Map<number, readonly Mention[]>()
  private readonly sentences = new Map<number, readonly Span[]>()

  constructor(private readonly index: TextIndex, private readonly table: CorpusTable) {}

  /** All mentions in a passage: those of its text in reading order, then those of its title. */
  of(slot: number): readonly Mention[] {
    const known = this.mentions.get(slot)
    if (known) return known
    const out: Mention[] = [], { start } = this.table.span(slot)
    this.read(this.table.text(slot), start, false, out)
    const { length, ids, starts, ends } = this.words
    this.passageWords.set(slot, { ids: ids.slice(0, length), starts: starts.slice(0, length), ends: ends.slice(0, length) })
    this.read(this.table.title(slot), 0, true, out)
    this.mentions.set(slot, out)
    return out
  }

  /** The words of a passage's text. */
  wordsOf(slot: number): PassageWords {
    this.of(slot)
    return this.passageWords.get(slot) as PassageWords
  }

  /** The first place of a name in a passage, in its text if it is there, or null; of merged names, `spelt` asks for the one that is written so. */
  find(slot: number, name: number, spelt = -1): Mention | null {
    return this.of(slot).find((mention) => mention.name === name && (spelt < 0 || mention.spelt === spelt)) ?? null
  }

  /** The sentences of a passage, offsets into the document's text; at least one. */
  sentencesOf(slot: number): readonly Span[] {
    const known = this.sentences.get(slot)
    if (known) return known
    const { start, end } = this.table.span(slot)
    const spans = sentenceSpans(this.table.text(slot)).map((span) => ({ start: span.start + start, end: span.end + start }))
    const out = spans.length > 0 ? spans : [{ start, end }]
    this.sentences.set(slot, out)
    return out
  }

  /** The sentence that holds a mention; for one in the title, the passage's first. */
  sentenceAround(slot: number, mention: Mention): Span {
    const sentences = this.sentencesOf(slot)
    if (mention.inTitle) return sentences[0] as Span
    const first = sentences.find((sentence) => sentence.end > mention.start) ?? (sentences[0] as Span)
    // a name may cross what looks like a sentence end: the span shown must hold all of it
    return mention.start >= first.start && mention.end <= first.end ? first
      : { start: Math.min(first.start, mention.start), end: Math.max(first.end, mention.end) }
  }

  /** The sentences from one end of a range inside the passage to the other. */
  sentencesAround(slot: number, range: Span): Span {
    const sentences = this.sentencesOf(slot)
    const first = sentences.findLast((sentence) => sentence.start <= range.start) ?? range, last = sentences.find((sentence) => sentence.end >= range.end) ?? range
    return { start: Math.min(first.start, range.start), end: Math.max(last.end, range.end) }
  }

  private read(text: string, offset: number, inTitle: boolean, out: Mention[]): void {
    this.index.readNames(text, this.words, true, (name, from, to, spelt) => {
      out.push({ name, spelt, inTitle, start: (this.words.starts[from] as number) + offset, end: (this.words.ends[to - 1] as number) + offset })
    })
  }
}
