/** The pages of a paged document, as its reader noted where each begins. */
import type { Metadata, Span } from '../../src/index.ts'

/** A stretch of a document on one page, from 1; null before the first, or without pages. */
export interface SheetPart extends Span {
  readonly page: number | null
}

/** Where each page begins, offsets into the text; empty for a document without pages. */
export function pageStarts({ pageStarts: starts }: Metadata): readonly number[] {
  return Array.isArray(starts) && starts.every((start) => typeof start === 'number') ? starts : []
}

/** `span` cut where pages begin. */
export function sheetParts(span: Span, starts: readonly number[]): readonly SheetPart[] {
  const inside = starts.filter((start) => start > span.start && start < span.end),
    from = [span.start, ...inside]
  return from.map((start, i) => {
    const page = starts.filter((at) => at <= start).length
    return { start, end: from[i + 1] ?? span.end, page: page === 0 ? null : page }
  })
}
