/**
 * Owns the object stores and their ordered migrations. Refuses: data; and to change a migration
 * that was released.
 */
import type { IDBPDatabase, IDBPTransaction } from 'idb'

/**
 * `meta`: corpus record and its copy, list of half-written documents, kept records by ["kept",
 * name, number]. `documents`: by id. `parts`: long texts, by [id, version, kind, number].
 * `vectors`: blocks by number; `block_keys`: who lies in which block. `derived`: snapshots.
 */
export const STORE_NAMES = [
  'meta',
  'documents',
  'parts',
  'vectors',
  'block_keys',
  'derived',
] as const
export type StoreName = (typeof STORE_NAMES)[number]

/** Runs inside the upgrade; may await requests of this transaction and nothing else. */
export type Migration = (
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>

/** MIGRATIONS[n] takes version n to n + 1; the schema's version is their number. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    for (const name of STORE_NAMES) database.createObjectStore(name)
  },
]
