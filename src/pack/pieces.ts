/** The pieces a passage is packed by: sentences, and parts of sentences too long for one. */
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { isSpace } from '../lexical/words.ts'
import type { Span } from '../types.ts'

/**
 * Longest piece, UTF-16 units (120 tokens by chars / 4): tables, code and lists have no sentence
 * ends to cut at.
 */
export const PIECE_CHARS = 480

/**
 * `sentences`: those of the text, where they are known. Gives non-empty spans in reading order,
 * without white space at their ends, each at most PIECE_CHARS long. Offsets into `text`.
 */
export function pieceSpans(text: string, sentences: readonly Span[] = sentenceSpans(text)): Span[] {
  const out: Span[] = []
  for (const { start, end } of sentences) addPieces(text, start, end, out)
  return out
}

function addPieces(text: string, from: number, to: number, out: Span[]): void {
  let start = from
  while (start < to && isSpace(text.charCodeAt(start))) start++
  let end = to
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  while (end - start > PIECE_CHARS) {
    const cut = cutPoint(text, start, start + PIECE_CHARS)
    let trimmed = cut
    while (trimmed > start && isSpace(text.charCodeAt(trimmed - 1))) trimmed--
    if (trimmed > start) out.push({ start, end: trimmed })
    start = cut
    while (start < end && isSpace(text.charCodeAt(start))) start++
  }
  if (end > start) out.push({ start, end })
}

/**
 * The last line end before `limit`, else the last space, else `limit` itself off the middle of a
 * surrogate pair.
 */
function cutPoint(text: string, start: number, limit: number): number {
  let space = -1
  for (let at = limit; at > start + PIECE_CHARS / 4; at--) {
    const unit = text.charCodeAt(at)
    if (unit === 0x0a) return at + 1
    if (space < 0 && isSpace(unit)) space = at + 1
  }
  if (space > 0) return space
  const unit = text.charCodeAt(limit - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit
}
