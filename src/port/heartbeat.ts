/**
 * Detects a worker that died without an event (closed itself, killed for memory, caught in a loop).
 * An idle worker is not watched.
 */
import { LIMITS } from '../base/limits.ts'

export interface HeartbeatOptions {
  /** Resolves when the worker answers. */
  readonly ping: () => Promise<unknown>
  /** True while calls to the worker are pending. */
  readonly busy: () => boolean
  /** Called once, when the worker left `pings` of them unanswered in a row. */
  readonly onSilence: (silentMs: number) => void
  readonly intervalMs?: number
  readonly pings?: number
}

/** Starts the watch; gives the function that ends it. */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const {
    ping,
    busy,
    onSilence,
    intervalMs = LIMITS.workerPingMs,
    pings = LIMITS.workerPings,
  } = options
  let unanswered = 0
  let waiting = false
  const timer = setInterval(() => {
    if (waiting) {
      unanswered++
      if (unanswered < pings) return
      clearInterval(timer)
      onSilence(unanswered * intervalMs)
      return
    }
    if (!busy()) return
    waiting = true
    unanswered = 0
    ping().then(
      () => {
        waiting = false
      },
      () => {
        waiting = false
      },
    )
  }, intervalMs)
  return () => {
    clearInterval(timer)
  }
}
