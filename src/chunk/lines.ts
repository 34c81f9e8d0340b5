/** Kinds of lines: heading, list item, table row, rule, code fence, prose. */
import { CJK, classAt, DIGIT, DOT, HANGUL, isLowerAt, isSpace } from './characters.ts'

export type LineKind = 'blank' | 'heading' | 'item' | 'row' | 'rule' | 'fence' | 'prose'

/** A line's trimmed range, empty when blank, and where the next one begins. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly next: number
}

/** Narrower lines were not wrapped at a margin: their end is meant. Han and kana count two. */
const WRAP_WIDTH = 40

/** Kind of the trimmed line [start, end). Reads each unit at most twice. */
export function lineKind(text: string, start: number, end: number): LineKind {
  if (start === end) return 'blank'
  const first = text.charAt(start)
  if (first === '#') return isHeading(text, start, end) ? 'heading' : 'prose'
  if (first === '|') return 'row'
  if ((first === '`' || first === '~') && fenceLength(text, start, end) > 0) return 'fence'
  if ('-*_=+~'.includes(first) && isRule(text, start, end)) return 'rule'
  return isItem(text, start, end) ? 'item' : 'prose'
}

/**
 * Length of the run of ``` or ~~~ that opens or closes a fence; 0 where the line is none
 * (CommonMark 0.31, 4.5).
 */
export function fenceLength(text: string, start: number, end: number): number {
  const mark = text.charAt(start)
  let at = start
  while (at < end && text.charAt(at) === mark) at++
  const length = at - start
  if (length < 3) return 0
  if (mark === '`') while (at < end) if (text.charAt(at++) === '`') return 0
  return length
}

/** True where the line closes a fence of `mark` and `length`. */
export function closesFence(
  text: string,
  start: number,
  end: number,
  mark: string,
  length: number,
): boolean {
  if (end - start < length) return false
  for (let i = start; i < end; i++) if (text.charAt(i) !== mark) return false
  return true
}

/** True for an underline of `=` or `-` that makes a heading of the line above it. */
export function isUnderline(text: string, start: number, end: number): boolean {
  const mark = text.charAt(start)
  if (mark !== '=' && mark !== '-') return false
  for (let i = start; i < end; i++) if (text.charAt(i) !== mark) return false
  return end - start >= 2
}

/**
 * True where the newline between two lines of prose is only a wrap: the upper one reached the
 * margin, or the lower one goes on with a small letter.
 */
export function isSoftWrap(text: string, upper: Line, lower: Line): boolean {
  if (isLowerAt(text, lower.start)) return text.charAt(upper.end - 1) !== ':'
  return isWide(text, upper) && text.charAt(upper.end - 1) !== ':'
}

function isWide(text: string, line: Line): boolean {
  if (line.end - line.start >= WRAP_WIDTH) return true
  let width = 0
  for (let i = line.start; i < line.end; i++)
    width += classAt(text, i) === CJK || classAt(text, i) === HANGUL ? 2 : 1
  return width >= WRAP_WIDTH
}

function isHeading(text: string, start: number, end: number): boolean {
  const level = headingLevel(text, start, end)
  return level <= 6 && (start + level === end || isSpace(text, start + level))
}

/** Marks before a heading, at most 7. */
export function headingLevel(text: string, start: number, end: number): number {
  let at = start
  while (at < end && at - start < 7 && text.charAt(at) === '#') at++
  return at - start
}

function isRule(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!'-*_=+~ |:'.includes(text.charAt(i))) return false
  return end - start >= 2
}

function isItem(text: string, start: number, end: number): boolean {
  if ('-*+\u2022\u2023\u25e6\u25aa\u2043\u2013\u2014'.includes(text.charAt(start)))
    return isSpace(text, start + 1) && start + 1 < end
  let at = start
  while (at < end && at - start < 4 && classAt(text, at) === DIGIT) at++
  if (at === start || at - start > 3 || at + 1 >= end) return false
  return (classAt(text, at) === DOT || text.charAt(at) === ')') && isSpace(text, at + 1)
}
