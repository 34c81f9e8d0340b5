/** Writes chosen pieces as blocks: merged in reading order, one block a document. */
import { BLOCK_GAP, headerOf } from './fence.ts'
import { isPlain, visibleText } from './visible.ts'
import { headingOf, labelAt, type Passage, type Piece } from './candidates.ts'
import type { Span } from '../types.ts'

/** Where text between two pieces is left out. */
const ELISION = ' … '
/** UTF-16 units between two passages that follow each other: line ends, not text. */
const SEAM_CHARS = 4

export interface DraftBlock {
  readonly documentId: string
  readonly title: string
  /** The title as its header shows it, and what stands over all of the text. */
  readonly heading: string
  readonly ranks: readonly number[]
  readonly spans: readonly Span[]
  /** As shown: merged, escaped, without the header. */
  readonly text: string
}

interface Part {
  readonly passage: Passage
  readonly index: number
  readonly start: number
  readonly end: number
}
interface Open {
  readonly start: number
  end: number
  text: string
  plain: boolean
}

/** Chosen pieces of one passage: its place, and the numbers of the pieces. */
export interface ChosenPieces {
  readonly passage: number
  readonly pieces: readonly number[]
}

/** Blocks of a choice that grows and shrinks; one is made anew only where its pieces changed. */
export class BlockDrafts {
  /** By document: passages and pieces in turn, and the block they made. */
  private readonly known = new Map<
    string,
    { readonly chosen: readonly number[]; readonly block: DraftBlock }
  >()

  constructor(private readonly passages: readonly Passage[]) {}

  /** Blocks of the chosen pieces, best place first. */
  of(chosen: readonly ChosenPieces[]): DraftBlock[] {
    const documents = new Map<string, number[]>()
    for (const { passage: place, pieces } of [...chosen].sort((a, b) => a.passage - b.passage)) {
      const id = (this.passages[place] as Passage).candidate.documentId
      let own = documents.get(id)
      if (own === undefined) documents.set(id, (own = []))
      for (const piece of pieces) own.push(place, piece)
    }
    return [...documents].map(([id, own]) => this.blockOf(id, own))
  }

  private blockOf(id: string, chosen: readonly number[]): DraftBlock {
    const known = this.known.get(id)
    if (
      known?.chosen.length === chosen.length &&
      known.chosen.every((value, i) => value === chosen[i])
    )
      return known.block
    const parts: Part[] = [],
      ranks: number[] = []
    let last = -1
    for (let i = 0; i < chosen.length; i += 2) {
      const place = chosen[i] as number,
        index = chosen[i + 1] as number,
        passage = this.passages[place] as Passage,
        { start, end } = passage.pieces[index] as Piece
      parts.push({ passage, index, start, end })
      if (place !== last) ranks.push(passage.candidate.rank)
      last = place
    }
    const { candidate } = this.passages[chosen[0] as number] as Passage,
      { spans, text } = joinParts(parts)
    const block: DraftBlock = {
      documentId: id,
      title: candidate.title,
      heading: headingOf(
        candidate.title,
        parts.map(({ passage, start }) => labelAt(passage.candidate, start)),
        text,
      ),
      ranks,
      spans,
      text,
    }
    this.known.set(id, { chosen, block })
    return block
  }
}

/** Everything between the fence lines. */
export function bodyOf(blocks: readonly DraftBlock[], headers: boolean): string {
  return blocks.map((block, i) => shownBlock(block, i + 1, headers)).join(BLOCK_GAP)
}

export function shownBlock(block: DraftBlock, n: number, headers: boolean): string {
  return headers ? `${headerOf(n, block.heading)}\n${block.text}` : block.text
}

function joinParts(parts: Part[]): { spans: Span[]; text: string } {
  parts.sort((a, b) => a.start - b.start || a.end - b.end)
  const spans: Span[] = []
  const holders = [...new Map(parts.map((part) => [part.passage, part])).values()]
  let text = '',
    open: Open | null = null,
    last: Part | null = null
  const close = (span: Open): void => {
    spans.push({ start: span.start, end: span.end })
    text += span.plain ? span.text : visibleText(span.text)
  }
  for (const part of parts) {
    if (open !== null && last !== null) {
      if (part.end <= open.end) continue
      const gap =
        part.start <= open.end
          ? ''
          : (textBetween([last, part], open.end, part.start) ??
            textBetween(holders, open.end, part.start))
      if (gap !== null && gap.trim() === '') {
        open.text += gap + sliceOf(part, Math.max(open.end, part.start), part.end)
        open.end = part.end
        open.plain &&= part.passage.plain && isPlain(gap)
        last = part
        continue
      }
      close(open)
      text += follows(last, part) ? '\n' : ELISION
    }
    open = {
      start: part.start,
      end: part.end,
      text: sliceOf(part, part.start, part.end),
      plain: part.passage.plain,
    }
    last = part
  }
  if (open !== null) close(open)
  return { spans, text }
}

function sliceOf({ passage: { candidate } }: Part, start: number, end: number): string {
  return candidate.text.slice(start - candidate.start, end - candidate.start)
}

/** The document's text between two pieces, where one passage holds all of it. */
function textBetween(parts: readonly Part[], start: number, end: number): string | null {
  for (const part of parts)
    if (part.passage.candidate.start <= start && part.passage.candidate.end >= end)
      return sliceOf(part, start, end)
  return null
}

/** The end of one passage and the beginning of the next: nothing was left out between them. */
function follows(a: Part, b: Part): boolean {
  return (
    b.passage.candidate.passage === a.passage.candidate.passage + 1 &&
    b.index === 0 &&
    a.index === a.passage.pieces.length - 1 &&
    b.start - a.end <= SEAM_CHARS
  )
}

/** A context that was counted and fits. */
export interface Packed {
  readonly context: string
  readonly tokens: number
  readonly blocks: readonly DraftBlock[]
  readonly headers: boolean
}
