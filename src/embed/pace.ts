/**
 * How much of the machine embedding takes: all workers while idle, one core less during a
 * foreground call, one text at a time with rests while the tab is hidden or the battery low.
 */
import { LIMITS } from '../base/limits.ts'

export interface PageConditions {
  /** In the background, minimised or frozen. */
  readonly hidden: boolean
  /** On a battery that is nearly empty. */
  readonly savingPower: boolean
}

export type Throttle = 'hidden' | 'battery'

export class Pace {
  private conditions: PageConditions = { hidden: false, savingPower: false }
  private pressing = 0

  /** `onChange` is called on every change that may let more texts run. */
  constructor(private readonly onChange: () => void) {}

  /** Why embedding goes slowly, or null. */
  get throttle(): Throttle | null {
    return this.conditions.savingPower ? 'battery' : this.conditions.hidden ? 'hidden' : null
  }

  set(conditions: PageConditions): void {
    const before = this.throttle
    this.conditions = { hidden: conditions.hidden, savingPower: conditions.savingPower }
    if (before !== this.throttle) this.onChange()
  }

  /** Foreground call: embedding yields one core while it runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.pressing++
    try {
      return await work()
    } finally {
      if (--this.pressing === 0) this.onChange()
    }
  }

  /**
   * Texts to have in flight, given what the embedder wants (one a worker and one that waits).
   * During a foreground call one worker and the waiting text are left out; a single worker goes on.
   */
  textsAtOnce(concurrency: number): number {
    if (this.throttle !== null) return 1
    return this.pressing > 0 ? Math.max(1, concurrency - 2) : Math.max(1, concurrency)
  }

  /** Milliseconds of rest after a text that took `workedMs`: half of one core at most. */
  restAfter(workedMs: number): number {
    return this.throttle === null ? 0 : Math.min(LIMITS.embedRestMs, Math.max(0, workedMs))
  }
}
