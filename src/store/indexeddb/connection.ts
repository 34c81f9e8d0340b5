/**
 * Opens and deletes databases: deadline, retries, upgrade, and what other tabs do meanwhile. No
 * fallback where the browser has no database for us.
 */
import { deleteDB, openDB, type IDBPDatabase } from 'idb'
import { HubmeshError, abortedError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { FaultHook } from './fault_hook.ts'
import { isDenial, isQuotaError, nameOf, refusedError, storeError } from './errors.ts'
import { renewLog } from './log_renewal.ts'
import { MIGRATIONS, type Migration } from './schema.ts'

/** What happened to an open connection that was not asked for. */
export type ConnectionEvent =
  /** Another tab upgrades or deletes the database; ours was closed to let it. */
  | 'versionchange'
  /** The browser closed it: site data cleared, or its storage failed. */
  | 'terminated'

export interface ConnectionOptions {
  /** Full name of the database. */
  readonly name: string
  /** Schema to open with; tests give their own. */
  readonly migrations?: readonly Migration[]
  /** Milliseconds until an unanswered request is tried once more, then given up. */
  readonly openMs?: number
  /** Milliseconds to wait for tabs that hold an older version. */
  readonly blockedMs?: number
  /** Pauses before the second, third … attempt after an internal error of the browser. */
  readonly retryDelaysMs?: readonly number[]
  /** Called when other tabs keep us from upgrading; the wait goes on. */
  readonly onBlocked?: () => void
  readonly onEvent?: (event: ConnectionEvent) => void
  readonly faults?: FaultHook
}

/** Firefox answers InvalidStateError where it has no database, older engines throw plain errors. */
const REFUSALS: readonly string[] = [
  'InvalidStateError',
  'SecurityError',
  'TypeError',
  'ReferenceError',
]

const RETRY_DELAYS: readonly number[] = [100, 400, 1600]

/** The factory, or `store/unavailable` where the page has none. */
function requireIndexedDB(name: string): IDBFactory {
  let factory: IDBFactory | undefined
  try {
    factory = globalThis.indexedDB as IDBFactory | undefined
  } catch (error) {
    throw refusedError(error, name)
  }
  if (factory !== undefined && factory !== null && typeof factory.open === 'function')
    return factory
  throw new HubmeshError(
    'store/unavailable',
    `This page has no IndexedDB, so ${name} cannot be opened. Choose storage "memory" to work ` +
      'without keeping anything.',
    { details: { database: name } },
  )
}

/** A database that reopens itself after it was closed under us. */
export class Connection {
  readonly name: string
  private readonly options: ConnectionOptions
  private opened: Promise<IDBPDatabase> | null = null
  private handle: IDBPDatabase | null = null
  private isClosed = false

  constructor(options: ConnectionOptions) {
    this.name = options.name
    this.options = options
  }

  /** True after `close()`; a connection lost otherwise comes back at the next use. */
  get closed(): boolean {
    return this.isClosed
  }

  /** The open database. Rejects with `store/*` or `aborted`. */
  async database(signal?: AbortSignal): Promise<IDBPDatabase> {
    throwIfAborted(signal)
    if (this.isClosed)
      throw new HubmeshError(
        'store/closed',
        `The storage of ${this.name} was closed by this program. Create a new one.`,
      )
    this.opened ??= this.openWithRetries(signal)
    const opening = this.opened
    try {
      return await opening
    } catch (error) {
      if (this.opened === opening) this.opened = null
      throw error
    }
  }

  /** Forgets the present handle, so that the next use opens anew. */
  drop(): void {
    this.handle?.close()
    this.handle = null
    this.opened = null
  }

  /** Lets running transactions finish and refuses later use. */
  close(): void {
    this.isClosed = true
    this.drop()
  }

  private async openWithRetries(signal: AbortSignal | undefined): Promise<IDBPDatabase> {
    const delays = this.options.retryDelaysMs ?? RETRY_DELAYS
    // An upgrade writes, too.
    const mark = await renewLog()
    mark.raise()
    try {
      return await this.openPatiently(delays, signal)
    } finally {
      mark.lower()
    }
  }

  private async openPatiently(
    delays: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<IDBPDatabase> {
    let silent = 0
    for (let failures = 0; ;) {
      throwIfAborted(signal)
      try {
        const database = await this.openOnce(signal)
        if (this.isClosed) {
          database.close()
          throw new HubmeshError(
            'store/closed',
            `The storage of ${this.name} was closed while it opened.`,
          )
        }
        this.handle = database
        return database
      } catch (error) {
        if (error === UNANSWERED) {
          if (++silent > 1)
            throw new HubmeshError(
              'store/unavailable',
              `The browser does not answer when ${this.name} is opened. Close other tabs of ` +
                'this site, or restart the browser.',
              { details: { database: this.name }, retryable: true },
            )
          await pokeDatabases()
          continue
        }
        if (REFUSALS.includes(nameOf(error)) || isDenial(error))
          throw refusedError(error, this.name)
        if (nameOf(error) !== 'UnknownError' || isQuotaError(error))
          throw storeError(error, this.name, 'opening the database')
        if (failures === delays.length)
          throw new HubmeshError(
            'store/corrupt',
            `The browser cannot read the files of ${this.name} (tried ${failures + 1} times). ` +
              'Restart the browser; if it stays so, delete the corpus and add its documents ' +
              'again.',
            { cause: error, details: { database: this.name, attempts: failures + 1 } },
          )
        await pause(delays[failures++]!, signal)
      }
    }
  }

  /**
   * Rejects with UNANSWERED at the deadline; a database that opens after the deadline is
   * closed again.
   */
  private openOnce(signal: AbortSignal | undefined): Promise<IDBPDatabase> {
    requireIndexedDB(this.name)
    const { migrations = MIGRATIONS, onBlocked, onEvent, faults } = this.options
    const struck = faults?.strike('open')
    if (struck === 'unknown')
      return Promise.reject(
        new DOMException(
          'Internal error opening backing store for indexedDB.open.',
          'UnknownError',
        ),
      )
    if (struck === 'quota')
      return Promise.reject(
        new DOMException(
          'Encountered full disk while opening backing store for indexedDB.open.',
          'UnknownError',
        ),
      )
    return new Promise((resolve, reject) => {
      let waiting = true
      let failure: unknown
      const settle = (act: () => void): void => {
        waiting = false
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        act()
      }
      const abort = (): void => {
        settle(() => {
          reject(abortedError(signal))
        })
      }
      let timer = setTimeout(() => {
        settle(() => {
          reject(UNANSWERED as unknown as Error)
        })
      }, this.options.openMs ?? LIMITS.storeOpenMs)
      signal?.addEventListener('abort', abort, { once: true })
      const waitLonger = (): void => {
        if (!waiting) return
        clearTimeout(timer)
        timer = setTimeout(() => {
          settle(() => {
            reject(blockedError(this.name, 'upgraded'))
          })
        }, this.options.blockedMs ?? LIMITS.storeBlockedMs)
        onBlocked?.()
      }
      let opened: IDBPDatabase | null = null
      const request = (): Promise<IDBPDatabase> =>
        openDB(this.name, migrations.length, {
          upgrade: (database, from, _to, transaction) => {
            if (waiting) clearTimeout(timer) // it has answered; a migration takes the time it needs
            migrate(migrations.slice(from), database, transaction as never).catch(
              (error: unknown) => {
                failure = error
                transaction.done.catch(() => undefined)
                transaction.abort()
              },
            )
          },
          blocked: () => {
            BLOCKED.add(this.name)
            waitLonger()
          },
          blocking: () => {
            this.lose(opened)
            onEvent?.('versionchange')
          },
          terminated: () => {
            this.lose(opened)
            onEvent?.('terminated')
          },
        })
      // A browser may also throw at once.
      const opening = new Promise<IDBPDatabase>((done) => {
        if (struck !== 'silence') done(request())
      })
      if (BLOCKED.has(this.name)) waitLonger()
      opening.then(
        (database) => {
          BLOCKED.delete(this.name)
          opened = database
          if (waiting)
            settle(() => {
              resolve(database)
            })
          else database.close()
        },
        (error: unknown) => {
          BLOCKED.delete(this.name)
          settle(() => {
            reject(failure === undefined ? (error as Error) : upgradeError(this.name, failure))
          })
        },
      )
    })
  }

  private lose(database: IDBPDatabase | null): void {
    if (database !== null && database === this.handle) this.drop()
    else database?.close()
  }
}

/**
 * Databases with an abandoned blocked request of ours: the browser answers
 * later ones only after it.
 */
const BLOCKED = new Set<string>()

const UNANSWERED = { name: 'unanswered' }

async function migrate(
  migrations: readonly Migration[],
  ...on: Parameters<Migration>
): Promise<void> {
  for (const step of migrations) await step(...on)
}

function blockedError(name: string, what: string): HubmeshError {
  return new HubmeshError(
    'store/blocked',
    `${name} cannot be ${what} while another tab of this site has it open and does not let go. ` +
      'Close or reload the other tabs.',
    { details: { database: name }, retryable: true },
  )
}

function upgradeError(name: string, cause: unknown): HubmeshError {
  return new HubmeshError(
    'store/unavailable',
    `The upgrade of ${name} failed half-way and was taken back; the data are as before.`,
    { cause, details: { database: name }, retryable: true },
  )
}

/**
 * WebKit has been seen to answer an open request only after `databases()` was asked; what it says
 * does not matter.
 */
async function pokeDatabases(): Promise<void> {
  await Promise.race([
    Promise.resolve(globalThis.indexedDB.databases?.()).catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, 100)),
  ])
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    const abort = (): void => {
      clearTimeout(timer)
      reject(abortedError(signal))
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Deletes a database, waiting for other tabs to let go of it; the deletion may still happen after
 * `store/blocked`.
 */
export async function deleteDatabase(
  name: string,
  options: Pick<ConnectionOptions, 'blockedMs' | 'onBlocked'> = {},
): Promise<void> {
  requireIndexedDB(name)
  const mark = await renewLog()
  mark.raise()
  let timer: ReturnType<typeof setTimeout> | undefined
  const blocked = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(blockedError(name, 'deleted'))
    }, options.blockedMs ?? LIMITS.storeBlockedMs)
  })
  const deleting = deleteDB(name, { blocked: () => options.onBlocked?.() }).catch(
    (error: unknown) => {
      throw storeError(error, name, 'deleting the database')
    },
  )
  try {
    await Promise.race([deleting, blocked])
  } finally {
    mark.lower()
    clearTimeout(timer)
  }
}

/** Names of the origin's databases, or null where the browser does not say. */
export async function databaseNames(): Promise<readonly string[] | null> {
  const factory = requireIndexedDB('the list of databases')
  await renewLog()
  if (typeof factory.databases !== 'function') return null
  try {
    return (await factory.databases()).flatMap(({ name }) => (name === undefined ? [] : [name]))
  } catch (error) {
    throw storeError(error, 'the list of databases', 'listing databases')
  }
}
