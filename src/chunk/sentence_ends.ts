/**
 * Whether a run of stops ends a sentence: looks a bounded number of units back and ahead, so that
 * a text is read in linear time whatever it repeats.
 */
import {
  ABBREVIATIONS,
  BEFORE_NUMBER,
  LONGEST_ABBREVIATION,
  MAYBE_LAST,
  NEVER_LAST,
  ORDINAL_FOLLOWERS,
  ORDINAL_LEADERS,
  STARTERS,
} from './abbreviations.ts'
import {
  BANG,
  CJK,
  classAt,
  CLOSE,
  DIGIT,
  DOT,
  ELLIPSIS,
  FULL_STOP,
  isLowerAt,
  isSpace,
  isUpperAt,
  isWordAt,
  OPEN,
  QUOTE,
} from './characters.ts'

/** Longest word that is read ahead, UTF-16 units. */
const WORD_AHEAD = 16
/** Opening quotes and brackets skipped before the next word. */
const OPENERS_AHEAD = 4
/** Marks after which a sentence goes on: `etc., and`, `(a.k.a.) -`. */
const CONTINUES = ',;:)]}%&=/+\u3001\uff0c\uff1b\uff1a\u060c\u061b'

/** The end of closing quotes, brackets and `[12]` notes that follow the stops at `at`. */
export function skipClosers(text: string, at: number, end: number): number {
  while (at < end) {
    const class_ = classAt(text, at)
    if (class_ === CLOSE || class_ === QUOTE) at++
    else if (text.charAt(at) === '[') {
      let close = at + 1
      while (close < end && close - at <= 4 && classAt(text, close) === DIGIT) close++
      if (close === at + 1 || close >= end || text.charAt(close) !== ']') return at
      at = close + 1
    } else return at
  }
  return at
}

/**
 * Says whether the stops in [stop, stopEnd) end the sentence that began at `start`, the closers
 * after them reaching `after`. `next` is the first unit of the block after `after` that is not
 * white space, `end` the end of the block.
 */
export function endsSentence(
  text: string,
  start: number,
  stop: number,
  stopEnd: number,
  after: number,
  next: number,
  end: number,
): boolean {
  if (next >= end) return true
  const last = classAt(text, stopEnd - 1)
  if (last === FULL_STOP) return endsFullStop(text, stop, stopEnd, after, next)
  const spaced = next > after
  if (!spaced) return last === BANG && classAt(text, next) === CJK
  if (CONTINUES.includes(text.charAt(next)) || classAt(text, next) === DOT) return false
  const word = skipOpeners(text, next, end)
  const quoted = word > next
  if (isLowerAt(text, word))
    return (
      quoted &&
      last === DOT &&
      stopEnd - stop === 1 &&
      text.charAt(next) !== '(' &&
      !isAbbreviation(text, start, stop, word, end)
    )
  if (last === BANG || last === ELLIPSIS || stopEnd - stop > 1) return true
  return !isAbbreviation(text, start, stop, word, end)
}

function endsFullStop(
  text: string,
  stop: number,
  stopEnd: number,
  after: number,
  next: number,
): boolean {
  // Full-width decimals and Indic verse numbers stay whole.
  if (
    stopEnd - stop === 1 &&
    after === stopEnd &&
    classAt(text, stop - 1) === DIGIT &&
    classAt(text, stopEnd) === DIGIT
  )
    return false
  // Japanese quotes carry on: 「行く。」と言った。
  if (after > stopEnd && next === after && '\u3068\u3001\u306e\u3063'.includes(text.charAt(next)))
    return false
  return true
}

function skipOpeners(text: string, at: number, end: number): number {
  let word = at
  while (word < end && word - at < OPENERS_AHEAD) {
    const class_ = classAt(text, word)
    if (class_ !== OPEN && class_ !== QUOTE) break
    word++
  }
  return word
}

