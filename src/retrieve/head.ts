/**
 * Keeps the first ranks of the stricter gate: where documents are no articles about names, the
 * graph may bring passages up, but not over the few that stand first when it is trusted less. A
 * wrong first answer costs more than a right one at rank five.
 */
import { roundScore } from '../base/math.ts'

export interface HeldSlot {
  readonly slot: number
  readonly score: number
}

/** The grain of returned scores, so that held passages keep their order. */
const GRAIN = 1e-9

/**
 * `ranked` (slots, best first by `scores`) with `head` in front, in its own order; a passage that
 * stood over one of the head gets a score just under it.
 */
export function holdHead(
  head: readonly number[],
  ranked: readonly number[],
  scores: Float64Array,
  count: number,
): HeldSlot[] {
  const first = new Set(head),
    held: HeldSlot[] = []
  let ceiling = Infinity
  for (const slot of [...head, ...ranked.filter((other) => !first.has(other))].slice(0, count)) {
    const own = scores[slot]!
    const score = own < ceiling || ceiling === Infinity ? own : roundScore(ceiling - GRAIN)
    held.push({ slot, score })
    if (held.length <= head.length || score < own) ceiling = score
  }
  return held
}
