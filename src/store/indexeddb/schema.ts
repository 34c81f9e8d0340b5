/** The object stores and their ordered migrations; a migration that was released never changes. */
import type { IDBPDatabase, IDBPTransaction } from 'idb'

/**
 * `meta`: the manifest and its copy, and the reserve. `segments`: by [name, number], 0 the head,
 * then the parts of the body.
 */
export const STORE_NAMES = ['meta', 'segments'] as const
/** Of version 1: one record a document, its parts, blocks of vectors, snapshots. */
export const LEGACY_STORES = ['documents', 'parts', 'vectors', 'block_keys', 'derived'] as const
export type StoreName = (typeof STORE_NAMES)[number] | (typeof LEGACY_STORES)[number]

/** Where version 1 kept its corpus record. */
export const LEGACY_RECORD_KEYS = ['corpus', 'corpus-copy'] as const

/** Runs inside the upgrade; may await requests of this transaction and nothing else. */
export type Migration = (
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>

/** MIGRATIONS[n] takes version n to n + 1; the schema's version is their number. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    for (const name of ['meta', ...LEGACY_STORES]) database.createObjectStore(name)
  },
  // What version 1 stored stays where it is: its first writer turns it into segments.
  async (database, transaction) => {
    database.createObjectStore('segments')
    const keys = await transaction.objectStore('meta').count()
    if (keys === 0 && (await transaction.objectStore('documents').count()) === 0)
      for (const name of LEGACY_STORES) database.deleteObjectStore(name)
  },
]
