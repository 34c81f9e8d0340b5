/** Where names stand in a passage. */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import { headOf } from '../graph/passage_counts.ts'
import { PATH_GAP } from '../chunk/outline.ts'
import { PassageReader, type PassageWords } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { Span } from '../types.ts'

/**
 * A place of a name: offsets into the document's text, or into its title. What stands in a heading
 * over the passage lies before it.
 */
export interface Mention extends Span {
  /** What it is known by. */
  readonly name: number
  /** The name as it stands here, which may have been merged into that one. */
  readonly spelt: number
  readonly inTitle: boolean
  /** The heading over the passage in which it stands. */
  readonly heading?: Span
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

  /** All mentions in a passage: those of its text in reading order, then of title and headings. */
  of(slot: number): readonly Mention[] {
    const known = this.mentions.get(slot)
    if (known) return known
    const out: Mention[] = [],
      { start } = this.table.span(slot),
      words = this.passages.wordsOf(slot)
    this.index.namesIn(words.ids, words.ids.length, true, taker(words, start, out))
    const title = this.table.title(slot),
      headings = this.table.headings(slot),
      head = headOf({ title, section: headings.map(({ text }) => text).join(PATH_GAP) })
    this.index.readNames(head, buffer, true, (name, from, to, spelt) => {
      const at = this.inHead(slot, head, buffer.starts[from]!, buffer.ends[to - 1]!)
      out.push({ name, spelt, ...at })
    })
    this.mentions.set(slot, out)
    return out
  }

  /** Where a part of title and headings stands: in the title, or in its heading in the text. */
  private inHead(
    slot: number,
    head: string,
    from: number,
    to: number,
  ): Omit<Mention, 'name' | 'spelt'> {
    const title = this.table.title(slot)
    if (from < title.length) return { start: from, end: Math.min(to, title.length), inTitle: true }
    let at = title.length + 1
    const heading = this.table.headings(slot).find(({ text }) => {
      at += text.length + PATH_GAP.length
      return from < at
    })!
    const { start, end } = heading,
      found = this.table.entry(slot).text.slice(start, end).indexOf(head.slice(from, to))
    return {
      start: start + Math.max(0, found),
      end: found < 0 ? end : start + found + to - from,
      inTitle: false,
      heading: { start, end },
    }
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

  /** The sentence that holds a mention, or its heading; for one in the title, the passage's first. */
  sentenceAround(slot: number, mention: Mention): Span {
    const sentences = this.sentencesOf(slot)
    if (mention.inTitle) return sentences[0]!
    if (mention.heading) return mention.heading
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
  out: Mention[],
): (name: number, from: number, to: number, spelt: number) => void {
  return (name, from, to, spelt) => {
    out.push({
      name,
      spelt,
      inTitle: false,
      start: words.starts[from]! + offset,
      end: words.ends[to - 1]! + offset,
    })
  }
}
