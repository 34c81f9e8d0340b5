/** The k best of a stream. */
import { BinaryHeap } from '../base/heap.ts'
import type { VectorHit } from './vector_index.ts'

export function compareHits(a: VectorHit, b: VectorHit): number {
  return b.score - a.score || a.row - b.row
}

/**
 * The k largest numbers offered; `threshold` is the least of them, -Infinity while there are fewer.
 */
export class LargestScores {
  private readonly heap = new BinaryHeap<number>((a, b) => a < b)

  constructor(private readonly k: number) {}

  get threshold(): number {
    return this.k > 0 && this.heap.size === this.k ? this.heap.peek()! : -Infinity
  }

  offer(score: number): void {
    if (this.heap.size < this.k) this.heap.push(score)
    else if (score > (this.heap.peek() ?? Infinity)) this.heap.replaceTop(score)
  }
}
