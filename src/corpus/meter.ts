/** Owns the progress of one call as it is told. Refuses: to be told more often than anybody could read. */
import { now } from '../platform.ts'
import type { AddOptions, AddPhase, Progress } from '../types.ts'

/** Progress with its rate, told at most ten times a second. */
export class Meter {
  private counted: Counted | null = null
  private began = now()
  private heard = this.began
  private last = -Infinity

  constructor(private readonly options: AddOptions) {}

  report(phase: AddPhase, done: number, total: number, always = false): void {
    const { onProgress } = this.options, time = now()
    const counted = phase === 'saving' || phase === 'text' ? 'documents' : phase
    // what passed before, such as reading the files, says nothing of how long it takes to save and index their documents
    if (this.counted !== null && counted !== this.counted) this.began = this.heard
    this.counted = counted
    this.heard = time
    if (!onProgress || (!always && time - this.last < 100)) return
    this.last = time
    const seconds = (time - this.began) / 1000, rate = seconds > 0 ? done / seconds : 0
    onProgress({ phase, done, total, rate, secondsLeft: rate > 0 ? (total - done) / rate : null } satisfies Progress)
  }
}

/** What `done` counts: saving and indexing take turns over the same documents. */
type Counted = Exclude<AddPhase, 'saving' | 'text'> | 'documents'
