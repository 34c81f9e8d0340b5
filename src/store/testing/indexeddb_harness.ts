/**
 * Shared by the fault tests of IndexedDB: a fresh corpus for each test, faults, a platform of
 * stand-ins, and direct access to the database.
 */
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { Connection } from '../indexeddb/connection.ts'
import { createFaultPlan, type FaultPlan } from '../indexeddb/fault_hook.ts'
import { openIndexedDbStorage, type IndexedDbOptions } from '../indexeddb/indexeddb_storage.ts'
import { STORE_NAMES, type StoreName } from '../indexeddb/schema.ts'
import type { CorpusStorage, StoredDocument } from '../storage.ts'
import { SETTINGS, sampleDocument } from './storage_samples.ts'
import { fakeCaches, fakeChannels, fakeLocks } from './test_platform.ts'

export const [a, b, c] = ['a', 'b', 'c'].map((id) => sampleDocument(id)) as [
  StoredDocument,
  StoredDocument,
  StoredDocument,
]

export interface Stage {
  corpus: string
  faults: FaultPlan
  platform: Pick<IndexedDbOptions, 'locks' | 'channels' | 'caches'>
}

let count = 0
const opened: CorpusStorage[] = []
const unhandled = vi.fn()

/** The stage of the running test. */
export const stage: Stage = { corpus: '', faults: createFaultPlan(), platform: {} }

export function freshCorpus(): void {
  stage.corpus = `faults-${++count}`
}

export async function open(more: Partial<IndexedDbOptions> = {}): Promise<CorpusStorage> {
  const { corpus, faults, platform } = stage
  const storage = await openIndexedDbStorage({
    corpus,
    settings: SETTINGS,
    faults,
    writerWaitMs: 20,
    ...platform,
    ...more,
  })
  opened.push(storage)
  return storage
}

export function refusal(code: string): unknown {
  return expect.objectContaining({ code })
}

/** Works on the database behind the storage's back. */
export async function raw<T>(
  work: (database: Awaited<ReturnType<Connection['database']>>) => Promise<T>,
): Promise<T> {
  const connection = new Connection({ name: `hubmesh:${stage.corpus}` })
  try {
    return await work(await connection.database())
  } finally {
    connection.close()
  }
}
export const rawPut = (store: StoreName, key: IDBValidKey, value: unknown): Promise<IDBValidKey> =>
  raw((database) => database.put(store, value, key))
export const rawDelete = (store: StoreName, key: IDBValidKey): Promise<void> =>
  raw((database) => database.delete(store, key))
export const rawGet = (store: StoreName, key: IDBValidKey): Promise<Record<string, unknown>> =>
  raw(async (database) => (await database.get(store, key)) as Record<string, unknown>)
export const rawKeys = (store: StoreName): Promise<IDBValidKey[]> =>
  raw((database) => database.getAllKeys(store))

/** Everything stored, as one text: strings as they are, bytes as Latin-1 and as UTF-16. */
export async function scan(): Promise<string> {
  return await raw(async (database) => {
    let all = ''
    const walk = (value: unknown): void => {
      if (typeof value === 'string') all += value
      else if (value instanceof ArrayBuffer) walk(new Uint8Array(value))
      else if (value instanceof Uint8Array)
        all += Buffer.from(value).toString('latin1') + Buffer.from(value).toString('utf16le')
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    }
    for (const store of STORE_NAMES) {
      ;(await database.getAllKeys(store)).forEach(walk)
      ;((await database.getAll(store)) as unknown[]).forEach(walk)
    }
    return all
  })
}

/** Registers the set-up and the check that no promise was left to fail unheard. */
export function setUp(): void {
  beforeEach(() => {
    freshCorpus()
    stage.faults = createFaultPlan()
    stage.platform = { locks: fakeLocks(), channels: fakeChannels(), caches: fakeCaches() }
    process.on('unhandledRejection', unhandled)
  })
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close()
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })
}
