/** Spans as marked pieces of a text; a piece is text and the kinds of mark on it, never markup. */
import type { Span } from '../../src/index.ts'

export type MarkKind = 'answer' | 'name' | 'term' | 'sentence'

/** A span to mark, offsets into the document's text. */
export interface Mark extends Span {
  readonly kind: MarkKind
}

/** A stretch of text with the same marks all over; the pieces joined give the text back. */
export interface Piece {
  readonly text: string
  readonly kinds: readonly MarkKind[]
  /** Offset into the document's text. */
  readonly start: number
}

const ORDER: readonly MarkKind[] = ['answer', 'sentence', 'name', 'term']

/**
 * Cuts `text`, which lies at `base` of its document, at the borders of all marks. Marks may
 * overlap, reach over the ends, or lie outside. Work is O((m + p) log m) for m marks and p pieces.
 */
export function markedPieces(text: string, base: number, marks: readonly Mark[]): readonly Piece[] {
  const end = base + text.length
  const inside = marks.filter(
    (mark) => mark.start < end && mark.end > base && mark.end > mark.start,
  )
  const events: { at: number; kind: MarkKind; step: 1 | -1 }[] = []
  for (const mark of inside) {
    events.push(
      { at: Math.max(mark.start, base), kind: mark.kind, step: 1 },
      { at: Math.min(mark.end, end), kind: mark.kind, step: -1 },
    )
  }
  events.sort((a, b) => a.at - b.at)
  const open = new Map<MarkKind, number>()
  const pieces: Piece[] = []
  let from = base
  const cut = (to: number): void => {
    if (to <= from) return
    const kinds = ORDER.filter((kind) => (open.get(kind) ?? 0) > 0)
    const last = pieces[pieces.length - 1]
    const slice = text.slice(from - base, to - base)
    if (last && last.kinds.join() === kinds.join())
      pieces[pieces.length - 1] = { ...last, text: last.text + slice }
    else pieces.push({ text: slice, kinds, start: from })
    from = to
  }
  for (const event of events) {
    cut(event.at)
    open.set(event.kind, (open.get(event.kind) ?? 0) + event.step)
  }
  cut(end)
  return pieces
}

/** A window of a text. */
export interface Excerpt {
  readonly text: string
  /** Offset of the window into the document's text. */
  readonly start: number
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

/**
 * About `length` units of `text` (at `base` of its document) around the first mark of the best
 * kind: a sentence, else a name, else a term. Borders fall on white space where there is some near.
 */
export function excerptAround(
  text: string,
  base: number,
  marks: readonly Mark[],
  length: number,
): Excerpt {
  if (text.length <= length) return { text, start: base, cutBefore: false, cutAfter: false }
  const inside = marks.filter((mark) => mark.start >= base && mark.end <= base + text.length)
  const best =
    inside.find((m) => m.kind === 'sentence') ?? inside.find((m) => m.kind === 'name') ?? inside[0]
  const focus = best ? best.start - base : 0
  const spare = best ? Math.max(0, length - (best.end - best.start)) : 0
  let from = Math.max(0, Math.min(focus - Math.floor(spare / 3), text.length - length))
  let to = Math.min(text.length, from + length)
  if (from > 0) from = nextBreak(text, from, 24)
  if (to < text.length) to = previousBreak(text, to, 24)
  return {
    text: text.slice(from, to),
    start: base + from,
    cutBefore: from > 0,
    cutAfter: to < text.length,
  }
}

function nextBreak(text: string, at: number, reach: number): number {
  for (let i = at; i < Math.min(text.length, at + reach); i++)
    if (/\s/.test(text[i] ?? '')) return i + 1
  return onWholeCharacter(text, at)
}

function previousBreak(text: string, at: number, reach: number): number {
  for (let i = at; i > Math.max(0, at - reach); i--) if (/\s/.test(text[i] ?? '')) return i
  return onWholeCharacter(text, at)
}

/** Never between the two halves of a character outside the basic plane. */
function onWholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}

/** The parts of a block of the context that answer, offsets into the block's text. */
export function marksInBlock(
  { documentId, text }: { readonly documentId: string; readonly text: string },
  quotes: readonly {
    readonly documentId: string
    readonly start: number
    readonly text: string
    readonly highlight: Span
  }[],
): readonly Mark[] {
  const marks: Mark[] = []
  for (const quote of quotes) {
    if (quote.documentId !== documentId) continue
    const from = quote.highlight.start - quote.start,
      part = quote.text.slice(from, quote.highlight.end - quote.start),
      whole = text.indexOf(quote.text),
      at = whole >= 0 ? whole + from : text.indexOf(part)
    if (at >= 0 && part !== '') marks.push({ start: at, end: at + part.length, kind: 'answer' })
  }
  return marks
}
