/**
 * Writer election among the tabs of an origin, by Web Locks. Advisory, because a lock can be stolen
 * and a frozen tab does not know: the epoch compared inside each transaction is the fencing token.
 */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'

/** The two calls of a LockManager that are used. */
export type Locks = Pick<LockManager, 'request'>

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

export class WriterLock {
  /** Ends the holding; null while the lock is not held. */
  private letGo: (() => void) | null = null
  private over: Promise<void> = Promise.resolve()
  private acquiring: Promise<void> | null = null
  private line: Line | null = null
  private singleTabHeld = false

  constructor(private readonly options: WriterLockOptions) {}

  /** True where the browser has no locks: only one tab may write, and nothing checks it before. */
  get singleTab(): boolean {
    return this.options.locks === null
  }

  get held(): boolean {
    return this.letGo !== null || this.singleTabHeld
  }

  /** Resolves once held. Rejects with `writer/not-leader` where another tab keeps it past the wait. */
  async acquire(): Promise<void> {
    const { locks } = this.options
    if (locks === null) {
      this.singleTabHeld = true
      return
    }
    if (this.letGo !== null) return
    this.acquiring ??= this.acquireWithin(locks).finally(() => {
      this.acquiring = null
    })
    await this.acquiring
  }

  /**
   * Resolves once held, however long another tab keeps it; `onWait` is called when one does.
   * Rejects with `store/closed` after `release`.
   */
  async standInLine(onWait: () => void): Promise<void> {
    const { locks, corpus } = this.options
    if (locks === null) {
      this.singleTabHeld = true
      return
    }
    await this.acquiring?.catch(() => undefined)
    if (this.held || (await this.take(locks, { ifAvailable: true }))) return
    onWait()
    this.line ??= this.enter(locks)
    try {
      await this.line.promise
    } catch (error) {
      throw new HubmeshError(
        'store/closed',
        `The storage of corpus "${corpus}" was closed while it waited to become the writer.`,
        { cause: error, details: { corpus } },
      )
    }
  }

  /** Steals the lock from an unresponsive tab. */
  async steal(): Promise<void> {
    const { locks } = this.options
    if (locks === null || this.letGo !== null) return
    await this.take(locks, { steal: true })
    this.line?.granted()
    this.line?.place.abort()
  }

  async release(): Promise<void> {
    this.singleTabHeld = false
    this.line?.place.abort()
    await this.acquiring?.catch(() => undefined)
    this.letGo?.()
    this.letGo = null
    await this.over
  }

  /**
   * Resolves with true once the lock is held, with false where it was to be had at once or not at
   * all; rejects when its signal fires.
   */
  private take(manager: Locks, how: LockOptions): Promise<boolean> {
    return new Promise<boolean>((resolve, reject) => {
      let mine: (() => void) | null = null
      const holding = manager.request(`hubmesh:${this.options.corpus}:writer`, how, (lock) => {
        if (lock === null) {
          resolve(false)
          return undefined
        }
        return new Promise<void>((done) => {
          mine = done
          this.letGo = done
          resolve(true)
        })
      })
      this.over = holding.then(
        () => undefined,
        (error: unknown) => {
          if (mine === null) {
            reject(error as Error)
            return
          }
          if (this.letGo !== mine) return
          this.letGo = null
          this.options.onLost?.()
        },
      )
    })
  }

  private async acquireWithin(manager: Locks): Promise<void> {
    const patience = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        patience.abort()
        reject(new DOMException('The wait for the lock is over.', 'AbortError'))
      }, this.options.waitMs ?? LIMITS.writerWaitMs)
    })
    try {
      // Do not queue a second request behind our own.
      await Promise.race([
        this.line?.promise ?? this.take(manager, { signal: patience.signal }),
        late,
      ])
    } catch (error) {
      if (!this.held) throw this.notLeader(error)
    } finally {
      clearTimeout(timer)
    }
  }

  private enter(manager: Locks): Line {
    const place = new AbortController()
    let granted = (): void => undefined
    const promise = new Promise<void>((resolve, reject) => {
      granted = resolve
      this.take(manager, { signal: place.signal }).then(() => {
        resolve()
      }, reject)
    }).finally(() => {
      this.line = null
    })
    promise.catch(() => undefined)
    return { place, promise, granted }
  }

  private notLeader(cause: unknown): HubmeshError {
    const { corpus, onRefused } = this.options
    onRefused?.()
    return new HubmeshError(
      'writer/not-leader',
      `Another tab is the writer of corpus "${corpus}". This one reads and follows; write in ` +
        'the other tab, or close it and call again.',
      { cause, details: { corpus }, retryable: true },
    )
  }
}
