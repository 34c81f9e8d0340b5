/**
 * Where words begin and end, by rules of our own: engines differ in Intl.Segmenter.
 *
 * A word is a run of letters and digits (general categories L and N) with the marks (M) that follow
 * them. Scripts that are written without spaces give overlapping pairs of characters instead
 * (bigrams, as Lucene's CJKBigramFilter makes them), so that a name or a term is found wherever it
 * stands in a run.
 */

const UNKNOWN = 0,
  OTHER = 1,
  LOWER_CASE = 2,
  UPPER_CASE = 3,
  CASELESS = 4,
  DIGIT = 5,
  COMBINING = 6,
  UNSPACED_SCRIPT = 7

const LOWER = /^\p{Ll}$/u,
  UPPER = /^[\p{Lu}\p{Lt}]$/u,
  LETTER = /^\p{L}$/u,
  NUMBER = /^\p{N}$/u,
  MARK = /^\p{M}$/u
/** For a class of a regular expression: scripts written without spaces. Korean has some. */
export const UNSPACED_SCRIPTS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}' +
  '\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}\\p{Script=Hangul}\u30fc]$`, 'u')

/** Soft hyphens and joiners stand inside words, and are no part of their spelling. */
export const JOINERS = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const JOINER = /^[\u00ad\u200b-\u200d\u2060\ufeff]$/

function classify(char: string): number {
  if (MARK.test(char) || JOINER.test(char)) return COMBINING
  // a script's own stops and signs end a run
  if (UNSPACED.test(char) && (LETTER.test(char) || NUMBER.test(char))) return UNSPACED_SCRIPT
  if (LOWER.test(char)) return LOWER_CASE
  if (UPPER.test(char)) return UPPER_CASE
  if (LETTER.test(char)) return CASELESS
  if (NUMBER.test(char)) return DIGIT
  return OTHER
}

/** Kinds of the characters of the basic plane, filled as they are met. */
const kindOf = new Uint8Array(65536)

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  let kind = kindOf[unit] as number
  if (kind === UNKNOWN) {
    if (unit >= 0xd800 && unit < 0xdc00) {
      const point = text.codePointAt(at) as number
      return point > 0xffff ? classify(String.fromCodePoint(point)) : OTHER
    }
    kind = classify(String.fromCharCode(unit))
    kindOf[unit] = kind
  }
  return kind
}

// How a word is written, as bits of `shape`.

/** Begins with a capital. */
export const CAPITAL = 1
/** Has letters with case, and all of them are small. */
export const SMALL = 2
/** Begins with a digit. */
export const LEADING_DIGIT = 4
/** A pair (or a single) of characters of a script without spaces; the next pair overlaps it. */
export const BIGRAM = 8
/** Has a digit anywhere. */
export const HAS_DIGIT = 16

/** Called for each word in order; `text.slice(start, end)` is the word as written. */
export type WordVisitor = (start: number, end: number, shape: number) => void

/** Visits the words of `text.slice(from, to)` in one pass, without allocating. */
export function scanWords(text: string, visit: WordVisitor, from = 0, to = text.length): void {
  for (let at = from; at < to;) {
    if (begins(text, at)) at = scanWord(text, at, to, visit)
    else at++
  }
}

/** Whether a word begins at a place where none is under way. */
export function begins(text: string, at: number): boolean {
  const kind = kindAt(text, at)
  return kind !== OTHER && kind !== COMBINING
}

/** Whether a word of letters and digits before this place ends here. */
export function ends(text: string, at: number): boolean {
  const kind = kindAt(text, at)
  return kind === OTHER || kind === UNSPACED_SCRIPT
}

/**
 * Visits the word that begins at `start`, or the pairs of a run without spaces; gives the place
 * behind it.
 */
export function scanWord(text: string, start: number, to: number, visit: WordVisitor): number {
  let at = start,
    kind = kindAt(text, at)
  if (kind === UNSPACED_SCRIPT) return scanUnspaced(text, start, to, visit)
  let kinds = 0
  const first = kind
  while (kind !== OTHER && kind !== UNSPACED_SCRIPT) {
    if (kind === LOWER_CASE) kinds |= SOME_LOWER
    else if (kind === UPPER_CASE) kinds |= SOME_UPPER
    else if (kind === DIGIT) kinds |= HAS_DIGIT
    at += width(text, at)
    if (at >= to) break
    kind = kindAt(text, at)
  }
  if (at > to) at = to
  visit(start, at, shape(first, kinds))
  return at
}

const SOME_LOWER = 1,
  SOME_UPPER = 2 // beside HAS_DIGIT

function shape(first: number, kinds: number): number {
  return (
    (first === UPPER_CASE ? CAPITAL : first === DIGIT ? LEADING_DIGIT : 0) |
    ((kinds & (SOME_LOWER | SOME_UPPER)) === SOME_LOWER ? SMALL : 0) |
    (kinds & HAS_DIGIT)
  )
}

// The same for words of ASCII alone, by tables.

/** The small letter or digit of an ASCII unit; 0 for what is in no word. */
export const LETTERS = new Uint8Array(128)
/** What an ASCII unit tells of its word, to be joined by `|` for `shapeOf`. */
export const ASCII_KINDS = new Uint8Array(128)
for (let unit = 0; unit < 128; unit++) {
  const kind = kindAt(String.fromCharCode(unit), 0)
  if (kind === OTHER) continue
  LETTERS[unit] = kind === UPPER_CASE ? unit | 32 : unit
  ASCII_KINDS[unit] =
    kind === LOWER_CASE ? SOME_LOWER : kind === UPPER_CASE ? SOME_UPPER : HAS_DIGIT
}

/** The shape of a word by its first unit and the kinds of all. */
export function shapeOf(first: number, kinds: number): number {
  return shape(kindOf[first] as number, kinds)
}

function width(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) return 1
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

function scanUnspaced(text: string, start: number, to: number, visit: WordVisitor): number {
  let previous = -1,
    at = start
  while (at < to) {
    const kind = kindAt(text, at)
    if (kind !== UNSPACED_SCRIPT && !(kind === COMBINING && at > start)) break
    let next = at + width(text, at)
    // vowel signs stay with their letter
    while (next < to && kindAt(text, next) === COMBINING) next += width(text, next)
    if (next > to) next = to
    if (previous >= 0) visit(previous, next, BIGRAM)
    previous = at
    at = next
  }
  if (previous === start) visit(start, at, BIGRAM)
  return at
}

/** The words of a text in lower case. */
export function lowerWords(text: string): string[] {
  const out: string[] = []
  scanWords(text, (start, end) => out.push(text.slice(start, end).toLowerCase()))
  return out
}

/** White space, for the gaps between words. */
export function isSpace(unit: number): boolean {
  return (
    unit === 32 ||
    (unit >= 9 && unit <= 13) ||
    unit === 0xa0 ||
    unit === 0x3000 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x1680 ||
    unit === 0x85
  )
}
