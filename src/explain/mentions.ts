/** Where names stand in a passage. */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import { PassageReader, type PassageWords } from '../graph/passage_reader.ts'
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

/** Used and dropped while nothing is awaited: readers of all corpora share it. */
const buffer = new WordBuffer()

/**
 * Reads passages again for the few that are shown; keeps what it read for the length of one answer.
 */
export class MentionReader {
  private readonly mentions = new Map<number, readonly Mention[]>()
  private readonly sentences = new Map<number, readonly Span[]>()

  constructor(
    private readonly index: TextIndex,
    private readonly table: CorpusTable,
    readonly passages = new PassageReader(index, (slot) => table.text(slot)),
  ) {}

  /** All mentions in a passage: those of its text in reading order, then those of its title. */
  of(slot: number): readonly Mention[] {
    const known = this.mentions.get(slot)
    if (known) return known
    const out: Mention[] = [],
      { start } = this.table.span(slot),
      words = this.passages.wordsOf(slot)
    this.index.namesIn(words.ids, words.ids.length, true, taker(words, start, false, out))
    this.index.readNames(this.table.title(slot), buffer, true, taker(buffer, 0, true, out))
    this.mentions.set(slot, out)
    return out
  }

  /** The words of a passage's text. */
  wordsOf(slot: number): PassageWords {
    return this.passages.wordsOf(slot)
  }

  /**
   * The first place of a name in a passage, in its text if it is there, or null; of merged names,
   * `spelt` asks for the one that is written so.
   */
  find(slot: number, name: number, spelt = -1): Mention | null {
    return (
      this.of(slot).find(
        (mention) => mention.name === name && (spelt < 0 || mention.spelt === spelt),
      ) ?? null
    )
  }

  /** The sentences of a passage, offsets into the document's text; at least one. */
  sentencesOf(slot: number): readonly Span[] {
    const known = this.sentences.get(slot)
    if (known) return known
    const { start, end } = this.table.span(slot)
    const spans = this.passages
      .sentencesOf(slot)
      .map((span) => ({ start: span.start + start, end: span.end + start }))
    const out = spans.length > 0 ? spans : [{ start, end }]
    this.sentences.set(slot, out)
    return out
  }

  /** The sentence that holds a mention; for one in the title, the passage's first. */
  sentenceAround(slot: number, mention: Mention): Span {
    const sentences = this.sentencesOf(slot)
    if (mention.inTitle) return sentences[0]!
    const first = sentences.find((sentence) => sentence.end > mention.start) ?? sentences[0]!
    // a name may cross what looks like a sentence end: the span shown must hold all of it
    return mention.start >= first.start && mention.end <= first.end
      ? first
      : { start: Math.min(first.start, mention.start), end: Math.max(first.end, mention.end) }
  }

  /** The sentences from one end of a range inside the passage to the other. */
  sentencesAround(slot: number, range: Span): Span {
    const sentences = this.sentencesOf(slot)
    const first = sentences.findLast((sentence) => sentence.start <= range.start) ?? range,
      last = sentences.find((sentence) => sentence.end >= range.end) ?? range
    return { start: Math.min(first.start, range.start), end: Math.max(last.end, range.end) }
  }
}

function taker(
  words: Pick<PassageWords, 'starts' | 'ends'>,
  offset: number,
  inTitle: boolean,
  out: Mention[],
): (name: number, from: number, to: number, spelt: number) => void {
  return (name, from, to, spelt) => {
    out.push({
      name,
      spelt,
      inTitle,
      start: words.starts[from]! + offset,
      end: words.ends[to - 1]! + offset,
    })
  }
}
