/**
 * Cuts a very long text into leaves that a page can show, without losing or repeating a character.
 */
import type { Span } from '../../src/index.ts'

/** Characters of a leaf: a page lays this much text out in a few milliseconds. */
export const LEAF_CHARS = 20_000

/**
 * Consecutive spans that cover the text, cut at line ends where one is near, never inside a
 * character.
 */
export function leavesOf(text: string): readonly Span[] {
  const leaves: Span[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(text.length, start + LEAF_CHARS)
    if (end < text.length) {
      // Looked for in the leaf alone: in a text of one line, a search from here would go back to
      // its beginning.
      const line = start + text.slice(start, end).lastIndexOf('\n')
      if (line > start + LEAF_CHARS / 2) end = line + 1
      else if (isTail(text.charCodeAt(end))) end++
    }
    leaves.push({ start, end })
    start = end
  }
  return leaves
}

/** The leaf that holds an offset; the last one for offsets past the end. */
export function leafOf(leaves: readonly Span[], at: number): number {
  const found = leaves.findIndex((leaf) => at < leaf.end)
  return found === -1 ? Math.max(0, leaves.length - 1) : found
}

/** The second half of a character outside the basic plane. */
function isTail(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
