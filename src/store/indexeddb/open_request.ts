/** One request to open a database: its deadline, the upgrade, other tabs that keep it waiting. */
import { openDB, type IDBPDatabase } from 'idb'
import { HubmeshError, abortedError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { onAbort } from '../../base/signals.ts'
import type { ConnectionOptions } from './connection_options.ts'
import { requireIndexedDB } from './databases.ts'
import { blockedError } from './errors.ts'
import { MIGRATIONS, type Migration } from './schema.ts'

/**
 * Databases with an abandoned blocked request of ours: the browser answers
 * later ones only after it.
 */
const BLOCKED = new Set<string>()

/** What the request rejects with where the browser says nothing. */
export const UNANSWERED = { name: 'unanswered' }

async function migrate(
  migrations: readonly Migration[],
  ...on: Parameters<Migration>
): Promise<void> {
  for (const step of migrations) await step(...on)
}

function upgradeError(name: string, cause: unknown): HubmeshError {
  return new HubmeshError(
    'store/unavailable',
    `The upgrade of ${name} failed half-way and was taken back; the data are as before.`,
    { cause, details: { database: name }, retryable: true },
  )
}

export class OpenRequest {
  private readonly migrations: readonly Migration[]
  private opened: IDBPDatabase | null = null
  /** What a migration failed with. */
  private failure: unknown
  private waiting = true
  private timer: ReturnType<typeof setTimeout> | undefined
  private unlisten = (): void => undefined
  private resolve: (database: IDBPDatabase) => void = () => undefined
  private reject: (error: unknown) => void = () => undefined

  constructor(
    private readonly options: ConnectionOptions,
    /** Lets go of a database that another tab or the browser takes. */
    private readonly lose: (database: IDBPDatabase | null) => void,
  ) {
    this.migrations = options.migrations ?? MIGRATIONS
  }

  /** Rejects with UNANSWERED at the deadline; a database that opens after it is closed again. */
  run(signal: AbortSignal | undefined): Promise<IDBPDatabase> {
    const { name, faults, openMs = LIMITS.storeOpenMs } = this.options
    requireIndexedDB(name)
    const struck = faults?.strike('open')
    if (struck === 'unknown' || struck === 'quota') return Promise.reject(unopened(struck))
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.unlisten = onAbort(signal, () => {
        this.fail(abortedError(signal))
      })
      this.wait(openMs, () => UNANSWERED)
      // A browser may also throw at once.
      const opening = new Promise<IDBPDatabase>((done) => {
        if (struck !== 'silence') done(this.request())
      })
      if (BLOCKED.has(name)) this.waitForOthers()
      opening.then(
        (database) => {
          this.succeed(database)
        },
        (error: unknown) => {
          BLOCKED.delete(name)
          this.fail(this.failure === undefined ? error : upgradeError(name, this.failure))
        },
      )
    })
  }

  private request(): Promise<IDBPDatabase> {
    const { name, onEvent } = this.options
    return openDB(name, this.migrations.length, {
      upgrade: (database, from, _to, transaction) => {
        if (this.waiting) clearTimeout(this.timer) // it has answered; a migration takes the time it needs
        migrate(this.migrations.slice(from), database, transaction as never).catch(
          (error: unknown) => {
            this.failure = error
            transaction.done.catch(() => undefined)
            transaction.abort()
          },
        )
      },
      blocked: () => {
        BLOCKED.add(name)
        this.waitForOthers()
      },
      blocking: () => {
        this.lose(this.opened)
        onEvent?.('versionchange')
      },
      terminated: () => {
        this.lose(this.opened)
        onEvent?.('terminated')
      },
    })
  }

  private waitForOthers(): void {
    if (!this.waiting) return
    const { name, blockedMs = LIMITS.storeBlockedMs, onBlocked } = this.options
    this.wait(blockedMs, () => blockedError(name, 'upgraded'))
    onBlocked?.()
  }

  private wait(milliseconds: number, failure: () => unknown): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.fail(failure())
    }, milliseconds)
  }

  private succeed(database: IDBPDatabase): void {
    BLOCKED.delete(this.options.name)
    this.opened = database
    if (!this.waiting) {
      database.close()
      return
    }
    this.end()
    this.resolve(database)
  }

  private fail(error: unknown): void {
    this.end()
    this.reject(error)
  }

  private end(): void {
    this.waiting = false
    clearTimeout(this.timer)
    this.unlisten()
  }
}

/** What Chromium says where it cannot open the files, and where the disk is full. */
function unopened(struck: 'unknown' | 'quota'): DOMException {
  return new DOMException(
    struck === 'unknown'
      ? 'Internal error opening backing store for indexedDB.open.'
      : 'Encountered full disk while opening backing store for indexedDB.open.',
    'UnknownError',
  )
}
