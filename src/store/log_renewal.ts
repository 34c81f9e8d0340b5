/**
 * Owns the cure of a log that a crash has torn. Refuses: to be needed by another browser than Chromium, and to keep anybody waiting
 * for long.
 *
 * Chromium keeps IndexedDB in LevelDB and goes on with the log it finds (`reuse_logs`). A browser killed between the two writes of
 * one record leaves half of it; that is read as the end of the log, but the next record is written right behind it, and from then on
 * the log does not check: at the opening after next Chromium drops every database of the origin (google/leveldb issue 1287). Deleting a
 * database makes LevelDB begin a new log and save what the old one holds, so that is done first of all, with a database made for it.
 */
import { LIMITS } from '../limits.ts'

/** Outside the names of corpora, which begin with `hubmesh:`. */
export const LOG_DATABASE = 'hubmesh-log'

let renewed: Promise<void> | null = null

/** Once in each page or worker, before its first database is opened. Never rejects: what goes wrong here, the opening tells better. */
export function renewLog(): Promise<void> {
  renewed ??= keepsLevelDb() ? within(LIMITS.storeLogMs, renew(globalThis.indexedDB)).catch(() => undefined) : Promise.resolve()
  return renewed
}

/** True in Chromium and what is built of it. */
function keepsLevelDb(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgentData?: { readonly brands?: readonly { readonly brand?: unknown }[] } } }
  return navigator?.userAgentData?.brands?.some(({ brand }) => brand === 'Chromium') === true
}

/** Exported for its test: deletes the database that the last run made; the next run finds a new one. */
export async function renew(factory: IDBFactory): Promise<void> {
  if (!(await remove(factory))) {
    await make(factory)
    await remove(factory)
  }
  // Nobody waits for it: where it is missing, the next run makes one first.
  make(factory).catch(() => undefined)
}

/** False where there was none, and so nothing that LevelDB would have had to save. */
function remove(factory: IDBFactory): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const request = factory.deleteDatabase(LOG_DATABASE)
    request.onsuccess = (event) => { resolve((event as IDBVersionChangeEvent).oldVersion > 0) }
    request.onerror = () => { reject(request.error ?? new DOMException('', 'UnknownError')) }
  })
}

function make(factory: IDBFactory): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.open(LOG_DATABASE, 1)
    request.onupgradeneeded = () => { request.result.createObjectStore('empty') }
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
    request.onerror = () => { reject(request.error ?? new DOMException('', 'UnknownError')) }
  })
}

function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, milliseconds) })
  return Promise.race([work, late]).finally(() => { clearTimeout(timer) })
}
