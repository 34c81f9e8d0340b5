/**
 * Owns the count of deaths in a row: how long to wait before the next start, and when to give up,
 * with the first cause. Refuses: starting anything.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

export class Strikes {
  #count = 0
  #firstCause: HubmeshError | null = null

  /** A worker did its work: what was before is forgiven. */
  clear(): void {
    this.#count = 0
    this.#firstCause = null
  }

  /**
   * One more death. Gives the milliseconds to wait before the next start, doubled each time, or the
   * error to stay down with.
   */
  add(error: HubmeshError, backoffMs: number = LIMITS.embedBackoffMs): number | HubmeshError {
    const cause = (this.#firstCause ??= error)
    if (++this.#count < LIMITS.embedStrikes) return backoffMs * 2 ** (this.#count - 1)
    return new HubmeshError(
      cause.code,
      `${cause.message} ${this.#count} embedding workers ended like this in a row, so ` +
        'embedding is off; the text tier goes on. Free memory or reload, then restart it.',
      { cause, details: { strikes: this.#count }, retryable: true },
    )
  }
}
