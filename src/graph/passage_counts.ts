/** Counts what a passage brings: terms, lower-case spellings, candidate names, its title. */
import { LIMITS } from '../base/limits.ts'
import { NumberSet } from '../base/number_set.ts'
import type { LexicalIndex } from '../lexical/bm25.ts'
import type { Vocabulary } from '../lexical/vocabulary.ts'
import type { WordBuffer } from '../lexical/word_buffer.ts'
import { SMALL } from '../lexical/words.ts'
import type { Span } from '../types.ts'
import type { Gazetteer } from './gazetteer.ts'
import { scanNameSpans, titleName } from './names/name_spans.ts'
import { NameWords } from './names/name_words.ts'
import { WholeNames } from './names/whole_names.ts'

export interface PassageText {
  readonly title: string
  readonly text: string
  /** True for the first passage of its document. */
  readonly opening: boolean
  /** Names that users gave, whatever their capitals; offsets into `text`. */
  readonly names?: readonly Span[]
}

export class PassageCounts {
  private readonly small = new NumberSet()
  private readonly spans = new NumberSet()
  private readonly whole: WholeNames
  private terms = new Int32Array(1024)

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly lexical: LexicalIndex,
    private readonly gazetteer: Gazetteer,
  ) {
    this.whole = new WholeNames(vocabulary, new NameWords(vocabulary))
  }

  /** Counts a passage, whose words are in the buffers, in or out; gives its title's name or -1. */
  count(
    slot: number,
    passage: PassageText,
    title: WordBuffer,
    text: WordBuffer,
    by: 1 | -1,
  ): number {
    const { small, vocabulary, gazetteer } = this
    this.countTerms(slot, title, text, by)
    small.clear()
    for (let i = 0; i < text.length; i++)
      if (text.shapes[i]! & SMALL && small.add(text.ids[i]!)) vocabulary.addSmall(text.ids[i]!, by)
    this.countNames(passage, text, by)
    const named = title.before(titleName(passage.title).length),
      titled = named > 0 && named <= LIMITS.nameWords
    const name = titled ? gazetteer.addTitle(title.ids, named, by) : -1
    for (let i = 0; i < small.size; i++)
      gazetteer.smallChanged(small.values[i]!, vocabulary.smallCount(small.values[i]!), by)
    return name
  }

  /** The title counts twice. */
  private countTerms(slot: number, title: WordBuffer, text: WordBuffer, by: 1 | -1): void {
    const needed = title.length * 2 + text.length
    if (needed > this.terms.length) this.terms = new Int32Array(needed * 2)
    let length = 0
    for (const words of [title, title, text])
      for (let i = 0; i < words.length; i++) {
        const term = this.vocabulary.termOf(words.ids[i]!)
        if (term >= 0) this.terms[length++] = term
      }
    if (by === 1) this.lexical.add(slot, this.terms, length)
    else this.lexical.remove(slot, this.terms, length)
  }

  /** Each name once a passage. */
  private countNames(passage: PassageText, text: WordBuffer, by: 1 | -1): void {
    const { spans, gazetteer } = this
    spans.clear()
    scanNameSpans(passage.text, text, this.vocabulary, (from, to) => {
      spans.add(gazetteer.name(text.ids, from, to))
    })
    this.whole.scan(passage.text, text, (from, to) => {
      spans.add(gazetteer.name(text.ids, from, to))
    })
    for (let i = 0; i < spans.size; i++) gazetteer.countSpan(spans.values[i]!, by)
    for (const [from, to] of passage.names ? text.ranges(passage.names, LIMITS.nameWords) : [])
      gazetteer.addGiven(text.ids, from, to, by)
  }
}
