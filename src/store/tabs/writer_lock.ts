/**
 * Writer election among the tabs of an origin, by Web Locks. Advisory, because a lock can be stolen
 * and a frozen tab does not know: the epoch compared inside each transaction is the fencing token.
 */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'

/** The two calls of a LockManager that are used. */
export type Locks = Pick<LockManager, 'request'>

export interface WriterLock {
  /**
   * True where the browser has no locks, so that only one tab may write and nothing checks it
   * beforehand.
   */
  readonly singleTab: boolean
  readonly held: boolean
  /**
   * Resolves once held. Rejects with `writer/not-leader` when another tab keeps it past the wait.
   */
  acquire(): Promise<void>
  /**
   * Resolves once held, however long another tab keeps it; `onWait` is called when one does.
   * Rejects with `store/closed` after `release`.
   */
  standInLine(onWait: () => void): Promise<void>
  /** Takes it from a tab that does not answer. */
  steal(): Promise<void>
  release(): Promise<void>
}

export interface WriterLockOptions {
  readonly corpus: string
  /** The browser's locks, or null where there are none. */
  readonly locks: Locks | null
  readonly waitMs?: number
  /** Called when the lock was taken from us. */
  readonly onLost?: () => void
  /** Called when another tab kept it past the wait. */
  readonly onRefused?: () => void
}

/** The browser's Web Locks, or null in an insecure context or an old runtime. */
export function platformLocks(): Locks | null {
  try {
    return (globalThis.navigator as Navigator | undefined)?.locks ?? null
  } catch {
    return null
  }
}

interface Line {
  readonly place: AbortController
  readonly promise: Promise<void>
  /** Ends the waiting with success: it came by the lock another way. */
  readonly granted: () => void
}

export function createWriterLock(options: WriterLockOptions): WriterLock {
  const { corpus, locks, waitMs = LIMITS.writerWaitMs, onLost, onRefused } = options
  let letGo: (() => void) | null = null
  let over: Promise<void> = Promise.resolve()
  let acquiring: Promise<void> | null = null
  let line: Line | null = null
  let singleTabHeld = false

  /**
   * Resolves with true once the lock is held, with false where it was to be had at once or not at
   * all; rejects when its signal fires.
   */
  const take = (manager: Locks, how: LockOptions): Promise<boolean> =>
    new Promise<boolean>((resolve, reject) => {
      let mine: (() => void) | null = null
      const holding = manager.request(`hubmesh:${corpus}:writer`, how, (lock) => {
        if (lock === null) {
          resolve(false)
          return undefined
        }
        return new Promise<void>((done) => {
          mine = done
          letGo = done
          resolve(true)
        })
      })
      over = holding.then(
        () => undefined,
        (error: unknown) => {
          if (mine === null) {
            reject(error as Error)
            return
          }
          if (letGo !== mine) return
          letGo = null
          onLost?.()
        },
      )
    })

  const notLeader = (cause: unknown): HubmeshError => {
    onRefused?.()
    return new HubmeshError(
      'writer/not-leader',
      `Another tab is the writer of corpus "${corpus}". This one reads and follows; write in ` +
        'the other tab, or close it and call again.',
      { cause, details: { corpus }, retryable: true },
    )
  }

  const patiently = async (manager: Locks): Promise<void> => {
    const patience = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        patience.abort()
        reject(new DOMException('The wait for the lock is over.', 'AbortError'))
      }, waitMs)
    })
    try {
      // Who stands in line already must not stand behind himself.
      await Promise.race([line?.promise ?? take(manager, { signal: patience.signal }), late])
    } catch (error) {
      if (letGo === null) throw notLeader(error)
    } finally {
      clearTimeout(timer)
    }
  }

  const enter = (manager: Locks): Line => {
    const place = new AbortController()
    let granted = (): void => undefined
    const promise = new Promise<void>((resolve, reject) => {
      granted = resolve
      take(manager, { signal: place.signal }).then(() => {
        resolve()
      }, reject)
    }).finally(() => {
      line = null
    })
    promise.catch(() => undefined)
    return { place, promise, granted }
  }

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
      acquiring ??= patiently(locks).finally(() => {
        acquiring = null
      })
      await acquiring
    },
    async standInLine(onWait) {
      if (locks === null) {
        singleTabHeld = true
        return
      }
      await acquiring?.catch(() => undefined)
      if (letGo !== null || (await take(locks, { ifAvailable: true }))) return
      onWait()
      line ??= enter(locks)
      try {
        await line.promise
      } catch (error) {
        throw new HubmeshError(
          'store/closed',
          `The storage of corpus "${corpus}" was closed while it waited to become the writer.`,
          { cause: error, details: { corpus } },
        )
      }
    },
    async steal() {
      if (locks === null || letGo !== null) return
      await take(locks, { steal: true })
      line?.granted()
      line?.place.abort()
    },
    async release() {
      singleTabHeld = false
      line?.place.abort()
      await acquiring?.catch(() => undefined)
      letGo?.()
      letGo = null
      await over
    },
  }
}
