/** Read transactions. A connection lost before or during one is opened once more. */
import type { IDBPDatabase, IDBPTransaction } from 'idb'
import type { Connection } from './connection.ts'
import type { FaultHook } from './fault_hook.ts'
import { nameOf, storeError } from './errors.ts'
import type { StoreName } from './schema.ts'

export type ReadTransaction = IDBPTransaction<unknown, StoreName[], 'readonly'>

/** Runs a read transaction over the named stores. */
export type Reader = <T>(
  stores: readonly StoreName[],
  work: (transaction: ReadTransaction) => Promise<T>,
) => Promise<T>

const LOST: readonly string[] = ['InvalidStateError', 'AbortError']

export async function read<T>(
  connection: Connection,
  stores: readonly StoreName[],
  work: (transaction: ReadTransaction) => Promise<T>,
  options: { readonly signal?: AbortSignal; readonly faults?: FaultHook | undefined } = {},
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
  work: (transaction: ReadTransaction) => Promise<T>,
  faults: FaultHook | undefined,
): Promise<T> {
  const struck = faults?.strike('read')
  if (struck === 'closing') database.close()
  const transaction = database.transaction([...stores], 'readonly') as ReadTransaction
  transaction.done.catch(() => undefined) // its requests say the same
  if (struck === 'unknown')
    throw new DOMException(
      'Data lost due to missing file. Affected record should be considered irrecoverable',
      'NotReadableError',
    )
  return await work(transaction)
}

/** The texts of the manifest and its copy; '' for what is none. */
export async function readManifests(transaction: ReadTransaction): Promise<readonly string[]> {
  const meta = transaction.objectStore('meta')
  const copies = await Promise.all([
    meta.get(MANIFEST_KEY) as Promise<unknown>,
    meta.get(MANIFEST_COPY_KEY) as Promise<unknown>,
  ])
  return textsOf(copies)
}

/**
 * The manifest is written twice in the same transaction: a page of the disk that goes bad takes one
 * segment, not the way to all.
 */
export const MANIFEST_KEY = 'manifest'
export const MANIFEST_COPY_KEY = 'manifest-copy'

export function textsOf(copies: readonly unknown[]): readonly string[] {
  return copies
    .filter((copy) => copy !== undefined)
    .map((copy) => (typeof copy === 'string' ? copy : ''))
}
