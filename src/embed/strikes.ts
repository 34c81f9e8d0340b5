/** A timer, and deaths in a row: back-off until the next start, and when to give up with the first cause. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

export class Strikes {
  private count = 0
  private firstCause: HubmeshError | null = null

  clear(): void {
    this.count = 0
    this.firstCause = null
  }

  /**
   * Counts a death. Returns the milliseconds until the next start, doubled each time, or the final
   * error.
   */
  add(error: HubmeshError, backoffMs: number = LIMITS.embedBackoffMs): number | HubmeshError {
    const cause = (this.firstCause ??= error)
    if (++this.count < LIMITS.embedStrikes) return backoffMs * 2 ** (this.count - 1)
    return new HubmeshError(
      cause.code,
      `${cause.message} ${this.count} embedding workers ended like this in a row, so ` +
        'embedding is off; the text tier goes on. Free memory or reload, then restart it.',
      { cause, details: { strikes: this.count }, retryable: true },
    )
  }
}

export class Countdown {
  private timer: ReturnType<typeof setTimeout> | null = null

  /** `background`: does not keep a Node process alive. */
  constructor(private readonly background = false) {}

  get running(): boolean {
    return this.timer !== null
  }

  /** Runs once after `ms`; a countdown that runs already goes on. */
  start(ms: number, run: () => void): void {
    this.timer ??= setTimeout(() => {
      this.timer = null
      run()
    }, ms)
    if (this.background) (this.timer as { unref?: () => void }).unref?.()
  }

  cancel(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
  }
}
