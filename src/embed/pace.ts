/**
 * Owns how much of the machine embedding takes at a moment: all workers while nobody waits, one
 * core left while a question or an `add` is under way, one text at a time with rests while the tab
 * is hidden or the battery is spared. Refuses: finding out how the page is (page_conditions.ts),
 * and any work of its own.
 */
import { LIMITS } from '../base/limits.ts'

/** What the page knows of its own state. */
export interface PageConditions {
  /** The tab is in the background, minimised or frozen. */
  readonly hidden: boolean
  /** The device runs on a battery that is nearly empty. */
  readonly savingPower: boolean
}

export type Throttle = 'hidden' | 'battery'

export class Pace {
  #conditions: PageConditions = { hidden: false, savingPower: false }
  #pressing = 0
  readonly #onChange: () => void

  /** `onChange` hears of every change that may let more texts run. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Why embedding goes slowly, or null. */
  get throttle(): Throttle | null {
    return this.#conditions.savingPower ? 'battery' : this.#conditions.hidden ? 'hidden' : null
  }

  set(conditions: PageConditions): void {
    const before = this.throttle
    this.#conditions = { hidden: conditions.hidden, savingPower: conditions.savingPower }
    if (before !== this.throttle) this.#onChange()
  }

  /** Runs work that somebody waits for; until it has ended a core is left to it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#pressing++
    try {
      return await work()
    } finally {
      if (--this.#pressing === 0) this.#onChange()
    }
  }

  /**
   * Texts to have under way, given how many the embedder wants (one a worker and one that waits).
   * While somebody waits for other work neither the waiting text nor one of the workers is used;
   * where there is one worker it goes on.
   */
  textsAtOnce(concurrency: number): number {
    if (this.throttle !== null) return 1
    return this.#pressing > 0 ? Math.max(1, concurrency - 2) : Math.max(1, concurrency)
  }

  /**
   * Milliseconds to rest after a text that took `workedMs`: as long as it worked, so that half of
   * one core is taken at most.
   */
  restAfter(workedMs: number): number {
    return this.throttle === null ? 0 : Math.min(LIMITS.embedRestMs, Math.max(0, workedMs))
  }
}
