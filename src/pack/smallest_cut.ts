/** The last resort of a tiny budget: one sentence, if need be without fence and header. */
import { BlockDrafts, bodyOf, type Packed } from './blocks.ts'
import { fenced } from './fence.ts'
import type { Passage } from './candidates.ts'
import type { TokenCounter } from '../types.ts'

/** Passages tried: a sentence of a later one answers nothing. */
const DEPTH = 10

export interface SmallestCut extends Packed {
  readonly passage: number
  readonly piece: number
  readonly fenced: boolean
}

/**
 * The most relevant sentence of the best passage that fits: with fence and header, then without the
 * fence, then bare. Every attempt is counted as the finished string. Null where none fits.
 */
export function smallestCut(
  passages: readonly Passage[],
  relevance: readonly (readonly number[])[],
  budget: number,
  countTokens: TokenCounter,
): SmallestCut | null {
  const drafts = new BlockDrafts(passages)
  for (const form of [
    { fenced: true, headers: true },
    { fenced: false, headers: true },
    { fenced: false, headers: false },
  ]) {
    for (let p = 0; p < Math.min(DEPTH, passages.length); p++) {
      const values = relevance[p] as readonly number[]
      for (const piece of values
        .map((_, i) => i)
        .sort((a, b) => (values[b] as number) - (values[a] as number) || a - b)) {
        const blocks = drafts.of([{ passage: p, pieces: [piece] }])
        const body = bodyOf(blocks, form.headers)
        const context = form.fenced ? fenced(body) : body
        const tokens = countTokens(context)
        if (tokens <= budget)
          return {
            context,
            tokens,
            blocks,
            headers: form.headers,
            passage: p,
            piece,
            fenced: form.fenced,
          }
      }
    }
  }
  return null
}
