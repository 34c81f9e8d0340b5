/** Mutual exclusion: work runs after all earlier work has ended; a failure reaches its caller only. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.then(work)
    this.last = next.catch(() => undefined)
    return next
  }
}