/** True where the full stop at `stop` belongs to the word before it. */
function isAbbreviation(
  text: string,
  start: number,
  stop: number,
  next: number,
  end: number,
): boolean {
  const from = wordStart(text, start, stop)
  if (from < 0 || from === stop) return false
  const word = text.slice(from, stop)
  if (isNumber(text, from, stop)) {
    // A list number at the head of its sentence (`1.`, `2.3.`), or a German ordinal.
    if (from === start && (word.length <= 3 || word.includes('.'))) return true
    return word.length <= 2 && isOrdinal(text, start, from, wordAhead(text, next, end))
  }
  const small = word.toLowerCase(),
    initial = word.length === 1 && isUpperAt(text, from),
    dotted = isDotted(word)
  // `z. B.`, `т. е.`, `p. ej.`
  if (word.length === 1 && !initial)
    if (isAbbreviatedAt(text, next, end) || followsLetter(text, start, from)) return true
  if (!initial && !dotted && !ABBREVIATIONS.has(small)) return false
  if (NEVER_LAST.has(small)) return true
  const digitNext = classAt(text, next) === DIGIT
  if (digitNext && BEFORE_NUMBER.has(small)) return true
  if (
    !initial &&
    !dotted &&
    !MAYBE_LAST.has(small) &&
    !(BEFORE_NUMBER.has(small) && isMonth(small))
  )
    return false
  if (initial && digitNext) return false
  return !STARTERS.has(wordAhead(text, next, end))
}

/** Whether the number at `from` is an ordinal by the words around it. */
function isOrdinal(text: string, start: number, from: number, ahead: string): boolean {
  if (ORDINAL_FOLLOWERS.has(ahead)) return true
  if (from - 1 <= start || !isSpace(text, from - 1)) return false
  const before = wordStart(text, start, from - 1)
  return (
    before >= 0 &&
    ORDINAL_LEADERS.has(text.slice(before, from - 1).toLowerCase()) &&
    ahead !== '' &&
    !STARTERS.has(ahead)
  )
}

/** Whether a single letter with a full stop stands before this place. */
function followsLetter(text: string, start: number, at: number): boolean {
  const letter = at - 3
  return (
    letter >= start &&
    isSpace(text, at - 1) &&
    text.charAt(at - 2) === '.' &&
    isLowerAt(text, letter) &&
    (letter === start || !isWordAt(text, letter - 1))
  )
}

/** Whether a word of at most three letters and a full stop begin here. */
function isAbbreviatedAt(text: string, at: number, end: number): boolean {
  let to = at
  while (to < end && to - at < 4 && isWordAt(text, to)) to++
  return to > at && to - at < 4 && text.charAt(to) === '.'
}

/**
 * Start of the word that ends at `stop`, dots inside it included; -1 where it is longer than any
 * abbreviation.
 */
function wordStart(text: string, start: number, stop: number): number {
  let from = stop
  while (from > start) {
    const before = from - 1
    if (!isWordAt(text, before) && classAt(text, before) !== DOT) break
    if (stop - before > LONGEST_ABBREVIATION) return -1
    from = before
  }
  return from
}

function isNumber(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++)
    if (classAt(text, i) !== DIGIT && classAt(text, i) !== DOT) return false
  return true
}

/** `U.S`, `Ph.D`, `a.k.a`, `พ.ศ`: stops inside, parts of one or two letters. `node.js` is none. */
function isDotted(word: string): boolean {
  if (!word.includes('.')) return false
  const parts = word.split('.')
  return parts.length > 1 && parts.every((part) => part.length > 0 && part.length <= 2)
}

const MONTHS = 'jan feb mar apr jun jul aug sep sept oct nov dec'.split(' ')
const isMonth = (word: string): boolean => MONTHS.includes(word)

function wordAhead(text: string, at: number, end: number): string {
  let to = at
  while (to < end && to - at < WORD_AHEAD && isWordAt(text, to)) to++
  return isSpace(text, to) || to >= end || !isWordAt(text, to)
    ? text.slice(at, to).toLowerCase()
    : ''
}
