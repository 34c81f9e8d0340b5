/** Progress of one call, reported no more often than it can be read. */
import { now } from '../../base/platform.ts'
import type { AddOptions, AddPhase, Progress } from '../../types.ts'

/**
 * Share of the work, and seconds, of which one must have passed before the time left is guessed:
 * the first commits open files and are small.
 */
const GUESS_FROM = 0.05,
  GUESS_AFTER = 5

/** Progress with a rate, told at most ten times a second. */
export class Meter {
  private readonly start = now()
  private last = -Infinity

  constructor(private readonly options: AddOptions) {}

  report(
    phase: AddPhase,
    done: number,
    total: number,
    always = false,
    bytes: Pick<Progress, 'bytes' | 'totalBytes'> = {},
  ): void {
    const { onProgress } = this.options,
      time = now()
    if (!onProgress || (!always && time - this.last < 100)) return
    this.last = time
    const seconds = (time - this.start) / 1000,
      rate = seconds > 0 ? done / seconds : 0,
      known = done >= GUESS_FROM * total || seconds >= GUESS_AFTER
    onProgress({
      phase,
      done,
      total,
      ...bytes,
      rate,
      secondsLeft: known && rate > 0 ? (total - done) / rate : null,
    } satisfies Progress)
  }
}
