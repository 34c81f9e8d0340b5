/** Counts what a passage brings: terms, lower-case spellings, candidate names, its title. */
import { append, grown } from '../base/grown.ts'
import { LIMITS } from '../base/limits.ts'
import { NumberSet } from '../base/number_set.ts'
import type { LexicalIndex } from '../lexical/bm25.ts'
import type { Vocabulary } from '../lexical/vocabulary.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { formTerms } from '../lexical/word_forms.ts'
import { SMALL } from '../lexical/words.ts'
import type { Span } from '../types.ts'
import type { Gazetteer } from './gazetteer.ts'
import { scanNameSpans, titleName } from './names/name_spans.ts'
import { NameWords } from './names/name_words.ts'
import { WholeNames } from './names/whole_names.ts'

export interface PassageText {
  readonly title: string
  readonly text: string
  /** The headings over it, whose words and names count as its own. */
  readonly section?: string
  /** The header of the table that it goes on with, whose words count as its own. */
  readonly header?: string
  /** True for the first passage of its document. */
  readonly opening: boolean
  /** Names that users gave, whatever their capitals; offsets into `text`. */
  readonly names?: readonly Span[]
}

/** Title and headings of a passage as one text. */
export function headOf({ title, section = '' }: Pick<PassageText, 'title' | 'section'>): string {
  return section === '' ? title : `${title}\n${section}`
}

export class PassageCounts {
  private readonly small = new NumberSet()
  private readonly spans = new NumberSet()
  private readonly whole: WholeNames
  private readonly header = new WordBuffer()
  private terms = new Int32Array(1024)

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly lexical: LexicalIndex,
    private readonly gazetteer: Gazetteer,
  ) {
    this.whole = new WholeNames(vocabulary, new NameWords(vocabulary))
  }

  /**
   * Counts a passage, whose words are in the buffers (`head`: of `headOf`), in or out; gives its
   * title's name or -1.
   */
  count(
    slot: number,
    passage: PassageText,
    head: WordBuffer,
    text: WordBuffer,
    by: 1 | -1,
  ): number {
    const { small, vocabulary, gazetteer } = this
    this.countTerms(slot, passage, head, text, by)
    small.clear()
    for (let i = 0; i < text.length; i++)
      if (text.shapes[i]! & SMALL && small.add(text.ids[i]!)) vocabulary.addSmall(text.ids[i]!, by)
    this.countNames(passage, text, by)
    const named = head.before(titleName(passage.title).length),
      titled = named > 0 && named <= LIMITS.nameWords
    const name = titled ? gazetteer.addTitle(head.ids, named, by) : -1
    for (let i = 0; i < small.size; i++)
      gazetteer.smallChanged(small.values[i]!, vocabulary.smallCount(small.values[i]!), by)
    return name
  }

  /** The title counts twice; other forms of words count, and make no passage longer. */
  private countTerms(
    slot: number,
    passage: PassageText,
    head: WordBuffer,
    text: WordBuffer,
    by: 1 | -1,
  ): void {
    const header = this.header.read(passage.header ?? '', this.vocabulary),
      titled = head.before(passage.title.length),
      needed = titled + head.length + header.length + text.length
    if (needed > this.terms.length) this.terms = new Int32Array(needed * 2)
    let length = 0
    for (const [words, count] of [
      [head, titled],
      [head, head.length],
      [header, header.length],
      [text, text.length],
    ] as const)
      for (let i = 0; i < count; i++) {
        const term = this.vocabulary.termOf(words.ids[i]!)
        if (term >= 0) this.terms[length++] = term
      }
    const forms = formTerms(headOf(passage), head, this.vocabulary)
    if (header.length > 0) append(forms, formTerms(passage.header ?? '', header, this.vocabulary))
    append(forms, formTerms(passage.text, text, this.vocabulary))
    this.terms = grown(this.terms, length + forms.length)
    this.terms.set(forms, length)
    if (by === 1) this.lexical.add(slot, this.terms, length + forms.length, length)
    else this.lexical.remove(slot, this.terms, length + forms.length, length)
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
