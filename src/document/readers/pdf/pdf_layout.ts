/** From runs of text on pages to lines in reading order: columns, running heads, page numbers. */
import { append } from '../../../base/grown.ts'
import type { PdfItem, RawPdf } from './pdf_parse.ts'

export interface PdfLine {
  readonly text: string
  readonly height: number
  /** Space above, in units of the line's height. */
  readonly gap: number
}

interface Segment {
  text: string
  x: number
  right: number
  y: number
  height: number
}

/** A gap of this many heights parts columns or cells. */
const WIDE = 1.6
/** Lines at either end of a page that may be running heads, and how often one must come back. */
const EDGE = 3
const HEAD_PAGES = 3
const HEAD_SHARE = 0.4

/** The lines of each page in reading order, without running heads, page numbers and leaders. */
export function pdfLines(raw: RawPdf): PdfLine[][] {
  const pages = raw.pages.map(({ width, items }) => linesOf(segmentsOf(items), width))
  const heads = runningHeads(pages)
  return pages.map((lines) =>
    lines.filter(
      ({ text }, i) =>
        !LEADER.test(text) &&
        !(isEdge(i, lines.length) && (heads.has(shape(text)) || isPageNumber(text))),
    ),
  )
}

const LEADER = /(?:\. ?){5}[. ]{0,200}[\divxlc]{0,8}$/i

function isPageNumber(text: string): boolean {
  return /^\W*(?:(?:page|seite|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|von|\/)\s*\d{1,4})?\W*$/i.test(
    text,
  )
}

function isEdge(index: number, count: number): boolean {
  return index < EDGE || index >= count - EDGE
}

/** Texts at the edges that come back on many pages, numbers aside. */
function runningHeads(pages: readonly (readonly PdfLine[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const lines of pages) {
    const edges = lines.filter((_, i) => isEdge(i, lines.length)).map(({ text }) => shape(text))
    for (const text of new Set(edges)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const least = Math.max(HEAD_PAGES, pages.length * HEAD_SHARE)
  return new Set([...counts].filter(([, count]) => count >= least).map(([text]) => text))
}

function shape(text: string): string {
  return text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Runs on one height with no wide gap between them. */
function segmentsOf(items: readonly PdfItem[]): Segment[] {
  const out: Segment[] = []
  for (const { text, x, y, width, height } of items) {
    const last = out.at(-1)
    const gap = last === undefined ? Infinity : x - last.right
    const same = last !== undefined && Math.abs(y - last.y) < 0.5 * Math.max(height, last.height)
    if (same && gap > -height && gap < WIDE * height) {
      last.text += (gap > 0.15 * height && !/\s$/.test(last.text) ? ' ' : '') + text
      last.right = Math.max(last.right, x + width)
      last.height = Math.max(last.height, height)
    } else out.push({ text, x, right: x + width, y, height })
  }
  return out
}

/** Column by column between lines that span the page; else line by line from the top. */
function linesOf(segments: readonly Segment[], width: number): PdfLine[] {
  const gutter = gutterOf(segments, width)
  const sorted = [...segments].sort((a, b) => b.y - a.y || a.x - b.x)
  if (gutter === null) return joinRows(sorted)
  const out: PdfLine[] = []
  let left: Segment[] = [],
    right: Segment[] = []
  const flush = (): void => {
    append(out, joinRows(left))
    append(out, joinRows(right))
    left = []
    right = []
  }
  for (const segment of sorted) {
    if (segment.right <= gutter) left.push(segment)
    else if (segment.x >= gutter) right.push(segment)
    else {
      flush()
      append(out, joinRows([segment]))
    }
  }
  flush()
  return out
}

/** Where two columns part: a height of text on either side, and hardly a line across. */
function gutterOf(segments: readonly Segment[], width: number): number | null {
  if (segments.length < 12) return null
  let best: number | null = null,
    fewest = Infinity
  for (let x = width * 0.35; x <= width * 0.65; x += width * 0.01) {
    const across = segments.filter((one) => one.x < x && one.right > x).length
    const left = segments.filter((one) => one.right <= x),
      right = segments.filter((one) => one.x >= x)
    const prose = (side: readonly Segment[]): boolean =>
      side.length >= 5 &&
      side.reduce((sum, one) => sum + one.right - one.x, 0) / side.length > width * 0.2
    if (across <= segments.length * 0.15 && prose(left) && prose(right) && across < fewest) {
      fewest = across
      best = x
    }
  }
  return best
}

/** Segments of one height are one line; cells of a row are parted by bars. */
function joinRows(sorted: readonly Segment[]): PdfLine[] {
  const rows: Segment[][] = []
  for (const segment of sorted) {
    const row = rows.at(-1)
    const same =
      row !== undefined && Math.abs(row[0]!.y - segment.y) < 0.5 * Math.max(segment.height, 1)
    if (same) row.push(segment)
    else rows.push([segment])
  }
  let above: number | null = null
  return rows.map((row) => {
    row.sort((a, b) => a.x - b.x)
    const height = row.reduce((most, one) => Math.max(most, one.height), 0)
    const gap = above === null ? 0 : (above - row[0]!.y) / Math.max(1, height)
    above = row[0]!.y
    const cells = row.map(({ text }) => text.trim())
    return { text: cells.length > 2 ? `| ${cells.join(' | ')} |` : cells.join(' '), height, gap }
  })
}
