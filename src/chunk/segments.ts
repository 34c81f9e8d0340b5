/**
 * Cuts a text into sentences in one pass and says how strong the break before each is. The spans
 * are sorted, never overlap, cover every unit that is not white space, and begin and end with one.
 *
 * Rules of our own over character classes, after Kiss and Strunk (2006) for what an abbreviation,
 * an initial and an ordinal are, and UAX #29 for what closes a sentence: Intl.Segmenter gives other
 * boundaries in other engines.
 */
import {
  BANG,
  classAt,
  CLASSES,
  DOT,
  ELLIPSIS,
  FULL_STOP,
  isSpace,
  NEWLINE,
  SPACE,
  THAI,
  trimSpan,
} from './characters.ts'
import {
  closesFence,
  fenceLength,
  isSoftWrap,
  isUnderline,
  lineKind,
  type Line,
  type LineKind,
} from './lines.ts'
import { endsSentence, skipClosers } from './sentence_ends.ts'

/** Break before a segment, from weak to strong. */
export const BREAK_SENTENCE = 0
export const BREAK_LINE = 1
export const BREAK_PARAGRAPH = 2
export const BREAK_HEADING = 3

/**
 * Sentences as columns; `steps` counts the units looked at, which grows with the text and nothing
 * else.
 */
export interface Segments {
  readonly starts: number[]
  readonly ends: number[]
  readonly breaks: number[]
  steps: number
}

/**
 * Cuts `text` into sentences, headings, list items, table rows and lines of code. Linear in its
 * length.
 */
export function segment(text: string): Segments {
  const reader = new BlockReader(text)
  for (let at = 0; at < text.length;) {
    const line = readLine(text, at, reader.out)
    at = line.next
    reader.take(line)
  }
  reader.flush()
  return reader.out
}

/** What the lines so far have begun: a fence of code, or a block of wrapped prose. */
class BlockReader {
  readonly out: Segments = { starts: [], ends: [], breaks: [], steps: 0 }
  private level = BREAK_PARAGRAPH
  private fenceMark = ''
  /** Length of the open fence's marks, 0 where none is open. */
  private fence = 0
  private blockStart = -1
  private blockLines = 0
  private blockLevel = BREAK_PARAGRAPH
  private upper: Line = { start: 0, end: 0, next: 0 }

  constructor(private readonly text: string) {}

  take(line: Line): void {
    const { text } = this
    if (this.fence > 0) {
      if (line.start === line.end) return
      this.alone(line, BREAK_LINE)
      if (closesFence(text, line.start, line.end, this.fenceMark, this.fence)) this.fence = 0
      return
    }
    const kind = lineKind(text, line.start, line.end)
    if (kind === 'blank') {
      this.flush()
      this.level = BREAK_PARAGRAPH
      return
    }
    if (kind === 'prose' && this.blockStart >= 0 && isSoftWrap(text, this.upper, line)) {
      this.upper = line
      this.blockLines++
      return
    }
    this.begin(line, kind)
    this.upper = line
    this.level = BREAK_LINE
  }

  /** Ends the open block. */
  flush(): void {
    if (this.blockStart >= 0)
      sentences(this.text, this.blockStart, this.upper.end, this.blockLevel, this.out)
    this.blockStart = -1
  }

  private begin(line: Line, kind: LineKind): void {
    const { text, level } = this,
      { start, end } = line
    if (kind === 'prose' || kind === 'item') {
      this.flush()
      this.blockStart = start
      this.blockLines = 1
      this.blockLevel = level
    } else if (
      kind === 'rule' &&
      this.blockStart >= 0 &&
      this.blockLines === 1 &&
      isUnderline(text, start, end)
    ) {
      this.blockLevel = BREAK_HEADING
      this.alone(line, BREAK_SENTENCE)
    } else {
      this.alone(line, kind === 'heading' ? BREAK_HEADING : level)
      if (kind !== 'fence') return
      this.fenceMark = text.charAt(start)
      this.fence = fenceLength(text, start, end)
    }
  }

  private alone({ start, end }: Line, level: number): void {
    this.flush()
    push(this.out, start, end, level)
  }
}

function push(out: Segments, start: number, end: number, level: number): void {
  out.starts.push(start)
  out.ends.push(end)
  out.breaks.push(level)
}

function readLine(text: string, from: number, out: Segments): Line {
  let end = from
  while (end < text.length && CLASSES[text.charCodeAt(end)] !== NEWLINE) end++
  const next =
    end < text.length && text.charAt(end) === '\r' && text.charAt(end + 1) === '\n'
      ? end + 2
      : Math.min(end + 1, text.length)
  out.steps += end - from + 1
  const trimmed = trimSpan(text, from, end)
  return { start: trimmed.start, end: trimmed.end, next }
}

/** Cuts a block of wrapped lines, trimmed at both ends, into sentences. */
function sentences(
  text: string,
  blockStart: number,
  blockEnd: number,
  level: number,
  out: Segments,
): void {
  let start = blockStart
  let at = blockStart
  let break_ = level
  const cut = (end: number, next: number): void => {
    push(out, start, end, break_)
    start = next
    break_ = BREAK_SENTENCE
  }
  out.steps += blockEnd - blockStart
  while (at < blockEnd) {
    const class_ = CLASSES[text.charCodeAt(at)]!
    // Only spaces and stops matter here; most units are letters.
    if (class_ === 0 || class_ > FULL_STOP + 1) {
      at++
      continue
    }
    if (class_ === DOT || class_ === BANG || class_ === ELLIPSIS || class_ === FULL_STOP) {
      const stopEnd = skipStops(text, at, blockEnd)
      const after = skipClosers(text, stopEnd, blockEnd)
      const next = skipSpace(text, after, blockEnd)
      out.steps += next - at
      if (endsSentence(text, start, at, stopEnd, after, next, blockEnd)) cut(after, next)
      at = next
    } else if (class_ === SPACE && classAt(text, at - 1) === THAI) {
      const next = skipSpace(text, at, blockEnd)
      out.steps += next - at
      if (classAt(text, next) === THAI && next < blockEnd) cut(at, next)
      at = next
    } else {
      at++
    }
  }
  if (start < blockEnd) push(out, start, blockEnd, break_)
}

function skipStops(text: string, at: number, end: number): number {
  while (at < end) {
    const class_ = classAt(text, at)
    if (class_ !== DOT && class_ !== BANG && class_ !== ELLIPSIS && class_ !== FULL_STOP) break
    at++
  }
  return at
}

function skipSpace(text: string, at: number, end: number): number {
  while (at < end && isSpace(text, at)) at++
  return at
}
