/** Headings and tables of a text, and which of them stand over a place in it. */
import type { Label, Span } from '../types.ts'
import { trimSpan } from './characters.ts'
import {
  closesFence,
  fenceLength,
  headingLevel,
  isUnderline,
  lineKind,
  type LineKind,
} from './lines.ts'

/** Between headings of a path, and between a title and its path. */
export const PATH_GAP = ' > '
/** Longest heading and path, and header of a table, UTF-16 units: they must not crowd out text. */
const HEADING_CHARS = 100,
  PATH_CHARS = 200,
  HEADER_CHARS = 240

interface Heading extends Span {
  readonly level: number
  readonly text: string
  /** Index of the heading it stands under, -1 for none. */
  readonly parent: number
}

/** A table from behind its header to its end. */
interface Table extends Span {
  readonly header: string
}

export interface Outline {
  readonly headings: readonly Heading[]
  readonly tables: readonly Table[]
}

/** What stands over a place in a text. */
export type Above = Pick<Label, 'section' | 'header'>

const NOTHING: Above = { section: '', header: '' }

/**
 * Headings (of Markdown, which the readers of other formats write too) and tables with a header;
 * null where there are none. Linear in the text.
 */
export function outlineOf(text: string): Outline | null {
  if (!/^[ \t]*(?:[#|]|[=-]{2,}[ \t]*\r?$)/m.test(text)) return null
  const reader = new OutlineReader(text)
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at),
      last = newline < 0 ? text.length : newline
    reader.take(trimSpan(text, at, last))
    at = last + 1
  }
  return reader.finish()
}

/**
 * The headings over the text that begins at `at`, from the outermost, without the document's title.
 * A heading does not stand over itself.
 */
export function headingsAt(
  { headings }: Outline,
  title: string,
  at: number,
): readonly (Span & { readonly text: string })[] {
  const own = headings[lastBefore(headings, at)],
    path: Heading[] = []
  let chars = 0
  for (
    let heading = own?.start === at ? headings[own.parent] : own;
    heading !== undefined && heading.text !== title && chars + heading.text.length <= PATH_CHARS;
    heading = headings[heading.parent]
  ) {
    path.unshift(heading)
    chars += heading.text.length
  }
  return path
}

/** What stands over the text that begins at `at`. */
export function aboveAt(outline: Outline | null, title: string, at: number): Above {
  if (outline === null) return NOTHING
  const { tables } = outline,
    table = tables[lastBefore(tables, at)],
    section = headingsAt(outline, title, at)
      .map(({ text }) => text)
      .join(PATH_GAP)
  return { section, header: table !== undefined && at < table.end ? table.header : '' }
}

/** What stands over each part of a span, in order; empty where nothing does anywhere. */
export function labelsOf(outline: Outline | null, title: string, { start, end }: Span): Label[] {
  if (outline === null) return []
  const within = (spans: readonly Span[]): number[] => {
    const places: number[] = []
    for (let i = Math.max(0, lastBefore(spans, start)); i < spans.length; i++) {
      if (spans[i]!.start >= end) break
      places.push(spans[i]!.start, spans[i]!.end)
    }
    return places
  }
  const places = [start, ...within(outline.headings), ...within(outline.tables)]
      .filter((place) => place >= start && place < end)
      .sort((a, b) => a - b),
    out: Label[] = []
  for (const place of places) {
    const above = aboveAt(outline, title, place),
      last = out.at(-1)
    if (last?.section !== above.section || last.header !== above.header)
      out.push({ start: place, ...above })
  }
  return out.length === 1 && out[0]!.section === '' && out[0]!.header === '' ? [] : out
}

/** The last of sorted spans that begins at `at` or before, -1 for none. */
function lastBefore(spans: readonly Span[], at: number): number {
  let low = 0,
    high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.start <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The lines so far: an open fence of code, the line above, an open table. */
class OutlineReader {
  private readonly headings: Heading[] = []
  private readonly tables: Table[] = []
  private fence = 0
  private mark = ''
  private upper: Span = { start: 0, end: 0 }
  private above: LineKind = 'blank'
  private open: { readonly start: number; readonly header: string } | null = null

  constructor(private readonly text: string) {}

  take(line: Span): void {
    const { text, upper, above } = this,
      { start, end } = line
    if (this.fence > 0) {
      if (closesFence(text, start, end, this.mark, this.fence)) this.fence = 0
      return
    }
    const kind = lineKind(text, start, end)
    if (kind !== 'row') this.closeTable(start)
    if (kind === 'fence') {
      this.fence = fenceLength(text, start, end)
      this.mark = text.charAt(start)
    } else if (kind === 'heading' && above !== 'prose') {
      this.addHeading(line, headingLevel(text, start, end))
    } else if (kind === 'rule' && above === 'prose' && isUnderline(text, start, end)) {
      this.addHeading(upper, text.charAt(start) === '=' ? 1 : 2)
    } else if (above === 'row' && this.open === null && isBarRule(text, start, end)) {
      this.open = { start: end, header: headerOf(text.slice(upper.start, upper.end)) }
    }
    this.upper = line
    this.above = kind
  }

  finish(): Outline | null {
    this.closeTable(this.text.length)
    const { headings, tables } = this
    return headings.length + tables.length === 0 ? null : { headings, tables }
  }

  private closeTable(end: number): void {
    if (this.open !== null) this.tables.push({ ...this.open, end })
    this.open = null
  }

  private addHeading({ start, end }: Span, level: number): void {
    const { headings, text } = this,
      plain = end - start > HEADING_CHARS ? '' : plainHeading(text.slice(start, end))
    if (plain === '') return
    let parent = headings.length - 1
    while (parent >= 0 && headings[parent]!.level >= level) parent = headings[parent]!.parent
    headings.push({ start, end, level, text: plain, parent })
  }
}

/** `## A **title** ##` -> `A title`: marks at both ends and emphasis go, everything else stays. */
export function plainHeading(line: string): string {
  let start = 0
  let end = line.length
  while (start < end && line.charAt(start) === '#') start++
  while (end > start && line.charAt(end - 1) === '#') end--
  return line.slice(start, end).replaceAll('**', '').replaceAll('`', '').trim()
}

/** `|---|:--:|` */
function isBarRule(text: string, start: number, end: number): boolean {
  let dashes = 0
  for (let i = start; i < end; i++) {
    const char = text.charAt(i)
    if (char === '-') dashes++
    else if (!'|: \t'.includes(char)) return false
  }
  return dashes > 0
}

function headerOf(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ')
    .slice(0, HEADER_CHARS)
}
