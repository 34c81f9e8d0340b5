/** The k best of a stream. */
import type { VectorHit } from './vector_index.ts'

export function compareHits(a: VectorHit, b: VectorHit): number {
  return b.score - a.score || a.row - b.row
}

/**
 * The k largest numbers offered; `threshold` is the least of them, -Infinity while there are fewer.
 */
export class LargestScores {
  private readonly heap: Float64Array
  private size = 0

  constructor(k: number) {
    this.heap = new Float64Array(k)
  }

  get threshold(): number {
    return this.heap.length > 0 && this.size === this.heap.length ? this.heap[0]! : -Infinity
  }

  offer(score: number): void {
    const heap = this.heap
    if (this.size < heap.length) {
      let at = this.size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (heap[parent]! <= score) break
        heap[at] = heap[parent]!
        at = parent
      }
      heap[at] = score
      return
    }
    if (!(score > heap[0]!)) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.size) break
      if (child + 1 < this.size && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= score) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = score
  }
}
