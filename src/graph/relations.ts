/**
 * Relations that the layout of Markdown states: a heading under its parent, an item under its
 * heading or item, a link.
 */
import { closesFence, fenceLength, isUnderline, lineKind } from '../chunk/lines.ts'
import { LIMITS } from '../base/limits.ts'
import type { Span } from '../types.ts'
import { linksOf, trimmed } from './markdown_links.ts'

export type LayoutPredicate = 'links to' | 'under heading' | 'listed under'

/** `text.slice(start, end)` is the object of `links to`, and the subject of the other two. */
export interface LayoutRelation extends Span {
  readonly subject: string
  readonly predicate: LayoutPredicate
  readonly object: string
}

interface Level {
  /** Of a heading its rank, of an item the column of its mark. */
  readonly depth: number
  /** Null for an item that names nothing. */
  readonly name: string | null
}

/**
 * The relations in reading order; the same pair may be stated often. A link belongs to the
 * document, by its title, or to its heading where there is no title. A first heading that repeats
 * the title is the document itself. Fenced and indented code, comments and front matter state
 * nothing. One pass.
 */
export function relationsOf(title: string, text: string): LayoutRelation[] {
  const scan = new LayoutScan(title.trim(), text)
  scan.run()
  return scan.relations
}

class LayoutScan {
  readonly relations: LayoutRelation[] = []
  private readonly title: string
  private readonly text: string
  private headings: Level[] = []
  private items: Level[] = []
  private afterBlank = true

  constructor(title: string, text: string) {
    this.title = title
    this.text = text
  }

  run(): void {
    const text = this.text
    let fence: { readonly mark: string; readonly length: number } | null = null
    for (let from = frontMatterEnd(text); from < text.length;) {
      const { start, end, next, column } = lineAt(text, from)
      from = next
      if (fence) {
        if (closesFence(text, start, end, fence.mark, fence.length)) fence = null
        continue
      }
      if (text.startsWith('<!--', start)) {
        const close = text.indexOf('-->', start + 4)
        // Where no end comes at all, the rest is comment.
        if (close < 0) return
        from = lineAt(text, close).next
        continue
      }
      if (start === end) {
        this.afterBlank = true
        continue
      }
      // Four columns in, outside of a list and behind a blank line, is code (CommonMark 0.31, 4.4).
      if (column >= 4 && this.items.length === 0 && this.afterBlank) continue
      const kind = lineKind(text, start, end),
        below = next < text.length ? lineAt(text, next) : null
      if (kind === 'fence') fence = { mark: text[start]!, length: fenceLength(text, start, end) }
      else if (kind === 'heading') this.heading(...atxHeading(text, start, end))
      else if (
        kind === 'prose' &&
        this.afterBlank &&
        below &&
        below.start < below.end &&
        isUnderline(text, below.start, below.end)
      ) {
        this.heading(text[below.start] === '=' ? 1 : 2, start, end)
        from = below.next
      } else if (kind === 'item') this.item(column, start, end)
      else {
        // Prose at the margin behind a blank line ends a list.
        if (this.afterBlank && this.items.length > 0 && column <= this.items[0]!.depth)
          this.items = []
        this.links(start, end)
      }
      this.afterBlank = false
    }
  }

  private heading(depth: number, start: number, end: number): void {
    this.items = []
    this.links(start, end)
    const span = nameOf(this.text, start, end)
    if (!span || span.end - span.start > LIMITS.titleChars) return
    const name = this.text.slice(span.start, span.end)
    while (this.headings.length > 0 && this.headings.at(-1)!.depth >= depth) this.headings.pop()
    const parent = this.headings.at(-1)?.name ?? this.title
    this.add(name, 'under heading', parent, span)
    this.headings.push({ depth, name })
  }

  private item(column: number, start: number, end: number): void {
    const from = contentStart(this.text, start, end),
      span = leadOf(this.text, from, end)
    while (this.items.length > 0 && this.items.at(-1)!.depth >= column) this.items.pop()
    if (span) {
      const above =
        this.items.findLast((item) => item.name !== null)?.name ??
        this.headings.at(-1)?.name ??
        this.title
      this.add(this.text.slice(span.start, span.end), 'listed under', above, span)
    }
    this.items.push({ depth: column, name: span && this.text.slice(span.start, span.end) })
    this.links(from, end)
  }

  private links(start: number, end: number): void {
    const subject = this.title === '' ? (this.headings.at(-1)?.name ?? '') : this.title
    for (const { name } of linksOf(this.text, start, end))
      if (isShort(this.text, name))
        this.add(subject, 'links to', this.text.slice(name.start, name.end), name)
  }

