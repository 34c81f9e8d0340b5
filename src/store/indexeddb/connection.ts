/**
 * Opens and deletes databases: deadline, retries, upgrade, and what other tabs do meanwhile. No
 * fallback where the browser has no database for us.
 */
import { type IDBPDatabase } from 'idb'
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { isDenial, isQuotaError, nameOf, refusedError, storeError } from './errors.ts'
import type { ConnectionOptions } from './connection_options.ts'
import { renewLog } from './log_renewal.ts'
import { sleep } from '../../base/retry.ts'
import { OpenRequest, UNANSWERED } from './open_request.ts'

/** Firefox answers InvalidStateError where it has no database, older engines throw plain errors. */
const REFUSALS: readonly string[] = [
  'InvalidStateError',
  'SecurityError',
  'TypeError',
  'ReferenceError',
]

const RETRY_DELAYS: readonly number[] = [100, 400, 1600]

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
        const database = await new OpenRequest(this.options, (database) => {
          this.lose(database)
        }).run(signal)
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
        await sleep(delays[failures++]!, signal)
      }
    }
  }

  private lose(database: IDBPDatabase | null): void {
    if (database !== null && database === this.handle) this.drop()
    else database?.close()
  }
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
