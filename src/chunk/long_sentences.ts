/**
 * Owns cutting a range that is too long for a passage at the best place inside it. Refuses: cutting
 * inside a surrogate pair.
 */
import { CJK, classOf, NEWLINE, SPACE } from './characters.ts'
import { PieceMeter } from './word_pieces.ts'
import type { Span } from '../types.ts'

/** What a passage may hold: UTF-16 units, and estimated word pieces in twelfths. */
export interface PassageLimit {
  readonly chars: number
  readonly pieces: number
}

/**
 * Combining marks, joiners and variation selectors kept with their base, looked for at most this
 * far back.
 */
const MARKS_BACK = 16

/**
 * Cuts [start, end) of `text` into trimmed ranges within `limit`: after a clause (comma, semicolon,
 * colon, dash) in its second half, else at white space, else between two code points, keeping marks
 * with their base. A range always holds one code point at least. Linear: at most half of a piece is
 * read twice.
 */
export function splitLong(text: string, start: number, end: number, limit: PassageLimit): Span[] {
  const out: Span[] = []
  const meter = new PieceMeter()
  let from = start
  let clause = -1
  let space = -1
  let at = from
  while (at < end) {
    const unit = text.charCodeAt(at)
    const class_ = classOf(unit)
    const pieces = meter.add(unit)
    if (at > from && (at - from + 1 > limit.chars || pieces > limit.pieces)) {
      const half = from + ((at - from) >> 1)
      const cut = clause > half ? clause : space > half ? space : codePointCut(text, from, at)
      if (cut > from) {
        pushTrimmed(text, from, cut, out)
        from = cut
        at = cut
        clause = -1
        space = -1
        meter.reset()
        continue
      }
    }
    if (class_ === SPACE || class_ === NEWLINE) space = at
    else if (
      isClauseMark(unit) &&
      (class_ === CJK || unit > 0x2fff || isSpaceUnit(text, at + 1, end))
    )
      clause = at + 1
    at++
  }
  pushTrimmed(text, from, end, out)
  return out
}

function isSpaceUnit(text: string, at: number, end: number): boolean {
  if (at >= end) return true
  const class_ = classOf(text.charCodeAt(at))
  return class_ === SPACE || class_ === NEWLINE
}

/** `,` `;` `:` dashes and closing brackets, with their CJK and Arabic sisters. */
function isClauseMark(unit: number): boolean {
  return (
    unit === 0x2c ||
    unit === 0x3b ||
    unit === 0x3a ||
    unit === 0x29 ||
    unit === 0x2013 ||
    unit === 0x2014 ||
    unit === 0x3001 ||
    unit === 0xff0c ||
    unit === 0xff1b ||
    unit === 0xff1a ||
    unit === 0x60c ||
    unit === 0x61b
  )
}

/**
 * Nearest place at or before `at` between two user-visible characters; past a lone run of marks it
 * gives up on them.
 */
function codePointCut(text: string, from: number, at: number): number {
  let cut = at
  for (let i = 0; i < MARKS_BACK && cut > from + 1 && joins(text, cut); i++) cut--
  if (joins(text, cut)) cut = at
  if (isInPair(text, cut)) cut = cut - 1 > from ? cut - 1 : cut + 1
  return cut
}

function isInPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff
}

/**
 * True where the unit at `at` belongs to the one before it: the tail of a pair, a mark, a joiner or
 * what a joiner joins.
 */
function joins(text: string, at: number): boolean {
  if (isInPair(text, at)) return true
  const unit = text.charCodeAt(at)
  const mark =
    (unit >= 0x300 && unit <= 0x36f) ||
    unit === 0x200d ||
    (unit >= 0xfe00 && unit <= 0xfe0f) ||
    (unit >= 0x20d0 && unit <= 0x20ff) ||
    (unit >= 0x610 && unit <= 0x61a) ||
    (unit >= 0x64b && unit <= 0x65f) ||
    (unit >= 0x591 && unit <= 0x5bd) ||
    unit === 0xe31 ||
    (unit >= 0xe34 && unit <= 0xe3a) ||
    (unit >= 0xe47 && unit <= 0xe4e)
  return mark || text.charCodeAt(at - 1) === 0x200d
}

function pushTrimmed(text: string, start: number, end: number, out: Span[]): void {
  while (start < end && isSpaceUnit(text, start, end)) start++
  while (end > start && isSpaceUnit(text, end - 1, end)) end--
  if (start < end) out.push({ start, end })
}
