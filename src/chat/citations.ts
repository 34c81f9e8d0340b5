/** What a number in an answer stands for: a block of the context and its exact spans. */
import type { Place, RetrieveResult, Span } from '../types.ts'

export interface Citation extends Place {
  /** From 1, as in the context. */
  readonly n: number
  readonly documentId: string
  readonly title: string
  /** UTF-16 offsets into the document's text of each quoted piece, in reading order. */
  readonly spans: readonly Span[]
  /** Ranks of the passages quoted; those up to `topK` are among the sources. */
  readonly ranks: readonly number[]
}

/** By number. */
export function citationsOf({
  blocks,
}: Pick<RetrieveResult, 'blocks'>): ReadonlyMap<number, Citation> {
  return new Map(
    blocks.map(({ text: _text, tokens: _tokens, ...citation }) => [citation.n, citation]),
  )
}

export interface CitedNumbers {
  /** Each once, in the order written. */
  readonly citations: readonly Citation[]
  /** Numbers that no block has, each once; a range is named by its ends alone. */
  readonly unknown: readonly number[]
}

/**
 * Reads `3`, `1, 2`, `1; 2`, `1 2`, `1-3` and `1–3`; null for anything else. Of a range, the
 * existing blocks are cited. Linear time.
 */
export function readNumbers(
  inside: string,
  known: ReadonlyMap<number, Citation>,
): CitedNumbers | null {
  const ranges = rangesOf(inside)
  if (ranges === null) return null
  const cited = new Map<number, Citation>(),
    unknown = new Set<number>()
  const take = (n: number): void => {
    const citation = known.get(n)
    if (citation === undefined) unknown.add(n)
    else cited.set(n, citation)
  }
  for (const [from, to] of ranges) {
    take(from)
    // Over the blocks, not over the numbers: a model may write [1-999999999].
    if (to > from)
      for (const n of [...known.keys()].sort((a, b) => a - b)) if (n > from && n < to) take(n)
    if (to !== from) take(to)
  }
  return { citations: [...cited.values()], unknown: [...unknown] }
}

/** Larger numbers would lose their last digits. */
const DIGITS = 9

function rangesOf(inside: string): (readonly [from: number, to: number])[] | null {
  const out: [number, number][] = []
  let at = 0,
    open = false,
    separated = true,
    listed = true
  while (at < inside.length) {
    const character = inside[at]!
    if (character >= '0' && character <= '9') {
      const from = at
      while (at < inside.length && inside[at]! >= '0' && inside[at]! <= '9') at++
      if (at - from > DIGITS || !separated) return null
      const n = Number(inside.slice(from, at)),
        last = out.at(-1)
      if (open && last !== undefined) last[1] = n
      else out.push([n, n])
      open = false
      separated = false
      listed = false
      continue
    }
    if (character === '-' || character === '–') {
      if (open || listed) return null
      open = true
      separated = true
    } else if (character === ',' || character === ';') {
      if (open || listed) return null
      separated = true
      listed = true
    } else if (character === ' ') separated = true
    else return null
    at++
  }
  return open || listed ? null : out
}
