/** Units of names: words written together, and the gaps over which a name goes on. */
import type { WordBuffer } from '../../lexical/word_buffer.ts'
import { CAPITAL, isSpace, LEADING_DIGIT, SMALL } from '../../lexical/words.ts'

const LINE_FEED = 10
/** A line at least so long was wrapped. */
const WRAPPED = 50

/** Whether a capitalised word, a number of at most four digits, or a brand may begin here. */
export function opensUnit(text: string, words: WordBuffer, at: number): boolean {
  const shape = words.shapes[at]!,
    start = words.starts[at]!,
    end = words.ends[at]!
  if (shape & CAPITAL) return true
  if (shape & SMALL) return false
  if (shape & LEADING_DIGIT && isShortNumber(text, start, end)) return true
  return hasCapital(text, start, end)
}

/** iPhone, eBay, 3M. */
function hasCapital(text: string, start: number, end: number): boolean {
  for (let i = start + 1; i < end; i++) {
    const c = text.charCodeAt(i)
    if (c >= 65 && c <= 90) return end - start <= 24
  }
  return false
}

/**
 * One past the last word written together with the one at `at`: Jean-Paul, O'Neill, U.S, AT&T,
 * COVID-19. A possessive and -based are not of the name.
 */
export function unitEnd(text: string, words: WordBuffer, at: number): number {
  let next = at + 1
  while (next < words.length && joins(text, words.ends[next - 1]!, words.starts[next]!)) {
    if (isPossessive(text, words, next)) return next
    next++
  }
  while (next > at + 1 && isSuffix(text, words, next - 1)) next--
  return next
}

function isPossessive(text: string, words: WordBuffer, at: number): boolean {
  const start = words.starts[at]!,
    end = words.ends[at]!
  const mark = text.charCodeAt(start - 1)
  if (end - start !== 1 || text[start] !== 's' || (mark !== 39 && mark !== 0x2019)) return false
  // McDonald's is the name where no thing follows that it has
  const next = at + 1
  if (next >= words.length || !onlySpaces(text, end, words.starts[next]!)) return false
  const follows = text.slice(
    words.starts[next]!,
    Math.min(words.ends[next]!, words.starts[next]! + 12),
  )
  return !FUNCTION_WORDS.has(follows)
}

const FUNCTION_WORDS = new Set(
  `and or but in on at to for from by with as is was were are has have had does did it its
   that which who when where while if then than so also into over under after before between
   during about will would could should may might can not because since until near opened
   closed serves served`.split(/\s+/),
)

const SUFFIXES = new Set(
  `based born style like speaking led era trained owned made wide only type level old winning
   nominated bound backed designed run sized inspired centric related themed area class
   series made`.split(/\s+/),
)

function isSuffix(text: string, words: WordBuffer, at: number): boolean {
  return (
    (words.shapes[at]! & SMALL) !== 0 &&
    text.charCodeAt(words.starts[at]! - 1) === 45 &&
    SUFFIXES.has(text.slice(words.starts[at], words.ends[at]))
  )
}

function joins(text: string, from: number, to: number): boolean {
  if (to - from !== 1) return false
  const c = text.charCodeAt(from)
  return c === 39 || c === 0x2019 || c === 45 || c === 46 || c === 95 || c === 38 // ' ’ - . _ &
}

/** White space over which a name goes on: not over a line's end unless the line was wrapped. */
export function proseGap(text: string, from: number, to: number, least = WRAPPED): boolean {
  if (from >= to) return false
  let feed = -1
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i)
    if (!isSpace(c)) return false
    if (c === LINE_FEED) {
      if (feed >= 0) return false
      feed = i
    }
  }
  return feed < 0 || isWrapped(text, feed, least)
}

function isWrapped(text: string, feed: number, least: number): boolean {
  let start = feed
  while (start > 0 && feed - start < least && text.charCodeAt(start - 1) !== LINE_FEED) start--
  if (feed - start < least) return false
  // a key and a colon begin a new entry
  const found = text.indexOf('\n', feed + 1),
    line = text.slice(feed + 1, Math.min(found < 0 ? text.length : found, feed + 40))
  return !/^\s*(?:[-*•|#>]|\S+(?: \S+){0,2}:)/.test(line)
}

function onlySpaces(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isSpace(text.charCodeAt(i))) return false
  return to > from
}

/** 1 to 4 digits, with st, nd, rd or th or nothing behind them. */
function isShortNumber(text: string, from: number, to: number): boolean {
  let at = from
  while (at < to && at - from < 5) {
    const c = text.charCodeAt(at)
    if (c < 48 || c > 57) break
    at++
  }
  if (at - from < 1 || at - from > 4) return false
  const rest = text.slice(at, to)
  return rest === '' || rest === 'st' || rest === 'nd' || rest === 'rd' || rest === 'th'
}
