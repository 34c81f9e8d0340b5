/** The best few of many scores. */
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
  const heap: number[] = [] // worst of the best on top
  const worse = (a: number, b: number): boolean => {
    const x = scores[a]!,
      y = scores[b]!
    return x === y ? compare(a, b) > 0 : x < y
  }
  let least = -Infinity
  for (let slot = 0; slot < slots; slot++) {
    if (
      excludedMask[slot] !== 0 ||
      (heap.length === count && (count === 0 || scores[slot]! < least))
    )
      continue
    if (rounded) scores[slot] = roundScore(scores[slot]!)
    if (heap.length < count) {
      heap.push(slot)
      up(heap, worse)
    } else if (worse(heap[0]!, slot)) {
      heap[0] = slot
      down(heap, worse)
    }
    if (heap.length === count) least = scores[heap[0]!]! - (rounded ? GRAIN : 0)
  }
  return heap.sort((a, b) => (worse(a, b) ? 1 : -1))
}

function up(heap: number[], worse: (a: number, b: number) => boolean): void {
  let i = heap.length - 1
  while (i > 0) {
    const parent = (i - 1) >> 1
    if (!worse(heap[i]!, heap[parent]!)) return
    swap(heap, i, parent)
    i = parent
  }
}

function down(heap: number[], worse: (a: number, b: number) => boolean): void {
  for (let i = 0; ;) {
    let next = 2 * i + 1
    if (next >= heap.length) return
    if (next + 1 < heap.length && worse(heap[next + 1]!, heap[next]!)) next++
    if (!worse(heap[next]!, heap[i]!)) return
    swap(heap, i, next)
    i = next
  }
}

function swap(heap: number[], i: number, j: number): void {
  const value = heap[i]!
  heap[i] = heap[j]!
  heap[j] = value
}
