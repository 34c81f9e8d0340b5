/** Owns taking the best few of many scores. Refuses: what the scores mean. */

/**
 * The `count` best slots among those for which `out[slot] === 0`, best first; equal scores by `compare`. A heap of the
 * best so far: one pass, no sort of the corpus.
 */
export function selectBest(scores: Float64Array, slots: number, count: number, out: Uint8Array, compare: (a: number, b: number) => number): number[] {
  const heap: number[] = []                                   // worst of the best on top
  const worse = (a: number, b: number): boolean => {
    const x = scores[a] as number, y = scores[b] as number
    return x === y ? compare(a, b) > 0 : x < y
  }
  for (let slot = 0; slot < slots; slot++) {
    if (out[slot] !== 0) continue
    if (heap.length < count) { heap.push(slot); up(heap, worse) }
    else if (count > 0 && (scores[slot] as number) >= (scores[heap[0] as number] as number) && worse(heap[0] as number, slot)) { heap[0] = slot; down(heap, worse) }
  }
  return heap.sort((a, b) => (worse(a, b) ? 1 : -1))
}

function up(heap: number[], worse: (a: number, b: number) => boolean): void {
  let i = heap.length - 1
  while (i > 0) {
    const parent = (i - 1) >> 1
    if (!worse(heap[i] as number, heap[parent] as number)) return
    swap(heap, i, parent)
    i = parent
  }
}

function down(heap: number[], worse: (a: number, b: number) => boolean): void {
  for (let i = 0; ;) {
    let next = 2 * i + 1
    if (next >= heap.length) return
    if (next + 1 < heap.length && worse(heap[next + 1] as number, heap[next] as number)) next++
    if (!worse(heap[next] as number, heap[i] as number)) return
    swap(heap, i, next)
    i = next
  }
}

function swap(heap: number[], i: number, j: number): void {
  const value = heap[i] as number
  heap[i] = heap[j] as number
  heap[j] = value
}
