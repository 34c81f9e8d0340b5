/** The best few of many scores. */
import { BinaryHeap } from '../base/heap.ts'
import { roundScore } from '../base/math.ts'

/** More than rounding moves a score. */
const GRAIN = 1e-9

/**
 * The `count` best slots that are not excluded, best first; equal scores by `compare`. One pass
 * with a heap.
 */
export function selectBest(
  scores: Float64Array,
  slots: number,
  count: number,
  excludedMask: Uint8Array,
  compare: (a: number, b: number) => number,
): number[] {
  return select(scores, slots, count, excludedMask, compare, false)
}

/** The same after `roundScore`, done in place for those that may be among the best. */
export function selectBestRounded(
  scores: Float64Array,
  slots: number,
  count: number,
  excludedMask: Uint8Array,
  compare: (a: number, b: number) => number,
): number[] {
  return select(scores, slots, count, excludedMask, compare, true)
}

function select(
  scores: Float64Array,
  slots: number,
  count: number,
  excludedMask: Uint8Array,
  compare: (a: number, b: number) => number,
  rounded: boolean,
): number[] {
  const worse = (a: number, b: number): boolean => {
    const x = scores[a]!,
      y = scores[b]!
    return x === y ? compare(a, b) > 0 : x < y
  }
  const best = new BinaryHeap(worse)
  let least = -Infinity
  for (let slot = 0; slot < slots; slot++) {
    const full = best.size === count
    if (excludedMask[slot] !== 0 || (full && (count === 0 || scores[slot]! < least))) continue
    if (rounded) scores[slot] = roundScore(scores[slot]!)
    if (!full) best.push(slot)
    else if (worse(best.peek()!, slot)) best.replaceTop(slot)
    if (best.size === count) least = scores[best.peek()!]! - (rounded ? GRAIN : 0)
  }
  return [...best.values()].sort((a, b) => (worse(a, b) ? 1 : -1))
}

/** The first of a ranking, in its order, with at most `most` slots of each document. */
export function atMostPerDocument<T extends { readonly slot: number }>(
  ranked: readonly T[],
  most: number,
  documentOf: (slot: number) => unknown,
): readonly T[] {
  if (most === Infinity) return ranked
  const counts = new Map<unknown, number>()
  return ranked.filter(({ slot }) => {
    const document = documentOf(slot),
      count = (counts.get(document) ?? 0) + 1
    counts.set(document, count)
    return count <= most
  })
}
