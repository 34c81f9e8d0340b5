/**
 * Whole names of a text, as people would mark them: with the small words, initials, numerals and
 * signs that belong to them. Rules of form alone, so that a span depends on its text and not on the
 * corpus.
 */
import { LIMITS } from '../../base/limits.ts'
import type { Vocabulary } from '../../lexical/vocabulary.ts'
import type { WordBuffer } from '../../lexical/word_buffer.ts'
import { BIGRAM, CAPITAL, HAS_DIGIT, isSpace, LEADING_DIGIT, SMALL } from '../../lexical/words.ts'
import {
  ABBREVIATION,
  AFTER_COMMA,
  ARTICLE,
  GENERIC,
  JOINER,
  type NameWords,
  OFFICE,
  OPENER,
  QUANTITY,
} from './name_words.ts'
import { opensUnit, proseGap, unitEnd } from './name_units.ts'
import { unspacedNames } from './unspaced_names.ts'

const AMPERSAND = 38
/** Words looked at on each side for one written small. */
const HEADING = 8

export type NameRangeVisitor = (from: number, to: number, opens: boolean) => void

export class WholeNames {
  private text = ''
  private words!: WordBuffer

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly kinds: NameWords,
  ) {}

  /**
   * Visits ranges of words [from, to), in reading order, without overlap; `opens` where the capital
   * may be that of a sentence or a line alone.
   */
  scan(text: string, words: WordBuffer, visit: NameRangeVisitor): void {
    this.text = text
    this.words = words
    const { length, shapes } = words
    for (let at = 0; at < length;) {
      const shape = shapes[at]!
      if (shape & SMALL) at++
      else if (shape & BIGRAM)
        at = unspacedNames(text, words, at, (from, to) => {
          visit(from, to, false)
        })
      else if (this.opens(at)) at = this.name(at, visit)
      else at++
    }
  }

  private opens(at: number): boolean {
    return opensUnit(this.text, this.words, at) && !this.isYear(at)
  }

  /** Reads the run that begins here and visits its name; gives the word behind it. */
  private name(from: number, visit: NameRangeVisitor): number {
    const { words } = this
    let to = unitEnd(this.text, words, from),
      office = this.kind(from) & OFFICE
    for (let next = this.goesOn(from, to, office !== 0); next > to;) {
      office |= this.kind(next - 1) & OFFICE
      to = unitEnd(this.text, words, next - 1)
      next = this.goesOn(from, to, office !== 0)
    }
    const first = this.begin(from, to)
    if (first < to && to - first <= LIMITS.nameWords && !this.onlyGeneric(first, to))
      visit(first, to, this.mayBeGrammar(first, from, to))
    return to
  }

  /** One past the word that begins the next unit of the name; `to` where the name ends. */
  private goesOn(from: number, to: number, office: boolean): number {
    const { text, words } = this,
      next = to
    if (next >= words.length || words.shapes[next]! & BIGRAM) return to
    const gap = words.ends[to - 1]!,
      start = words.starts[next]!
    if (proseGap(text, gap, start)) {
      if (opensUnit(text, words, next))
        return this.isStop(next) && this.isStop(to - 1) ? to : next + 1
      return this.joined(from, to, office)
    }
    if (!this.isCapital(next)) return to
    const sign = text.slice(gap, start).trim()
    if (sign === '&' && text.charCodeAt(start - 1) !== AMPERSAND) return next + 1
    if (sign === '.' && this.isAbbreviated(to - 1))
      return this.isStop(next) || this.kind(next) & QUANTITY ? to : next + 1
    if ((sign === ',' || sign === '.,') && start - gap <= 3)
      return this.kind(next) & AFTER_COMMA || this.isDotted(next) ? next + 1 : to
    return to
  }

  /** Over small words: of the, de la, van der, d'. */
  private joined(from: number, to: number, office: boolean): number {
    const { words, text } = this
    if (this.onlyGeneric(from, to)) return to
    const kind = this.kind(to),
      and = words.ids[to] === this.vocabulary.find('and')
    if (!(kind & JOINER) && !(and && office)) return to
    let next = to + 1
    if (next < words.length && this.kind(next) & ARTICLE && !this.isCapital(next)) next++
    if (next >= words.length || !this.isCapital(next)) return to
    for (let at = to + 1; at <= next; at++) {
      const gap = words.ends[at - 1]!,
        c = text.charCodeAt(gap)
      const apostrophe = (c === 39 || c === 0x2019) && words.starts[at] === gap + 1
      if (!apostrophe && !proseGap(text, gap, words.starts[at]!)) return to
    }
    return this.kind(next) & GENERIC && and ? to : next + 1
  }

  /** Where the name begins: past articles, and past words that only begin the sentence. */
  private begin(from: number, to: number): number {
    const opening = this.opensSentence(from)
    let at = from
    while (at < to) {
      const end = unitEnd(this.text, this.words, at)
      if (end > at + 1) return at // written together: AT&T
      if (this.isStop(at)) {
        const word = this.kind(at)
        if (at + 1 < to && (opening && at === from ? word & OPENER : word & (OPENER | QUANTITY)))
          return at
        at++
      } else if (opening && at === from && this.kind(at) & QUANTITY && !this.isOne(from, to)) {
        at++
        while (at < to && !this.isCapital(at)) at++
      } else return at
    }
    return at
  }

  private isOne(from: number, to: number): boolean {
    return to - from === 1
  }

  private onlyGeneric(from: number, to: number): boolean {
    for (let at = from; at < to; at++)
      if (!(this.kind(at) & GENERIC) && !(this.words.shapes[at]! & LEADING_DIGIT)) return false
    return true
  }

  /** One word that opens a sentence, or words of a heading. */
  private mayBeGrammar(first: number, from: number, to: number): boolean {
    return (
      (first === from && to - first === 1 && this.opensSentence(from)) || this.inHeading(first, to)
    )
  }

  /** Whether most words of the sentence around, stop words aside, carry a capital. */
  private inHeading(first: number, to: number): boolean {
    const { words, text } = this
    let small = 0
    for (let at = to; at < words.length && at < to + HEADING; at++) {
      if (!proseGap(text, words.ends[at - 1]!, words.starts[at]!) && ends(text, words, at)) break
      if (words.shapes[at]! & SMALL && !this.isStop(at)) small++
    }
    for (let at = first - 1; at >= 0 && at >= first - HEADING; at--) {
      if (!proseGap(text, words.ends[at]!, words.starts[at + 1]!) && ends(text, words, at + 1))
        break
      if (words.shapes[at]! & SMALL && !this.isStop(at)) small++
    }
    return small === 0
  }

  private opensSentence(at: number): boolean {
    let i = this.words.starts[at]! - 1
    for (; i >= 0; i--) {
      const c = this.text.charCodeAt(i)
      if (c === 10) return true
      if (!isSpace(c) && !QUOTES.includes(this.text[i]!)) break
    }
    return i < 0 || '.!?:;•*#>|–—-'.includes(this.text[i]!)
  }

  /** A single letter, or a word that is written with a full stop. */
  private isAbbreviated(at: number): boolean {
    const { starts, ends } = this.words
    return (
      this.isCapital(at) && (ends[at]! - starts[at]! === 1 || (this.kind(at) & ABBREVIATION) !== 0)
    )
  }

  /** D.C. */
  private isDotted(at: number): boolean {
    const { starts, ends, length } = this.words
    return (
      at + 1 < length &&
      ends[at]! - starts[at]! === 1 &&
      this.text[ends[at]!] === '.' &&
      starts[at + 1] === ends[at]! + 1 &&
      this.isCapital(at + 1)
    )
  }

  private isYear(at: number): boolean {
    const { starts, ends, shapes } = this.words
    if (!(shapes[at]! & LEADING_DIGIT)) return false
    return shapes[at]! & HAS_DIGIT
      ? /^\d+$/.test(this.text.slice(starts[at]!, ends[at]!)) && !this.isHyphened(at)
      : true
  }

  private isHyphened(at: number): boolean {
    return (
      this.text.charCodeAt(this.words.ends[at]!) === 45 ||
      this.words.ends[at]! - this.words.starts[at]! <= 2
    )
  }

  private isCapital(at: number): boolean {
    return (this.words.shapes[at]! & CAPITAL) !== 0
  }

  private isStop(at: number): boolean {
    const { ids, starts, ends } = this.words
    return ends[at]! - starts[at]! > 1
      ? this.vocabulary.isStop(ids[at]!)
      : this.text[ends[at]!] !== '.' && this.vocabulary.isStop(ids[at]!)
  }

  private kind(at: number): number {
    return this.kinds.kindOf(this.words.ids[at]!)
  }
}

/** Whether a sentence or line ends in the gap before a word. */
function ends(text: string, words: WordBuffer, at: number): boolean {
  const gap = text.slice(words.ends[at - 1], words.starts[at])
  return /[.!?:\n>|•*]/u.test(gap)
}

const QUOTES = '"\'“”‘’«»„([{'
