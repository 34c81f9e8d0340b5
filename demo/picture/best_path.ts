/** Which path stands under a card: the best that ends at evidence. */
import type { Answer, ReasoningPath } from '../../src/index.ts'

/** Below this share of the walk a path is drawn as a hint only. */
export const WEAK = 0.02

/** The best path that ends at a quoted document, two quoted ones before one; null without any. */
export function pathOf(
  paths: readonly ReasoningPath[],
  { quotes }: Pick<Answer, 'quotes'>,
): ReasoningPath | null {
  const quoted = new Set(quotes.map(({ documentId }) => documentId))
  const ends = paths.filter(({ nodes }) => {
    const last = nodes.at(-1)
    return last?.kind === 'document' && quoted.has(last.id)
  })
  const both = ends.find(
    ({ nodes }) => new Set(nodes.filter(({ id }) => quoted.has(id)).map(({ id }) => id)).size > 1,
  )
  return both ?? ends[0] ?? null
}
