/** Coalesces a stream of reports: at most one per interval, and the last one always. */
import { LIMITS } from '../base/limits.ts'

export interface Coalesced<T> {
  push(value: T): void
  /** Delivers what waits, now. */
  flush(): void
  /** Drops what waits. */
  cancel(): void
}

/** Delivers the first value at once, then at most one per `intervalMs`, always the newest. */
export function coalesce<T>(
  deliver: (value: T) => void,
  intervalMs: number = LIMITS.progressIntervalMs,
): Coalesced<T> {
  let waiting: { readonly value: T } | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  const flush = (): void => {
    if (waiting === null) return
    const { value } = waiting
    waiting = null
    deliver(value)
  }
  const tick = (): void => {
    timer = null
    if (waiting === null) return
    timer = setTimeout(tick, intervalMs)
    flush()
  }
  return {
    push(value) {
      waiting = { value }
      if (timer !== null) return
      timer = setTimeout(tick, intervalMs)
      flush()
    },
    flush,
    cancel() {
      waiting = null
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
