/** Owns how chosen pieces become blocks: merged in reading order, one block a document. Refuses: choosing them. */
import { BLOCK_GAP, headerOf } from './fence.ts'
import { isPlain, visibleText } from './visible.ts'
import type { Passage } from './candidates.ts'
import type { Span } from '../types.ts'

/** Where text between two pieces is left out. */
const ELISION = ' … '
/** UTF-16 units between two passages that follow each other: line ends, not text. */
const SEAM_CHARS = 4

export interface DraftBlock {
  readonly documentId: string
  readonly title: string
  /** The title as its header shows it. */
  readonly heading: string
  readonly ranks: readonly number[]
  readonly spans: readonly Span[]
  /** As shown: merged, escaped, without the header. */
  readonly text: string
}

interface Part { readonly passage: Passage; readonly index: number; readonly start: number; readonly end: number }
interface Open { readonly start: number; end: number; text: string; plain: boolean }

/** One chosen piece: a passage's place, and the number of one of its pieces. */
export interface ChosenPiece { readonly passage: number; readonly piece: number }

interface Document { readonly places: number[]; readonly chosen: number[]; readonly parts: Part[] }

/** Writes blocks of chosen pieces again and again, as a choice grows and shrinks: a document's block is made anew only where its pieces are others. */
export class BlockDrafts {
  private readonly known = new Map<string, { readonly chosen: readonly number[]; readonly block: DraftBlock }>()

  constructor(private readonly passages: readonly Passage[]) {}

  /** Blocks of the chosen pieces, best place first. */
  of(chosen: readonly ChosenPiece[]): DraftBlock[] {
    const documents = new Map<string, Document>()
    for (const { passage: place, piece: index } of [...chosen].sort((a, b) => a.passage - b.passage)) {
      const passage = this.passages[place] as Passage, piece = passage.pieces[index]
      if (piece === undefined) continue
      const id = passage.candidate.documentId
      let group = documents.get(id)
      if (group === undefined) documents.set(id, (group = { places: [], chosen: [], parts: [] }))
      if (group.places.at(-1) !== place) group.places.push(place)
      group.chosen.push(place, index)
      group.parts.push({ passage, index, start: piece.start, end: piece.end })
    }
    return [...documents].map(([id, document]) => this.blockOf(id, document))
  }

  private blockOf(id: string, { places, chosen, parts }: Document): DraftBlock {
    const known = this.known.get(id)
    if (known?.chosen.length === chosen.length && known.chosen.every((value, i) => value === chosen[i])) return known.block
    const [first] = places, ranks = places.map((place) => (this.passages[place] as Passage).candidate.rank)
    const { candidate, heading } = this.passages[first as number] as Passage, { spans, text } = joinParts(parts)
    const block: DraftBlock = { documentId: id, title: candidate.title, heading, ranks, spans, text }
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
  let text = '', open: Open | null = null, last: Part | null = null
  const close = (span: Open): void => { spans.push({ start: span.start, end: span.end }); text += span.plain ? span.text : visibleText(span.text) }
  for (const part of parts) {
    if (open !== null && last !== null) {
      if (part.end <= open.end) continue
      const gap = part.start <= open.end ? '' : textBetween([last, part], open.end, part.start) ?? textBetween(holders, open.end, part.start)
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
    open = { start: part.start, end: part.end, text: sliceOf(part, part.start, part.end), plain: part.passage.plain }
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
  for (const part of parts) if (part.passage.candidate.start <= start && part.passage.candidate.end >= end) return sliceOf(part, start, end)
  return null
}

/** The end of one passage and the beginning of the next: nothing was left out between them. */
function follows(a: Part, b: Part): boolean {
  return b.passage.candidate.passage === a.passage.candidate.passage + 1 && b.index === 0 && a.index === a.passage.pieces.length - 1 && b.start - a.end <= SEAM_CHARS
}
