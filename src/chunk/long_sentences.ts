/** Cuts a sentence that is too long for a passage, never inside a surrogate pair. */
import { CJK, CLASSES, NEWLINE, SPACE, trimSpan } from './characters.ts'
import { PieceMeter } from './word_pieces.ts'
import type { Span } from '../types.ts'

/** What a passage may hold: UTF-16 units, and estimated word pieces in twelfths. */
export interface PassageLimit {
  readonly chars: number
  readonly pieces: number
}

/** How far back combining marks, joiners and variation selectors are kept with their base. */
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
    const class_ = CLASSES[unit]!
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
  const class_ = CLASSES[text.charCodeAt(at)]!
  return class_ === SPACE || class_ === NEWLINE
}

/** `,` `;` `:` `)` and dashes, with those of CJK and Arabic. */
const CLAUSE_MARKS: ReadonlySet<number> = new Set(
  Array.from(',;:)\u2013\u2014\u3001\uff0c\uff1b\uff1a\u060c\u061b', (mark) => mark.charCodeAt(0)),
)
function isClauseMark(unit: number): boolean {
  return CLAUSE_MARKS.has(unit)
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
  return (
    MARKS.some(([from, to]) => unit >= from && unit <= to) || text.charCodeAt(at - 1) === 0x200d
  )
}

/** Combining marks of Latin, Arabic, Hebrew and Thai, the joiner, variation selectors. */
const MARKS: readonly (readonly [from: number, to: number])[] = [
  [0x300, 0x36f],
  [0x591, 0x5bd],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0xe31, 0xe31],
  [0xe34, 0xe3a],
  [0xe47, 0xe4e],
  [0x200d, 0x200d],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
]

function pushTrimmed(text: string, start: number, end: number, out: Span[]): void {
  const span = trimSpan(text, start, end)
  if (span.start < span.end) out.push(span)
}
