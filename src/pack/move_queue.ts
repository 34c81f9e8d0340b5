/** Moves by their upper bound, highest first; of equal ones the one added first. */
import { BinaryHeap } from '../base/heap.ts'

export interface QueuedMove {
  readonly p: number
  /** A piece, or -1 for the opening of the passage. */
  readonly i: number
  /** Its value is at most this. */
  readonly bound: number
}

interface Entry extends QueuedMove {
  readonly order: number
  bound: number
  version: number
  dropped: boolean
}
interface Place {
  readonly entry: Entry
  readonly bound: number
  readonly version: number
}

/** A changed bound is a new place in the heap; the old one is passed over when it comes up. */
export class MoveQueue {
  private readonly heap = new BinaryHeap<Place>(
    (a, b) => a.bound > b.bound || (a.bound === b.bound && a.entry.order < b.entry.order),
  )
  private readonly ofPassage = new Map<number, Entry[]>()
  private count = 0

  /** Adds a move that may be worth anything. */
  add(p: number, i: number): void {
    const entry: Entry = { p, i, order: this.count++, bound: Infinity, version: 0, dropped: false }
    const entries = this.ofPassage.get(p)
    if (entries) entries.push(entry)
    else this.ofPassage.set(p, [entry])
    this.place(entry)
  }

  /** The move to look at next; it stays in the queue. */
  best(): QueuedMove | null {
    for (let top = this.heap.peek(); top; top = this.heap.peek()) {
      if (!top.entry.dropped && top.version === top.entry.version) return top.entry
      this.heap.pop()
    }
    return null
  }

  lower(move: QueuedMove, bound: number): void {
    this.change(move as Entry, bound)
  }

  drop(move: QueuedMove): void {
    ;(move as Entry).dropped = true
  }

  /** Every move of a passage may again be worth anything. */
  raise(p: number): void {
    const entries = (this.ofPassage.get(p) ?? []).filter((entry) => !entry.dropped)
    this.ofPassage.set(p, entries)
    for (const entry of entries) this.change(entry, Infinity)
  }

  private change(entry: Entry, bound: number): void {
    entry.bound = bound
    entry.version++
    this.place(entry)
  }

  private place(entry: Entry): void {
    this.heap.push({ entry, bound: entry.bound, version: entry.version })
  }
}
