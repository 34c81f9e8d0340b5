/** Listeners of the engine's status, told four times a second at most. */
import type { EngineStatus } from '../types.ts'

/** Milliseconds between a change and the telling, so that many changes are told at once. */
const GATHER_MS = 250

export class StatusListeners {
  private readonly listeners = new Set<(status: EngineStatus) => void>()
  private timer: ReturnType<typeof setTimeout> | null = null
  private closed = false

  /** `status` is read once for each notification; when it rejects, none is sent. */
  constructor(private readonly status: () => Promise<EngineStatus>) {}

  /** Gives the function that takes the listener away again. */
  add(listener: (status: EngineStatus) => void): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** To be called after every change. */
  changed(): void {
    if (this.closed || this.timer !== null || this.listeners.size === 0) return
    this.timer = setTimeout(() => {
      this.timer = null
      this.status().then(
        (status) => {
          for (const listener of this.listeners) listener(status)
        },
        () => undefined,
      )
    }, GATHER_MS)
  }

  /** No notification from now on. */
  close(): void {
    this.closed = true
    if (this.timer !== null) clearTimeout(this.timer)
    this.listeners.clear()
  }
}
