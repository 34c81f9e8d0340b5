/**
 * Owns the order in which moves are looked at: the highest bound first, of equal ones the one added
 * first. Refuses: values, and moves themselves.
 */

export interface QueuedMove {
  readonly p: number
  /** A piece, or -1 for the opening of the passage. */
  readonly i: number
  /** Its value is at most this. */
  readonly bound: number
}

interface Entry {
  readonly p: number
  readonly i: number
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

/**
 * A binary heap; a changed bound is a new place, and the old one is passed over when it comes up.
 */
export class MoveQueue {
  private readonly heap: Place[] = []
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
    for (;;) {
      const top = this.heap[0]
      if (top === undefined) return null
      if (!top.entry.dropped && top.version === top.entry.version) return top.entry
      this.shift()
    }
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
    const { heap } = this,
      place: Place = { entry, bound: entry.bound, version: entry.version }
    let at = heap.length
    heap.push(place)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(place, heap[parent] as Place)) break
      heap[at] = heap[parent] as Place
      at = parent
    }
    heap[at] = place
  }

  private shift(): void {
    const { heap } = this,
      place = heap.pop() as Place
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as Place, heap[child] as Place)) child++
      if (!before(heap[child] as Place, place)) break
      heap[at] = heap[child] as Place
      at = child
    }
    heap[at] = place
  }
}

function before(a: Place, b: Place): boolean {
  return a.bound > b.bound || (a.bound === b.bound && a.entry.order < b.entry.order)
}
