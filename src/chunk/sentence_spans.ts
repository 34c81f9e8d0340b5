import type { Span } from '../types.ts'
import { segment } from './segments.ts'

/**
 * Gives the sentences of `text` as half-open ranges of UTF-16 offsets: sorted, without overlap,
 * without white space at their ends, and together holding every unit that is not white space. A
 * heading, a list item's sentences, a table row and a line of fenced code each stand alone. Any
 * string is taken, lone surrogates included; an empty or blank one gives `[]`.
 */
export function sentenceSpans(text: string): Span[] {
  const { starts, ends } = segment(text)
  return starts.map((start, i) => ({ start, end: ends[i]! }))
}
