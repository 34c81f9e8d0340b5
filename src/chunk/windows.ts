import type { Span } from '../types.ts'
import { outOfPair, trimSpan } from './characters.ts'

/**
 * Gives windows of `size` UTF-16 units, each beginning `size - overlap` after the one before,
 * trimmed of white space; blank ones and those within the window before are left out. An edge
 * inside a surrogate pair moves to the pair's start. `0 <= overlap < size`.
 */
export function charWindows(text: string, size: number, overlap: number): Span[] {
  const out: Span[] = []
  let reached = 0
  for (let at = 0; at < text.length; at += size - overlap) {
    const start = outOfPair(text, at)
    let edge = outOfPair(text, Math.min(at + size, text.length))
    if (edge <= start) edge = Math.min(start + 2, text.length)
    const span = trimSpan(text, start, edge)
    if (span.start === span.end || span.end <= reached) continue
    reached = span.end
    out.push(span)
  }
  return out
}
