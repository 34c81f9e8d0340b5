/**
 * Write transactions: fenced by the manifest, strict, and done only when the browser says so.
 *
 * A transaction of IndexedDB commits by itself as soon as it has no pending request, so a plan is a
 * plain function that says all it has to say at once. The manifest, compared here inside the
 * transaction, proves that no other write came since the plan was made.
 */
import { unwrap, type IDBPDatabase } from 'idb'
import { HubmeshError, invariant } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Connection } from './connection.ts'
import { strikeTransaction, type FaultHook } from './fault_hook.ts'
import { renewLog } from './log_renewal.ts'
import { freeBytes, isQuotaError, nameOf, quotaError, storeError } from './errors.ts'
import { MANIFEST_COPY_KEY, MANIFEST_KEY, textsOf } from './read.ts'
import type { StoreName } from './schema.ts'

/** What a plan may do. Nothing is given back: it is all or nothing at the end. */
export interface Writer {
  put(store: StoreName, key: IDBValidKey, value: unknown): void
  delete(store: StoreName, key: IDBValidKey | IDBKeyRange): void
  clear(store: StoreName): void
}

export interface WriteOptions {
  readonly stores: readonly StoreName[]
  /** The manifest that must be in force; null: none. Left out: whatever it is. */
  readonly before?: string | null
  /** About how many bytes the call writes; named in `store/quota`. */
  readonly bytes: number
  readonly plan: (writer: Writer) => void
  readonly commitMs?: number
  readonly faults?: FaultHook | undefined
}

/** Runs the plan in one strict transaction. Rejects with `store/*`, `writer/lost` or its error. */
export async function write(connection: Connection, options: WriteOptions): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const database = await connection.database(),
      mark = await renewLog()
    mark.raise()
    try {
      await writeOnce(connection, database, options)
      return
    } catch (error) {
      if (isQuotaError(error))
        throw quotaError(
          connection.name,
          { neededBytes: askedBytes(error) ?? options.bytes, availableBytes: await freeBytes() },
          error,
        )
      if (!(error instanceof NotBegun)) throw storeError(error, connection.name, 'writing')
      // A connection that is closing refuses the transaction before it begins: nothing was written,
      // so once more on a new one.
      connection.drop()
      if (attempt > 0) throw storeError(error.cause, connection.name, 'writing')
    } finally {
      mark.lower()
    }
  }
}

const OVER: readonly string[] = ['InvalidStateError', 'TransactionInactiveError']

/** Marks the one failure after which the same write may be begun again. */
class NotBegun extends Error {}

function begin(database: IDBPDatabase, stores: readonly StoreName[]): IDBTransaction {
  try {
    return unwrap(database).transaction(
      ['meta', ...stores.filter((name) => name !== 'meta')],
      'readwrite',
      { durability: 'strict' },
    )
  } catch (error) {
    if (nameOf(error) === 'InvalidStateError')
      throw new NotBegun('The connection is closing.', { cause: error })
    throw error
  }
}

async function writeOnce(
  connection: Connection,
  database: IDBPDatabase,
  options: WriteOptions,
): Promise<void> {
  const { faults } = options
  if (faults?.strike('begin') === 'closing') database.close()
  const transaction = begin(database, options.stores)
  await new Promise<void>((resolve, reject) => {
    let failure: unknown
    let planned = false
    let silent = false
    const { commitMs = LIMITS.storeCommitMs } = options
    const timer = setTimeout(() => {
      reject(indeterminate(connection.name, commitMs))
    }, commitMs)
    const abortWith = (error: unknown): void => {
      // After an abort from outside each further request throws; the reason is then the
      // transaction's own.
      if (!OVER.includes(nameOf(error))) failure ??= error
      try {
        transaction.abort()
      } catch {
        // It is over already: its own event settles the promise.
      }
    }
    const strike = (stage: 'put' | 'finish'): void => {
      if (strikeTransaction(faults, stage, transaction)) silent = true
    }
    transaction.oncomplete = () => {
      if (silent) return
      clearTimeout(timer)
      if (!planned) reject(unplanned())
      else resolve()
    }
    transaction.onabort = () => {
      clearTimeout(timer)
      reject((failure ?? transaction.error ?? abortedTransaction()) as Error)
    }
    const meta = transaction.objectStore('meta')
    const first = meta.get(MANIFEST_KEY)
    const second = meta.get(MANIFEST_COPY_KEY)
    second.onsuccess = () => {
      try {
        fence(textsOf([first.result, second.result]), options.before, connection.name)
        runPlan(
          options.plan,
          writerOf(transaction, () => {
            strike('put')
          }),
        )
        planned = true
        strike('finish')
      } catch (error) {
        abortWith(error)
      }
    }
  })
}

/** A plan that waits would lose its transaction meanwhile. */
function runPlan(plan: WriteOptions['plan'], writer: Writer): void {
  const result: unknown = plan(writer)
  if (typeof result !== 'object' || result === null || !('then' in result)) return
  Promise.resolve(result).catch(() => undefined)
  invariant(false, 'A plan of a write waited for something.')
}

function abortedTransaction(): DOMException {
  return new DOMException('The transaction was aborted.', 'AbortError')
}

function unplanned(): HubmeshError {
  return new HubmeshError(
    'bug/invariant',
    'A transaction completed without its plan. This is a fault of hubmesh; please report it.',
  )
}

function indeterminate(database: string, ms: number): HubmeshError {
  return new HubmeshError(
    'store/indeterminate',
    `The browser has not said for ${ms} ms whether a write to ${database} is kept. Adding the ` +
      'same documents again is safe.',
    { details: { database }, retryable: true },
  )
}

function writerOf(transaction: IDBTransaction, beforePut: () => void): Writer {
  return {
    put(store, key, value) {
      beforePut()
      transaction.objectStore(store).put(value, key)
    },
    delete(store, key) {
      transaction.objectStore(store).delete(key)
    },
    clear(store) {
      transaction.objectStore(store).clear()
    },
  }
}

/** Compares the manifest in force with the one that the write rests on. */
function fence(texts: readonly string[], before: string | null | undefined, name: string): void {
  if (before === undefined || (before === null ? texts.length === 0 : texts.includes(before)))
    return
  if (texts.length === 0)
    throw new HubmeshError(
      'store/evicted',
      `The data of ${name} were deleted while this page had them open. Nothing was written. ` +
        'Add the documents again in a new engine.',
      { details: { database: name } },
    )
  throw new HubmeshError(
    'writer/lost',
    `Another tab has become the writer of ${name}. Nothing was written; the next write asks for ` +
      'the lock again.',
    { details: { database: name }, retryable: true },
  )
}

/** Newer browsers say how much was asked for. */
function askedBytes(error: unknown): number | null {
  const requested =
    typeof error === 'object' && error !== null && 'requested' in error ? error.requested : null
  // a full quota is told as 0
  return typeof requested === 'number' && requested > 0 ? requested : null
}
