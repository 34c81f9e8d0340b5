/** Long work in slices: a generator yields how much each piece was, and its driver yields to events. */
import { yieldToEvents } from './platform.ts'

/** Characters read, or numbers looked at, between two looks at the queue: some milliseconds. */
const SLICE = 64 * 1024
/** What the shortest piece counts. */
const LEAST = SLICE / 64

export class Slices {
  private left = SLICE
  /** The most work between two yields so far: the worst wait of a pending call. */
  longest = 0

  /** Runs the pieces, and whatever waits after every slice; `onSlice` is called there. */
  async run<T>(pieces: Generator<number, T>, onSlice?: () => void): Promise<T> {
    for (;;) {
      const step = pieces.next()
      if (step.done) return step.value
      this.left -= Math.max(step.value, LEAST)
      this.longest = Math.max(this.longest, SLICE - this.left)
      if (this.left > 0) continue
      this.left = SLICE
      onSlice?.()
      await yieldToEvents()
    }
  }
}

/** The same in one piece. */
export function drain<T>(pieces: Generator<number, T>): T {
  let step = pieces.next()
  while (!step.done) step = pieces.next()
  return step.value
}
