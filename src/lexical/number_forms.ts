/**
 * Dates, and numbers that blanks or signs part, under one form each. Reads the words around a
 * number only, so that a text costs as much as it has numbers.
 */
import type { WordColumns } from './word_columns.ts'
import { HAS_DIGIT, LEADING_DIGIT } from './words.ts'

/** Fewest digits that blanks may part: a phone number, an IBAN, an ISBN. */
const PARTED_DIGITS = 7
/** Most groups of one number: an IBAN has nine. */
const GROUPS = 12
/** Most letters and digits of one. */
const NUMBER_CHARS = 64

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    'january jan januar jänner janvier enero gennaio janeiro januari января',
    'february feb februar février febrero febbraio fevereiro februari февраля',
    'march mar märz mars marzo março maart марта',
    'april apr avril abril aprile апреля',
    'may mai mayo maggio maio mei maj мая',
    'june jun juni juin junio giugno junho июня',
    'july jul juli juillet julio luglio julho июля',
    'august aug août agosto augustus augusti августа',
    'september sep sept septembre septiembre settembre setembro сентября',
    'october oct okt oktober octobre octubre ottobre outubro октября',
    'november nov novembre noviembre novembro ноября',
    'december dec dez dezember décembre diciembre dicembre dezembro декабря',
  ].flatMap((names, i) => names.split(' ').map((name): [string, number] => [name, i + 1])),
)
const OF: ReadonlySet<string> = new Set(['of', 'de', 'di'])
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['€', 'eur'],
  ['$', 'usd'],
  ['£', 'gbp'],
  ['¥', 'jpy'],
])

/** The words of a text with what a number needs of its neighbours. */
class NumberReader {
  constructor(
    private readonly text: string,
    private readonly words: WordColumns,
    private readonly visit: (form: string) => void,
  ) {}

  private word(i: number): string {
    if (i < 0 || i >= this.words.length) return ''
    return this.text.slice(this.words.starts[i], this.words.ends[i])
  }

  /** What stands between word `i` and the next; a space where that is far. */
  private gap(i: number): string {
    const { ends, starts, length } = this.words
    if (i < 0 || i + 1 >= length) return '\n'
    const from = ends[i] as number,
      to = starts[i + 1] as number
    return to > from && to - from <= 3 ? this.text.slice(from, to) : '\n'
  }

  date(i: number): void {
    const first = this.number(i)
    if (first < 0) return
    const sign = this.gap(i)
    if (this.yearAt(i) >= 0) this.fromYear(i)
    else if (/^[./-] ?$/.test(sign) && this.gap(i + 1).startsWith(sign.charAt(0)))
      this.inFigures(i, sign.charAt(0))
    if (first > 31) return
    const skip = OF.has(this.word(i + 1).toLowerCase()) ? 2 : 1,
      month = this.month(i + skip)
    if (month > 0) this.day(this.yearAt(i + skip + 1), month, first)
    const before = this.month(i - 1)
    if (before > 0 && !/^\d{1,2}$/.test(this.word(i - 2)))
      this.day(this.yearAt(i + 1), before, first)
  }

  /** 2026-03-07, 2026/3/7, 2026年3月7日. */
  private fromYear(i: number): void {
    const wide = this.word(i + 1).startsWith('年') ? 2 : 1
    if (wide === 1 && !/^[./-]$/.test(this.gap(i))) return
    this.day(this.yearAt(i), this.number(i + wide), this.number(i + 2 * wide))
  }

  /** 07.03.2026 has its day first; 3/7/2026 may be either, and is found as both. */
  private inFigures(i: number, sign: string): void {
    const year = this.yearAt(i + 2),
      [first, second] = [this.number(i), this.number(i + 1)]
    if (year < 0) return
    this.day(year, second, first)
    if (sign === '/' && first !== second) this.day(year, first, second)
  }

  private day(year: number, month: number, day: number): void {
    if (month < 1 || month > 12 || day < 1 || day > 31) return
    const ofYear = `@${pad(month)}-${pad(day)}`
    this.visit(ofYear)
    if (year >= 0) this.visit(`@${String(year)}${ofYear}`)
  }

  /** `7` and `7th`; -1 for what is no number of at most four digits. */
  private number(i: number): number {
    const found = /^(\d{1,4})(?:st|nd|rd|th)?$/i.exec(this.word(i))
    return found ? Number(found[1]) : -1
  }

  private yearAt(i: number): number {
    const word = this.word(i)
    return /^\d{4}$/.test(word) ? Number(word) : -1
  }

  private month(i: number): number {
    const word = this.word(i)
    return word.length < 3 || word.length > 10 ? -1 : (MONTHS.get(word.toLowerCase()) ?? -1)
  }

  /** `€50` and `50 €` as eur. */
  currency(i: number): void {
    const { starts, ends } = this.words,
      before = this.text.charAt((starts[i] as number) - 1),
      after = this.text.slice(ends[i], (ends[i] as number) + 2).trimStart()
    const code = CURRENCIES.get(before) ?? CURRENCIES.get(after.charAt(0))
    if (code !== undefined) this.visit(code)
  }

  /** Groups with blanks, brackets or signs between them, as one; gives the last word of them. */
  parted(first: number): number {
    const { shapes } = this.words
    let last = first
    while (last - first < GROUPS && /^(?:[ \u00a0()/.-]{1,2})$/.test(this.gap(last))) {
      const isCode = /^[A-Z]{4}$|^X$/.test(this.word(last + 1))
      if (((shapes[last + 1] as number) & HAS_DIGIT) === 0 && !isCode) break
      last++
    }
    if (last === first) return first
    let joined = ''
    for (let i = first; i <= last; i++) joined += this.word(i).toLowerCase()
    if (joined.length <= NUMBER_CHARS && joined.replace(/\D/g, '').length >= PARTED_DIGITS)
      this.visit(joined)
    return last
  }
}

/** Visits the forms of all dates and parted numbers of a text. */
export function visitNumbers(
  text: string,
  words: WordColumns,
  visit: (form: string) => void,
): void {
  const reader = new NumberReader(text, words, visit)
  let parted = -1
  for (let i = 0; i < words.length; i++) {
    const shape = words.shapes[i] as number
    if ((shape & HAS_DIGIT) === 0) continue
    if (i > parted) parted = reader.parted(i)
    if ((shape & LEADING_DIGIT) === 0) continue
    reader.date(i)
    reader.currency(i)
  }
}

const pad = (value: number): string => String(value).padStart(2, '0')