  private add(
    subject: string,
    predicate: LayoutPredicate,
    object: string,
    { start, end }: Span,
  ): void {
    if (subject !== '' && object !== '' && subject !== object)
      this.relations.push({ subject, predicate, object, start, end })
  }
}

interface ScannedLine extends Span {
  readonly next: number
  /** Columns before the first unit; a tab goes to the next multiple of four. */
  readonly column: number
}

/** The line that begins here, trimmed, without marks of quotation. */
function lineAt(text: string, from: number): ScannedLine {
  const found = text.indexOf('\n', from),
    stop = found < 0 ? text.length : found
  let start = from,
    end = stop,
    column = 0
  for (; start < end; start++) {
    const c = text[start]!
    if (c === '\t') column += 4 - (column % 4)
    else if (c === '>') column = -1
    else if (c.trim() === '') column++
    else break
  }
  while (end > start && text[end - 1]!.trim() === '') end--
  return { start, end, next: found < 0 ? text.length : stop + 1, column: Math.max(0, column) }
}

/** Behind the block between `---` that many files begin with; 0 where there is none. */
function frontMatterEnd(text: string): number {
  const first = lineAt(text, 0)
  if (text.slice(first.start, first.end) !== '---' || first.start !== 0) return 0
  for (let from = first.next; from < text.length;) {
    const line = lineAt(text, from)
    const content = text.slice(line.start, Math.min(line.end, line.start + 4))
    if (content === '---' || content === '...') return line.next
    from = line.next
  }
  return 0
}

/** Rank and range of the words of `## words ##`. */
function atxHeading(
  text: string,
  start: number,
  end: number,
): [depth: number, start: number, end: number] {
  let at = start
  while (text[at] === '#') at++
  let stop = end
  while (stop > at && text[stop - 1] === '#') stop--
  // Hashes that touch a word belong to it: C#.
  if (stop > at && text[stop - 1]!.trim() !== '') stop = end
  return [at - start, at, stop]
}

/** A range of words as a name: the label where all of it is a link. */
function nameOf(text: string, start: number, end: number): Span | null {
  const span = trimmed(text, start, end)
  if (!span) return null
  const [link] = linksOf(text, span.start, span.end)
  return link && link.whole.start === span.start && link.whole.end === span.end ? link.name : span
}

/** Behind the mark of an item, and the box of a task. */
function contentStart(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text[at]!.trim() !== '') at++
  while (at < end && text[at]!.trim() === '') at++
  if (
    text[at] === '[' &&
    text[at + 2] === ']' &&
    ' xX'.includes(text[at + 1] ?? '?') &&
    (text[at + 3] ?? ' ').trim() === ''
  ) {
    at += 3
    while (at < end && text[at]!.trim() === '') at++
  }
  return at
}

const SEPARATORS = [' - ', ' – ', ' — ']

/**
 * What an item is about: a link or an emphasis it begins with, else the words before a colon or
 * dash, else all of it. Null for sentences.
 */
function leadOf(text: string, start: number, end: number): Span | null {
  if (start >= end) return null
  const [link] = linksOf(text, start, end)
  if (link && trimmed(text, start, link.whole.start) === null && text[start] !== '`')
    return isShort(text, link.name) ? link.name : null
  const mark = /^(?:\*\*|__|\*|_|`)/.exec(text.slice(start, start + 2))?.[0]
  const close = mark === undefined ? -1 : text.indexOf(mark, start + mark.length)
  if (mark !== undefined && close > 0 && close < end) return named(text, start + mark.length, close)
  let stop = end
  for (let at = start; at < end; at++) {
    if (
      (text[at] === ':' && (at + 1 === end || text[at + 1]!.trim() === '')) ||
      SEPARATORS.includes(text.slice(at, at + 3)) ||
      text[at] === '：'
    ) {
      stop = at
      break
    }
  }
  return named(text, start, stop)
}

function named(text: string, start: number, end: number): Span | null {
  while (end > start && '.,;:。、；：'.includes(text[end - 1]!)) end--
  const span = trimmed(text, start, end)
  return span && isShort(text, span) ? span : null
}

/** At most as many words as a name has, and a letter or digit among them. */
function isShort(text: string, { start, end }: Span): boolean {
  if (end - start > LIMITS.nameWords * LIMITS.wordChars) return false
  const name = text.slice(start, end)
  return /[\p{L}\p{N}]/u.test(name) && name.split(/\s+/).length <= LIMITS.nameWords
}
