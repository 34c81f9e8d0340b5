/**
 * Owns every write transaction. Refuses: plans that wait for anything, writers that were replaced,
 * success before `complete`.
 *
 * A transaction of IndexedDB commits by itself as soon as nobody asks it anything, so a plan is a
 * plain function that says all it has to say at once. What it needs to know is read before; the
 * writer's epoch, compared here inside the transaction, proves that nobody wrote in between. The
 * browser hears it in steps, each when it has begun with the one before: a value takes it some
 * forty microseconds to copy, and a thread that hands over thousands at once answers nothing
 * meanwhile.
 */
import { unwrap, type IDBPDatabase } from 'idb'
import { HubmeshError, invariant } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Connection } from './connection.ts'
import {
  RECORD_COPY_KEY,
  RECORD_KEY,
  encodeRecord,
  pickRecord,
  type CorpusRecord,
} from './corpus_record.ts'
import type { FaultHook } from './fault_hook.ts'
import { renewLog } from './log_renewal.ts'
import { freeBytes, isQuotaError, nameOf, quotaError, storeError } from './errors.ts'
import type { StoreName } from './schema.ts'

/** Requests handed over at once: some ten milliseconds. */
const STEP = 256

/** What a plan may do. Nothing is given back: it is all or nothing at the end. */
export interface Writer {
  put(store: StoreName, key: IDBValidKey, value: unknown): void
  delete(store: StoreName, key: IDBValidKey | IDBKeyRange): void
  clear(store: StoreName): void
}

/** Called inside the transaction with the corpus record as it is; gives the record to leave. */
export type WritePlan = (writer: Writer, record: CorpusRecord | null) => CorpusRecord

/** Whose write this is; null only for the one that becomes the writer. */
export interface Fence {
  readonly instance: string
  readonly epoch: number
}

export interface WriteOptions {
  readonly stores: readonly StoreName[]
  readonly fence: Fence | null
  /** About how many bytes the plan writes; named in `store/quota`. */
  readonly bytes: number
  readonly plan: WritePlan
  readonly commitMs?: number
  readonly faults?: FaultHook
}

/**
 * Runs the plan in one strict transaction and gives the record it left. Rejects with `store/*`,
 * `writer/lost` or what the plan threw.
 */
export async function write(connection: Connection, options: WriteOptions): Promise<CorpusRecord> {
  for (let attempt = 0; ; attempt++) {
    const database = await connection.database(),
      mark = await renewLog()
    mark.raise()
    try {
      return await writeOnce(connection, database, options)
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
): Promise<CorpusRecord> {
  const { faults } = options
  if (faults?.strike('begin') === 'closing') database.close()
  const transaction = begin(database, options.stores)
  return await new Promise<CorpusRecord>((resolve, reject) => {
    let failure: unknown
    let left: CorpusRecord | undefined
    let silent = false
    const timer = setTimeout(() => {
      reject(
        new HubmeshError(
          'store/indeterminate',
          `The browser has not said for ${options.commitMs ?? LIMITS.storeCommitMs} ms whether ` +
            `a write to ${connection.name} is kept. Adding the same documents again is safe.`,
          { details: { database: connection.name }, retryable: true },
        ),
      )
    }, options.commitMs ?? LIMITS.storeCommitMs)
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
      switch (faults?.strike(stage)) {
        case undefined:
          return
        case 'throw':
          throw new HubmeshError('bug/invariant', `A fault armed at "${stage}" struck.`)
        case 'quota':
          throw new DOMException(
            'The current transaction exceeded its quota limitations.',
            'QuotaExceededError',
          )
        case 'unknown':
          throw new DOMException('Internal error committing transaction.', 'UnknownError')
        case 'silence':
          silent = true
          return
        case 'abort':
        case 'closing':
          transaction.abort()
      }
    }
    transaction.oncomplete = () => {
      if (silent) return
      clearTimeout(timer)
      if (left === undefined)
        reject(
          new HubmeshError(
            'bug/invariant',
            'A transaction completed without its plan. This is a fault of hubmesh; please report it.',
          ),
        )
      else resolve(left)
    }
    transaction.onabort = () => {
      clearTimeout(timer)
      reject(
        (failure ??
          transaction.error ??
          new DOMException('The transaction was aborted.', 'AbortError')) as Error,
      )
    }
    const meta = transaction.objectStore('meta')
    const first = meta.get(RECORD_KEY)
    const second = meta.get(RECORD_COPY_KEY)
    second.onsuccess = () => {
      try {
        const record = fenced(
          pickRecord(first.result, second.result),
          options.fence,
          connection.name,
        )
        const asked: (() => IDBRequest)[] = []
        const writer: Writer = {
          put(store, key, value) {
            asked.push(() => {
              strike('put')
              return transaction.objectStore(store).put(value, key)
            })
          },
          delete(store, key) {
            asked.push(() => transaction.objectStore(store).delete(key))
          },
          clear(store) {
            asked.push(() => transaction.objectStore(store).clear())
          },
        }
        const next: unknown = options.plan(writer, record)
        if (typeof next === 'object' && next !== null && 'then' in next)
          Promise.resolve(next).catch(() => undefined)
        invariant(
          typeof next === 'object' && next !== null && !('then' in next),
          'A plan of a write waited for something.',
        )
        const last = next as CorpusRecord,
          stored = encodeRecord(last)
        asked.push(
          () => meta.put(stored, RECORD_KEY),
          () => meta.put(stored, RECORD_COPY_KEY),
        )
        const ask = (from: number): void => {
          try {
            const to = Math.min(from + STEP, asked.length)
            for (let i = from; i < to; i++) {
              const request = asked[i]!()
              if (i === from && to < asked.length)
                request.onsuccess = () => {
                  ask(to)
                } // the browser has the others to go on with
            }
            if (to < asked.length) return
            left = last
            strike('finish')
          } catch (error) {
            abortWith(error)
          }
        }
        ask(0)
      } catch (error) {
        abortWith(error)
      }
    }
  })
}

/** Compares the record with whose write this is. */
function fenced(
  record: CorpusRecord | null | undefined,
  fence: Fence | null,
  name: string,
): CorpusRecord | null {
  if (record === undefined)
    throw new HubmeshError(
      'store/corrupt',
      `The record that describes ${name} is damaged, and so is its copy. Nothing was written. ` +
        'Export what can be read, delete the corpus and add its documents again.',
      { details: { database: name } },
    )
  if (fence === null) return record
  if (record === null || record.instance !== fence.instance) {
    throw new HubmeshError(
      'store/evicted',
      `The data of ${name} were deleted while this page had them open. Nothing was written. ` +
        'Add the documents again in a new engine.',
      { details: { database: name } },
    )
  }
  if (record.writerEpoch !== fence.epoch) {
    throw new HubmeshError(
      'writer/lost',
      `Another tab has become the writer of ${name}. Nothing was written; the next write asks for the lock again.`,
      {
        details: { database: name, ours: fence.epoch, theirs: record.writerEpoch },
        retryable: true,
      },
    )
  }
  return record
}

/** Newer browsers say how much was asked for. */
function askedBytes(error: unknown): number | null {
  const requested =
    typeof error === 'object' && error !== null && 'requested' in error ? error.requested : null
  // a full quota is told as 0
  return typeof requested === 'number' && requested > 0 ? requested : null
}
