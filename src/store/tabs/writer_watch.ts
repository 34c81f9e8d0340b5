/**
 * Suspects that the writer in another tab is frozen: asks, counts what is unanswered, says when to
 * steal the lock. Safety does not depend on it; a writer that comes back fails at the epoch.
 */
import { LIMITS } from '../../base/limits.ts'

export interface WriterWatch {
  /** Begins to ask. With `last` it goes on after an answer: another writer is queued. */
  start(last: boolean): void
  /** The writer answered. */
  answered(): void
  stop(): void
}

export interface WriterWatchOptions {
  readonly ask: () => void
  /**
   * The writer left `LIMITS.writerPings` questions in a row unanswered. Counted, not timed: a tab
   * that slept blames nobody.
   */
  readonly onSilence: () => void
  readonly intervalMs?: number
}

export function createWriterWatch({
  ask,
  onSilence,
  intervalMs = LIMITS.writerPingMs,
}: WriterWatchOptions): WriterWatch {
  let timer: ReturnType<typeof setInterval> | null = null
  let unanswered = 0
  let lasting = false
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    unanswered = 0
    lasting = false
  }
  return {
    start(last) {
      lasting ||= last
      if (timer !== null) return
      unanswered = 1
      ask()
      timer = setInterval(() => {
        if (unanswered >= LIMITS.writerPings) {
          stop()
          onSilence()
          return
        }
        unanswered++
        ask()
      }, intervalMs)
      ;(timer as { unref?: () => void }).unref?.() // a Node program need not wait for it
    },
    answered() {
      unanswered = 0
      if (!lasting) stop()
    },
    stop,
  }
}
