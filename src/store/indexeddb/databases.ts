/** The origin's databases: whether there are any, their names, deleting one. */
import { deleteDB } from 'idb'
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { ConnectionOptions } from './connection_options.ts'
import { blockedError, refusedError, storeError } from './errors.ts'
import { renewLog } from './log_renewal.ts'

/** The factory, or `store/unavailable` where the page has none. */
export function requireIndexedDB(name: string): IDBFactory {
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
