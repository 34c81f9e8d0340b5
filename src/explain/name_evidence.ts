/** What the places of a name in the texts say for its being one. */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import { NameWords } from '../graph/names/name_words.ts'
import { opensSentence, WholeNames } from '../graph/names/whole_names.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { CAPITAL, isSpace, SMALL } from '../lexical/words.ts'

/** Inside a sentence, among words written small. */
export const PROSE = 1
/** A capital that may be that of a sentence, a line or a heading alone. */
export const OPENING = 2
/** All of a link's text, of a table's cell, of what is bold or of an entry of a list. */
export const BOXED = 4
/** Behind "a", "each", "your": one of a class. */
export const ONE_OF_MANY = 8
/** Between quotation marks: a work. */
export const QUOTED = 16
/** In prose, and not before a small word as an adjective stands. */
export const STANDING = 32
/** Ends with the plural of an acronym: APIs, Handbook URLs. */
export const CLASS = 64
/** Behind a small word behind a capital, or before "'s" and a capital: part of The Road to Serfdom. */
export const PART = 128
/** Two capitals or more in five units at most: NFC, CoS, Q&A. */
export const ACRONYM = 256

/** Beside these it is a part of an address or of a key. */
const ADDRESS = '/=#@_%&?~`'
const QUOTES = '"“”„«»「」『』'
/** Longest address looked at. */
const MOST_ADDRESS = 200
const CLASSING = new Set(
  `a an each every any some no another specific your their his her its my our these those such
   all most many several few other appropriate respective relevant corresponding new dedicated
   assigned current single individual`.split(/\s+/),
)

export class NameEvidence {
  private readonly whole: WholeNames
  private readonly words = new WordBuffer()
  /** Slot -> names that stand whole in its text, with what speaks for each. */
  private readonly known = new Map<number, ReadonlyMap<number, number>>()

  constructor(
    private readonly index: TextIndex,
    private readonly table: Pick<CorpusTable, 'text'>,
  ) {
    this.whole = new WholeNames(index.vocabulary, new NameWords(index.vocabulary))
  }

  /** Passages read so far. */
  get passagesRead(): number {
    return this.known.size
  }

  /** Names that stand whole in a passage: the kinds of places each has there. */
  of(slot: number): ReadonlyMap<number, number> {
    const known = this.known.get(slot)
    if (known) return known
    const names = new Map<number, number>(),
      text = this.table.text(slot),
      words = this.words.read(text, this.index.vocabulary, true)
    this.whole.scan(text, words, (from, to, opens) => {
      const name = this.index.gazetteer.trie.find(words.ids, from, to)
      if (name < 0) return
      const kinds = this.kindsOf(text, from, to, opens)
      if (kinds !== 0) names.set(name, (names.get(name) ?? 0) | kinds)
    })
    this.known.set(slot, names)
    return names
  }

  private kindsOf(text: string, from: number, to: number, opens: boolean): number {
    const { starts, ends, ids } = this.words,
      start = starts[from]!,
      end = ends[to - 1]!
    if (isAddress(text, start, end) || isEntryNumber(text, starts[to - 1]!, end)) return 0
    let kinds = 0
    if (QUOTES.includes(text[start - 1] ?? ' '))
      kinds |= QUOTES.includes(text[end] ?? ' ') ? QUOTED : OPENING
    if (/^\p{Lu}{2,}s$/u.test(text.slice(starts[to - 1], end))) kinds |= CLASS
    if (isBoxed(text, start, end)) kinds |= BOXED
    if (opens || opensSentence(text, start)) kinds |= OPENING
    if (isAcronym(text.slice(start, end))) kinds |= ACRONYM
    if (this.isPart(text, from, to) || this.isCount(text, from, to)) kinds |= PART
    if (from > 0 && onlySpace(text, ends[from - 1]!, start)) {
      const before = text.slice(starts[from - 1], ends[from - 1])
      if (CLASSING.has(before.toLowerCase())) return kinds | ONE_OF_MANY
    }
    if ((kinds & (OPENING | BOXED | PART)) === 0) kinds |= PROSE
    const next = to < this.words.length && text[end] === ' ' ? text[end + 1]! : ''
    const attribute = /\p{Ll}/u.test(next) && !this.index.vocabulary.isStop(ids[to]!)
    return kinds & PROSE && !attribute ? kinds | STANDING : kinds
  }

