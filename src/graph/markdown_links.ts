/**
 * Links in one line of Markdown: `[label](target)`, `[label][reference]`, `[[Target|label]]`; not
 * images, bare addresses, labels over several lines, or code.
 */
import { LIMITS } from '../base/limits.ts'
import type { Span } from '../types.ts'

export interface LinkSpan {
  /** The name that is linked: the label, or the target of a [[double-bracketed]] link. */
  readonly name: Span
  /** From the opening bracket to behind the closing one. */
  readonly whole: Span
}

const MAX_UNCLOSED = 8
/**
 * Parentheses inside each other in a target (CommonMark 0.31, 6.3): what is between brackets is
 * read so many times at most.
 */
const MAX_NESTING = 32

/** In reading order; a label that holds a link gives the inner one. Linear in the line. */
export function linksOf(text: string, start: number, end: number): LinkSpan[] {
  const links: LinkSpan[] = [],
    open: number[] = []
  /** Lengths of backtick runs that nothing closes, so that they are looked for once. */
  const unclosed = new Set<number>()
  for (let at = start; at < end; at++) {
    const c = text[at]
    if (c === '\\') {
      at++
      continue
    }
    if (c === '`') {
      let run = at
      while (run < end && text[run] === '`') run++
      const past =
        unclosed.has(run - at) || unclosed.size >= MAX_UNCLOSED ? null : codeEnd(text, at, end)
      if (past === null) unclosed.add(run - at)
      at = (past ?? run) - 1
    } else if (c === '[') {
      if (text[at + 1] === '[') {
        const close = wikiEnd(text, at + 2, end)
        if (close !== null) {
          const name = wikiTarget(text, at + 2, close)
          if (name) links.push({ name, whole: { start: at, end: close + 2 } })
          at = close + 1
          open.length = 0
          continue
        }
      }
      open.push(at)
    } else if (c === ']' && open.length > 0) {
      const from = open.pop()!
      const past =
        text[at + 1] === '('
          ? targetEnd(text, at + 1, end)
          : text[at + 1] === '['
            ? referenceEnd(text, at + 1, end)
            : null
      if (past === null) continue
      const image = text[from - 1] === '!'
      if (!image) {
        const name = trimmed(text, from + 1, at)
        const inner = links.at(-1)
        if (name && !(inner && inner.whole.start > from) && text[name.start] !== '!')
          links.push({ name, whole: { start: from, end: past } })
        // Links hold no links: brackets around this one are only brackets.
        open.length = 0
      }
      at = past - 1
    }
  }
  return links
}

/** The range without white space and marks of emphasis at its ends; null where nothing is left. */
export function trimmed(text: string, start: number, end: number): Span | null {
  while (start < end && isMargin(text[start]!)) start++
  while (end > start && isMargin(text[end - 1]!)) end--
  return start < end ? { start, end } : null
}

function isMargin(c: string): boolean {
  return c === '*' || c === '_' || c === '`' || c === '~' || c.trim() === ''
}

/**
 * Behind the code span that begins here; null where no run of as many backticks closes it
 * (CommonMark 0.31, 6.1).
 */
export function codeEnd(text: string, start: number, end: number): number | null {
  let length = 0
  while (start + length < end && text[start + length] === '`') length++
  for (let at = start + length; at < end; at++) {
    if (text[at] !== '`') continue
    const from = at
    while (at < end && text[at] === '`') at++
    if (at - from === length) return at
  }
  return null
}

/** Where the double bracket closes; null where another opens before, or none comes. */
function wikiEnd(text: string, start: number, end: number): number | null {
  for (let at = start; at < Math.min(end - 1, start + LIMITS.titleChars); at++) {
    if (text[at] === '[') return null
    if (text[at] === ']') return text[at + 1] === ']' ? at : null
  }
  return null
}

function wikiTarget(text: string, start: number, end: number): Span | null {
  let stop = start
  while (stop < end && text[stop] !== '|' && text[stop] !== '#') stop++
  return trimmed(text, start, stop)
}

/** Behind `(target "title")`; parentheses inside come in pairs. */
function targetEnd(text: string, start: number, end: number): number | null {
  let depth = 0
  for (let at = start; at < Math.min(end, start + LIMITS.titleChars); at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') {
      if (++depth > MAX_NESTING) return null
    } else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return null
}

function referenceEnd(text: string, start: number, end: number): number | null {
  for (let at = start + 1; at < Math.min(end, start + LIMITS.titleChars); at++) {
    if (text[at] === '[') return null
    if (text[at] === ']') return at + 1
  }
  return null
}
