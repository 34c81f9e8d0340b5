/**
 * Owns where words begin and end. Refuses: Intl.Segmenter (engines differ), stemming, stop words.
 *
 * A word is a run of letters and digits (general categories L and N) with the marks (M) that follow them. Scripts that
 * are written without spaces give overlapping pairs of characters instead (bigrams, as Lucene's CJKBigramFilter makes
 * them), so that a name or a term is found wherever it stands in a run.
 */

const UNKNOWN = 0, OTHER = 1, LOWER_CASE = 2, UPPER_CASE = 3, CASELESS = 4, DIGIT = 5, COMBINING = 6, UNSPACED_SCRIPT = 7

const LOWER = /^\p{Ll}$/u, UPPER = /^[\p{Lu}\p{Lt}]$/u, LETTER = /^\p{L}$/u, NUMBER = /^\p{N}$/u, MARK = /^\p{M}$/u
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]$/u

function classify(char: string): number {
  if (MARK.test(char)) return COMBINING
  if (UNSPACED.test(char)) return UNSPACED_SCRIPT
  if (LOWER.test(char)) return LOWER_CASE
  if (UPPER.test(char)) return UPPER_CASE
  if (LETTER.test(char)) return CASELESS
  if (NUMBER.test(char)) return DIGIT
  return OTHER
}

/** Kinds of the characters of the basic plane, filled as they are met. */
const kinds = new Uint8Array(65536)

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  let kind = kinds[unit] as number
  if (kind === UNKNOWN) {
    if (unit >= 0xd800 && unit < 0xdc00) {
      const point = text.codePointAt(at) as number
      return point > 0xffff ? classify(String.fromCodePoint(point)) : OTHER
    }
    kind = classify(String.fromCharCode(unit))
    kinds[unit] = kind
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
  let at = from
  while (at < to) {
    let kind = kindAt(text, at)
    if (kind === OTHER || kind === COMBINING) { at++; continue }
    const start = at
    if (kind === UNSPACED_SCRIPT) { at = scanUnspaced(text, start, to, visit); continue }
    let shape = kind === UPPER_CASE ? CAPITAL : kind === DIGIT ? LEADING_DIGIT | HAS_DIGIT : 0
    let lower = false, upper = false
    while (kind !== OTHER && kind !== UNSPACED_SCRIPT) {
      if (kind === LOWER_CASE) lower = true
      else if (kind === UPPER_CASE) upper = true
      else if (kind === DIGIT) shape |= HAS_DIGIT
      at += width(text, at)
      if (at >= to) break
      kind = kindAt(text, at)
    }
    if (at > to) at = to
    if (lower && !upper) shape |= SMALL
    visit(start, at, shape)
  }
}

function width(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) return 1
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

function scanUnspaced(text: string, start: number, to: number, visit: WordVisitor): number {
  let previous = -1, at = start
  while (at < to) {
    const kind = kindAt(text, at)
    if (kind !== UNSPACED_SCRIPT && !(kind === COMBINING && at > start)) break
    let next = at + width(text, at)
    while (next < to && kindAt(text, next) === COMBINING) next += width(text, next)     // vowel signs stay with their letter
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
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x1680 || unit === 0x85
}