  /** "Venice 22 times": the number is that of the times. */
  private isCount(text: string, from: number, to: number): boolean {
    const { starts, ends, ids, shapes, length } = this.words
    return (
      to - from > 1 &&
      to < length &&
      /^\d+$/.test(text.slice(starts[to - 1], ends[to - 1])) &&
      (shapes[to]! & SMALL) !== 0 &&
      !this.index.vocabulary.isStop(ids[to]!) &&
      onlySpace(text, ends[to - 1]!, starts[to]!)
    )
  }

  private isPart(text: string, from: number, to: number): boolean {
    const { starts, ends, ids, shapes } = this.words,
      { vocabulary } = this.index
    if (/^['’]s \p{Lu}/u.test(text.slice(ends[to - 1], ends[to - 1]! + 4))) return true
    const joint = from - 1,
      head = from - 2
    return (
      head >= 0 &&
      (shapes[joint]! & CAPITAL) === 0 &&
      vocabulary.isStop(ids[joint]!) &&
      (shapes[head]! & CAPITAL) !== 0 &&
      !vocabulary.isStop(ids[head]!) &&
      onlySpace(text, ends[joint]!, starts[from]!) &&
      onlySpace(text, ends[head]!, starts[joint]!)
    )
  }
}

/** Whether a text writes a name in small letters, as a whole word or in the plural. */
export function standsSmall(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length + (text[at + name.length] === 's' ? 1 : 0)
    if (!LETTER.test(text[at - 1] ?? ' ') && !LETTER.test(text[end] ?? ' '))
      if (!isAddress(text, at, end)) return true
  }
  return false
}

const LETTER = /[\p{L}\p{N}\p{M}]/u

const ENTITY = /&(?:amp|lt|gt|nbsp)$/

function isAcronym(written: string): boolean {
  return (
    written.length <= 5 &&
    /^\p{Lu}[\p{L}\d&]+$/u.test(written) &&
    /[\p{Lu}\d]/u.test(written.slice(1))
  )
}

/** Part of an address, of code, or of a call in braces. */
function isAddress(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ' ',
    behind = text[end] ?? ' '
  if (ADDRESS.includes(before)) return true
  if (behind === '%' || (ADDRESS.includes(behind) && LETTER.test(text[end + 1] ?? ' '))) return true
  if (behind === ';' && ENTITY.test(text.slice(Math.max(0, end - 5), end))) return true
  for (let at = start - 1; at >= 0 && start - at < MOST_ADDRESS; at--) {
    const c = text.charCodeAt(at)
    if (isSpace(c)) return isCalled(text, at)
    if (c === 47 || (c === 40 && text[at - 1] === ']')) return true // / ](
  }
  return false
}

/** The number of the next entry of a list: "to Crunchbase 1. Send it". */
function isEntryNumber(text: string, start: number, end: number): boolean {
  if (!/^\d{1,4}$/.test(text.slice(start, end))) return false
  return end - start < 3 ? text[end] === '.' : text[end] === '–' // Europe 1600–1800
}

/** {{< youtube "…" >}} */
function isCalled(text: string, end: number): boolean {
  const from = Math.max(0, end - MOST_ADDRESS),
    open = text.slice(from, end).lastIndexOf('{{')
  return open >= 0 && text.slice(from + open, end + MOST_ADDRESS).indexOf('}}') > end - from - open
}

/** The only words of a link, a cell, a line, or of what is bold. */
function isBoxed(text: string, start: number, end: number): boolean {
  let from = start - 1,
    to = end
  while (from >= 0 && text[from] === ' ') from--
  while (to < text.length && text[to] === ' ') to++
  const before = from < 0 ? '\n' : text[from]!,
    behind = to >= text.length ? '\n' : text[to]!
  return '[|*_\n>#•-'.includes(before) && ']|*_\n<:'.includes(behind)
}

function onlySpace(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text[i] !== ' ' && text[i] !== '\n') return false
  return to > from
}
