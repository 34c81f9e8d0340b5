/** Owns the order of calls that must not overlap. Refuses: to let one failure reach the next. */

export interface Serial {
  /** Runs after all earlier calls have ended, well or badly. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run<T>(work: () => Promise<T>): Promise<T> {
      const next = last.then(work)
      last = next.catch(() => undefined)
      return next
    },
  }
}
