/**
 * Owns read transactions. Refuses: writing, and a work function that awaits anything but requests
 * of its transaction.
 */
import type { IDBPDatabase, IDBPTransaction } from 'idb'
import type { Connection } from './connection.ts'
import { RECORD_COPY_KEY, RECORD_KEY, pickRecord, type CorpusRecord } from './corpus_record.ts'
import type { FaultHook } from './fault_hook.ts'
import { nameOf, storeError } from './errors.ts'
import type { StoreName } from './schema.ts'

export type ReadTransaction = IDBPTransaction<unknown, StoreName[], 'readonly'>

/**
 * The corpus record at the moment of the transaction: null where none was written, undefined where
 * both copies are damaged.
 */
export type ReadWork<T> = (
  transaction: ReadTransaction,
  record: CorpusRecord | null | undefined,
) => Promise<T>

/** Runs a read transaction over the named stores. */
export type Reader = <T>(stores: readonly StoreName[], work: ReadWork<T>) => Promise<T>

const LOST: readonly string[] = ['InvalidStateError', 'AbortError']

/**
 * One read transaction with the corpus record of the same moment. A connection lost before or
 * during it is opened once more.
 */
export async function read<T>(
  connection: Connection,
  stores: readonly StoreName[],
  work: ReadWork<T>,
  options: { readonly signal?: AbortSignal; readonly faults?: FaultHook } = {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const database = await connection.database(options.signal)
    try {
      return await readOnce(database, stores, work, options.faults)
    } catch (error) {
      if (attempt > 0 || !LOST.includes(nameOf(error)))
        throw storeError(error, connection.name, 'reading')
      connection.drop()
    }
  }
}

async function readOnce<T>(
  database: IDBPDatabase,
  stores: readonly StoreName[],
  work: ReadWork<T>,
  faults: FaultHook | undefined,
): Promise<T> {
  const struck = faults?.strike('read')
  if (struck === 'closing') database.close()
  const transaction = database.transaction(
    ['meta', ...stores.filter((name) => name !== 'meta')],
    'readonly',
  ) as ReadTransaction
  transaction.done.catch(() => undefined) // its requests say the same
  if (struck === 'unknown')
    throw new DOMException(
      'Data lost due to missing file. Affected record should be considered irrecoverable',
      'NotReadableError',
    )
  const meta = transaction.objectStore('meta')
  const [first, second] = await Promise.all([
    meta.get(RECORD_KEY) as Promise<unknown>,
    meta.get(RECORD_COPY_KEY) as Promise<unknown>,
  ])
  return await work(transaction, pickRecord(first, second))
}
