/**
 * Owns being the one writer among the tabs of an origin, by Web Locks. Refuses: to guarantee it; that is the epoch
 * compared inside each transaction, because a lock can be stolen and a frozen tab does not know.
 */
import { HubmeshError } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/** The two calls of a LockManager that are used. */
export type Locks = Pick<LockManager, 'request'>

export interface WriterLock {
  /** True where the browser has no locks, so that only one tab may write and nothing checks it beforehand. */
  readonly singleTab: boolean
  readonly held: boolean
  /** Resolves once held. Rejects with `writer/not-leader` when another tab keeps it past the wait. */
  acquire(): Promise<void>
  release(): Promise<void>
}

export interface WriterLockOptions {
  readonly corpus: string
  /** The browser's locks, or null where there are none. */
  readonly locks: Locks | null
  readonly waitMs?: number
  /** Called when the lock was taken from us. */
  readonly onLost?: () => void
}

/** The browser's Web Locks, or null in an insecure context or an old runtime. */
export function platformLocks(): Locks | null {
  try {
    return (globalThis.navigator as Navigator | undefined)?.locks ?? null
  } catch {
    return null
  }
}

export function createWriterLock(options: WriterLockOptions): WriterLock {
  const { corpus, locks, waitMs = LIMITS.writerWaitMs, onLost } = options
  let letGo: (() => void) | null = null
  let over: Promise<void> = Promise.resolve()
  let acquiring: Promise<void> | null = null
  let singleTabHeld = false

  const request = (manager: Locks): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const patience = new AbortController()
      const timer = setTimeout(() => { patience.abort() }, waitMs)
      let mine: (() => void) | null = null
      const holding = manager.request(`hubmesh:${corpus}:writer`, { signal: patience.signal }, () => {
        clearTimeout(timer)
        return new Promise<void>((done) => {
          mine = done
          letGo = done
          resolve()
        })
      })
      over = holding.then(
        () => undefined,
        (error: unknown) => {
          clearTimeout(timer)
          if (mine === null) {
            reject(new HubmeshError('writer/not-leader', `Another tab is the writer of corpus "${corpus}". This one reads and follows; write in the other tab, or close it and call again.`, { cause: error, details: { corpus }, retryable: true }))
            return
          }
          if (letGo === mine) letGo = null
          onLost?.()
        },
      )
    })

  return {
    singleTab: locks === null,
    get held() {
      return letGo !== null || singleTabHeld
    },
    async acquire() {
      if (locks === null) {
        singleTabHeld = true
        return
      }
      if (letGo !== null) return
      acquiring ??= request(locks).finally(() => { acquiring = null })
      await acquiring
    },
    async release() {
      singleTabHeld = false
      await acquiring?.catch(() => undefined)
      letGo?.()
      letGo = null
      await over
    },
  }
}
