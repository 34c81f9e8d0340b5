/**
 * Renews a log of Chromium's that a crash has torn.
 *
 * Chromium keeps IndexedDB in LevelDB and goes on with the log it finds (`reuse_logs`). A browser
 * killed between the two writes of one record leaves half of it; that is read as the end of the
 * log, but the next record is written right behind it, and from then on the log does not check: at
 * the opening after next Chromium drops every database of the origin (google/leveldb issue 1287).
 * LevelDB begins a new log whenever 4 MB have come in, and begins none before the one before last
 * is saved; so after a kill twice that much is written first of all, to a database of no other use.
 * Other browsers need none of it.
 */
import { LIMITS } from '../../base/limits.ts'
import { ownMark, takeDeadMarks, type WriteMark } from './write_mark.ts'

/** Outside the names of corpora, which begin with `hubmesh:`. */
export const LOG_DATABASE = 'hubmesh-log'
/** LevelDB's write buffer in Chromium, bytes; twice of it and a margin is written. */
const BUFFER_BYTES = 4 * 1024 * 1024
/** Below the size from which Chromium puts a value into a file of its own. */
const VALUE_BYTES = 60_000
const VALUES_PER_TRANSACTION = 16
const VALUES = Math.ceil((2.25 * BUFFER_BYTES) / VALUE_BYTES)

let begun: Promise<WriteMark> | null = null

/**
 * Once in each page or worker, before its first database is opened; gives the mark to raise around
 * each write. Never rejects: what goes wrong here, the opening tells better.
 */
export function renewLog(): Promise<WriteMark> {
  begun ??= keepsLevelDb()
    ? begin()
    : Promise.resolve({ raise: () => undefined, lower: () => undefined })
  return begun
}

/** True in Chromium and what is built of it. */
function keepsLevelDb(): boolean {
  const { navigator } = globalThis as {
    readonly navigator?: {
      readonly userAgentData?: { readonly brands?: readonly { readonly brand?: unknown }[] }
    }
  }
  return navigator?.userAgentData?.brands?.some(({ brand }) => brand === 'Chromium') === true
}

async function begin(): Promise<WriteMark> {
  // One at a time: who comes second finds the log renewed.
  const work = async (): Promise<WriteMark> => {
    const dead = await takeDeadMarks(),
      mark = await ownMark()
    mark.raise()
    try {
      if (dead) await renew(globalThis.indexedDB)
    } catch {
      // No room, or no database at all: opening one reports it.
    }
    mark.lower()
    return mark
  }
  const { locks } = navigator as { readonly locks?: LockManager }
  // A page whose site data are blocked is refused locks as well.
  const done =
    locks === undefined
      ? work()
      : (locks.request('hubmesh:log', work) as Promise<unknown> as Promise<WriteMark>).catch(work)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<WriteMark>((resolve) => {
    timer = setTimeout(() => {
      resolve(ownMark())
    }, LIMITS.storeLogMs)
  })
  return await Promise.race([done, late]).finally(() => {
    clearTimeout(timer)
  })
}

/** Exported for its test: writes what LevelDB needs to leave its log, then takes it away again. */
export async function renew(factory: IDBFactory): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory.open(LOG_DATABASE, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('filling')
    }
    request.onsuccess = () => {
      resolve(request.result)
    }
    request.onerror = () => {
      reject(failed(request.error))
    }
  })
  database.onversionchange = () => {
    database.close()
  }
  try {
    // Random, because values are compressed on their way.
    const filling = crypto.getRandomValues(new Uint8Array(VALUE_BYTES))
    for (let from = 0; from < VALUES; from += VALUES_PER_TRANSACTION) {
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction('filling', 'readwrite', { durability: 'relaxed' })
        for (let i = from; i < Math.min(VALUES, from + VALUES_PER_TRANSACTION); i++)
          transaction.objectStore('filling').put(filling, i)
        transaction.oncomplete = () => {
          resolve()
        }
        transaction.onabort = () => {
          reject(failed(transaction.error))
        }
      })
    }
  } finally {
    database.close()
    factory.deleteDatabase(LOG_DATABASE).onerror = () => undefined
  }
}

function failed(error: DOMException | null): DOMException {
  return error ?? new DOMException('', 'UnknownError')
}
