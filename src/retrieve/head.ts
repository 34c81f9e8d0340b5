/**
 * Owns the hold of the head: where the documents are no articles about names, the graph may bring
 * passages up, but not over the few that stand first when it is trusted less. What it brings is
 * worth a look at rank five; a wrong first answer is not. Refuses: how far the graph is trusted,
 * and the parts of a score.
 */
import { roundScore } from '../base/math.ts'

export interface Held {
  readonly slot: number
  readonly score: number
}

/** The grain of returned scores, so that held passages keep their order. */
const GRAIN = 1e-9

/**
 * `ranked` (slots, best first by `scores`) with `head` in front, in its own order: a passage that
 * stood over one of the head gets a score just under it. Scores fall strictly where they were
 * pressed down, and are otherwise untouched.
 */
export function holdHead(
  head: readonly number[],
  ranked: readonly number[],
  scores: Float64Array,
  count: number,
): Held[] {
  const first = new Set(head),
    held: Held[] = []
  let ceiling = Infinity
  for (const slot of [...head, ...ranked.filter((other) => !first.has(other))].slice(0, count)) {
    const own = scores[slot] as number
    const score = own < ceiling || ceiling === Infinity ? own : roundScore(ceiling - GRAIN)
    held.push({ slot, score })
    if (held.length <= head.length || score < own) ceiling = score
  }
  return held
}
