import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../limits.ts'
import { Connection } from './connection.ts'
import { createFaultPlan, type FaultPlan } from './fault_hook.ts'
import { openIndexedDbStorage, type IndexedDbOptions } from './indexeddb_storage.ts'
import { STORE_NAMES, type StoreName } from './schema.ts'
import type { CorpusStorage, StoredDocument } from './storage.ts'
import { IDENTITY, SETTINGS, allDocuments, allVectors, sampleDocument, sampleRow } from './storage_contract.ts'
import { checkStorageInvariants } from './storage_invariants.ts'
import { fakeCaches, fakeChannels, fakeLocks } from './test_platform.ts'

let count = 0
let corpus = ''
let faults: FaultPlan
let platform: Pick<IndexedDbOptions, 'locks' | 'channels' | 'caches'>
const opened: CorpusStorage[] = []
const refusal = (code: string): unknown => expect.objectContaining({ code })
const unhandled = vi.fn()

async function open(more: Partial<IndexedDbOptions> = {}): Promise<CorpusStorage> {
  const storage = await openIndexedDbStorage({ corpus, settings: SETTINGS, faults, writerWaitMs: 20, ...platform, ...more })
  opened.push(storage)
  return storage
}

/** Works on the database behind the storage's back. */
async function raw<T>(work: (database: Awaited<ReturnType<Connection['database']>>) => Promise<T>): Promise<T> {
  const connection = new Connection({ name: `hubmesh:${corpus}` })
  try {
    return await work(await connection.database())
  } finally {
    connection.close()
  }
}
const rawPut = (store: StoreName, key: IDBValidKey, value: unknown): Promise<IDBValidKey> => raw((database) => database.put(store, value, key))
const rawDelete = (store: StoreName, key: IDBValidKey): Promise<void> => raw((database) => database.delete(store, key))
const rawGet = (store: StoreName, key: IDBValidKey): Promise<Record<string, unknown>> => raw(async (database) => (await database.get(store, key)) as Record<string, unknown>)
const rawKeys = (store: StoreName): Promise<IDBValidKey[]> => raw((database) => database.getAllKeys(store))

/** Everything stored, as one text: strings as they are, bytes as Latin-1 and as UTF-16. */
async function scan(): Promise<string> {
  return await raw(async (database) => {
    let all = ''
    const walk = (value: unknown): void => {
      if (typeof value === 'string') all += value
      else if (value instanceof ArrayBuffer) walk(new Uint8Array(value))
      else if (value instanceof Uint8Array) all += Buffer.from(value).toString('latin1') + Buffer.from(value).toString('utf16le')
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    }
    for (const store of STORE_NAMES) {
      ;(await database.getAllKeys(store)).forEach(walk)
      ;((await database.getAll(store)) as unknown[]).forEach(walk)
    }
    return all
  })
}

beforeEach(() => {
  corpus = `faults-${++count}`
  faults = createFaultPlan()
  platform = { locks: fakeLocks(), channels: fakeChannels(), caches: fakeCaches() }
  process.on('unhandledRejection', unhandled)
})
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})

const [a, b, c] = ['a', 'b', 'c'].map((id) => sampleDocument(id)) as [StoredDocument, StoredDocument, StoredDocument]

test('a commit that fails at any of its puts leaves the state before it, and the same call again succeeds', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b], remove: [] })
  await storage.putVectors([sampleRow(a, 0), sampleRow(b, 0)])
  const changed = sampleDocument('a', 'x'.repeat(LIMITS.storePartChars * 2 + 5))
  for (const kind of ['throw', 'abort', 'unknown', 'closing'] as const) {
    for (let after = 0; after < 5; after++) {
      faults.failNext('put', kind, after)
      await expect(storage.commit({ put: [changed, c], remove: ['b'] })).rejects.toThrow()
      expect(await allDocuments(storage)).toEqual([a, b])
      expect(await allVectors(storage)).toEqual(['a#0=1', 'b#0=1'])
      expect(storage.generation).toBe(1)
    }
  }
  expect(await storage.commit({ put: [changed, c], remove: ['b'] })).toBe(2)
  expect(await allDocuments(storage)).toEqual([changed, c])
  expect(await allVectors(storage)).toEqual([])
})

test('random commits under random faults keep every acknowledged document, whole, and no other', async () => {
  const ids = ['a', 'b', 'c', 'd', '__proto__']
  const step = fc.record({
    put: fc.array(fc.tuple(fc.constantFrom(...ids), fc.nat(3)), { maxLength: 3 }), remove: fc.array(fc.constantFrom(...ids), { maxLength: 2 }),
    vectors: fc.boolean(), reopen: fc.boolean(), fault: fc.option(fc.tuple(fc.constantFrom('put', 'finish', 'begin'), fc.constantFrom('abort', 'quota', 'closing', 'throw', 'unknown'), fc.nat(4))),
  })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
    corpus = `faults-${++count}`
    let storage = await open()
    let model = new Map<string, StoredDocument>()
    for (const { put, remove, vectors, reopen, fault } of steps) {
      const plan = createFaultPlan()
      if (fault !== null) plan.failNext(...(fault as Parameters<FaultPlan['failNext']>))
      faults.strike = (stage) => plan.strike(stage)
      const documents = put.map(([id, version]) => sampleDocument(id, `version ${version} of ${id} `.repeat(1 + version * 3000)))
      const next = new Map(model)
      for (const id of remove) next.delete(id)
      for (const document of documents) next.set(document.id, document)
      try {
        await storage.commit({ put: documents, remove })
        model = next
        if (vectors) await storage.putVectors([...model.values()].map((d) => sampleRow(d, 1)))
      } catch (error) {
        expect(error).toEqual(expect.objectContaining({ code: expect.any(String) as unknown }))
      }
      faults.strike = () => undefined
      if (reopen) {
        await storage.close()
        storage = await open()
      }
      expect((await allDocuments(storage)).map(({ id, text }) => [id, text])).toEqual([...model.values()].sort((x, y) => (x.id < y.id ? -1 : 1)).map(({ id, text }) => [id, text]))
      expect(await checkStorageInvariants(storage, { acknowledged: model.keys() })).toEqual([])
      expect(storage.quarantined).toEqual([])
    }
    await storage.close()
  }), { numRuns: 25 })
}, 120_000)

test('a commit larger than a transaction goes in several, each of whole documents', async () => {
  const storage = await open()
  const big = ['k', 'l', 'm', 'n'].map((id) => sampleDocument(id, id.repeat(5 * 1024 * 1024)))
  faults.failNext('finish', 'abort', 3) // after becoming the writer and two batches
  await expect(storage.commit({ put: big, remove: [] })).rejects.toThrow(refusal('store/closed'))
  expect((await allDocuments(storage)).map((d) => d.id)).toEqual(['k', 'l'])
  await storage.commit({ put: big, remove: [] })
  expect((await allDocuments(storage)).map((d) => [d.id, d.text.length])).toEqual(big.map((d) => [d.id, d.text.length]))
  expect(storage.generation).toBe(6)
})

test('a document larger than a transaction is written in parts, seen only whole, and its leftovers are swept', async () => {
  const before = sampleDocument('huge', 'the version before')
  const huge = sampleDocument('huge', 'Zürich '.repeat(1_500_000))
  const first = await open()
  await first.commit({ put: [before], remove: [] })
  const puts = Math.ceil(huge.text.length / LIMITS.storePartChars)
  for (const after of [0, 100, puts + 1]) {
    faults.failNext('put', 'abort', after)
    await expect(first.commit({ put: [huge], remove: [] })).rejects.toThrow(refusal('store/closed'))
    expect((await allDocuments(first)).map((d) => d.text)).toEqual(['the version before'])
  }
  expect((await rawKeys('parts')).length).toBeGreaterThan(100)
  await first.close()
  const second = await open()
  await second.commit({ put: [a], remove: [] })
  expect(await rawKeys('parts')).toEqual([])
  expect(await raw((database) => database.getAllKeys('meta'))).toEqual(['corpus', 'corpus-copy'])
  await second.commit({ put: [huge], remove: [] })
  expect((await allDocuments(second)).find((d) => d.id === 'huge')?.text === huge.text).toBe(true)
  await second.commit({ put: [], remove: ['huge'] })
  expect(await rawKeys('parts')).toEqual([])
}, 120_000)

test('without room derived data are shed and the write is tried once more; then it is store/quota with the numbers, and nothing is lost', async () => {
  vi.stubGlobal('navigator', { storage: { estimate: () => Promise.resolve({ quota: 1000, usage: 900 }), persisted: () => Promise.resolve(true) } })
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  await storage.writeDerived('graph', new Uint8Array(100))
  faults.failNext('put', 'quota')
  await storage.putVectors([sampleRow(a, 0)])
  expect(await storage.readDerived('graph')).toBeNull()
  faults.failNext('put', 'quota')
  faults.failNext('put', 'quota')
  await expect(storage.commit({ put: [b], remove: [] })).rejects.toThrow(expect.objectContaining({ code: 'store/quota', details: { neededBytes: expect.any(Number) as unknown, availableBytes: 100 } }))
  expect(await allDocuments(storage)).toEqual([a])
  faults.failNext('put', 'quota')
  await expect(storage.writeDerived('graph', new Uint8Array(100))).rejects.toThrow(refusal('store/quota'))
  expect(await storage.commit({ put: [b], remove: [] })).toBe(2)
  expect(await storage.usage()).toEqual({ persisted: true, usageBytes: 900, quotaBytes: 1000 })
})

test('missing or failing estimates are reported as unknown', async () => {
  const storage = await open()
  vi.stubGlobal('navigator', { storage: { estimate: () => Promise.reject(new Error('no')) } })
  expect(await storage.usage()).toEqual({ persisted: null, usageBytes: null, quotaBytes: null })
  vi.stubGlobal('navigator', {})
  expect(await storage.usage()).toEqual({ persisted: null, usageBytes: null, quotaBytes: null })
})

test('a database that was dropped between two visits is reported, not taken for a first visit', async () => {
  const first = await open()
  await first.commit({ put: [a, b], remove: [] })
  await first.close()
  indexedDB.deleteDatabase(`hubmesh:${corpus}`)
  await expect(open()).rejects.toThrow(expect.objectContaining({ code: 'store/evicted', details: expect.objectContaining({ documents: 2 }) as unknown }))
  await expect(open()).rejects.toThrow(refusal('store/evicted'))
  const again = await open({ acceptLoss: true })
  await again.commit({ put: [c], remove: [] })
  await again.close()
  expect(await allDocuments(await open())).toEqual([c])
})

test('a corpus that was emptied or destroyed on purpose is a first visit', async () => {
  const first = await open()
  await first.commit({ put: [a], remove: [] })
  await first.commit({ put: [], remove: ['a'] })
  await first.close()
  indexedDB.deleteDatabase(`hubmesh:${corpus}`)
  const second = await open()
  await second.commit({ put: [a], remove: [] })
  await second.destroy()
  expect(await allDocuments(await open())).toEqual([])
})

test('data deleted under an open storage are reported by reading and by writing', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  await new Promise((resolve) => { indexedDB.deleteDatabase(`hubmesh:${corpus}`).onsuccess = resolve })
  await expect(allDocuments(storage)).rejects.toThrow(refusal('store/evicted'))
  await expect(storage.commit({ put: [b], remove: [] })).rejects.toThrow(refusal('store/evicted'))
  await expect(storage.putVectors([sampleRow(a, 0)])).rejects.toThrow(refusal('store/evicted'))
})

test('records of any wrong shape are quarantined by id, the others are served, and a new put heals', async () => {
  const documents = Array.from({ length: 40 }, (_, i) => sampleDocument(`d${String(i).padStart(2, '0')}`, i === 8 ? 'y'.repeat(LIMITS.storePartChars * 3) : `text ${i}`))
  const storage = await open()
  await storage.commit({ put: documents, remove: [] })
  const good = await rawGet('documents', 'd00')
  const wrong: unknown[] = [{}, 'text', [], null, 7, { ...good, id: 'd99' }, { ...good, id: 'd06', title: 5 }, { ...good, id: 'd07', check: -1 }]
  for (const [i, value] of wrong.entries()) await rawPut('documents', `d0${i}`, value)
  await rawDelete('parts', (await rawKeys('parts'))[1]!)
  await rawPut('documents', 'd09', { ...(await rawGet('documents', 'd09')), text: 'tExt 9' })
  await rawPut('documents', 'd10', { ...(await rawGet('documents', 'd10')), metadata: '{"a":' })
  await rawPut('documents', 'd11', { ...(await rawGet('documents', 'd11')), passages: Int32Array.of(0, 2, 2, 7) })
  await rawPut('documents', 5, good)
  await rawPut('documents', ['not', 'a', 'string'], good)
  expect((await allDocuments(storage)).map((d) => d.id)).toEqual(documents.slice(12).map((d) => d.id))
  expect(storage.quarantined.map((record) => record.id).sort()).toEqual(['', ...documents.slice(0, 12).map((d) => d.id)])
  for (const { reason } of storage.quarantined) expect(reason).not.toMatch(/tExt|yyy/)
  await storage.commit({ put: documents.slice(0, 11), remove: ['d11'] })
  expect((await allDocuments(storage)).length).toBe(39)
  expect(storage.quarantined.map((record) => record.id)).toEqual([''])
})

test('a value that the browser cannot read back costs that document only', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b, c], remove: [] })
  faults.failNext('read', 'unknown')
  faults.failNext('read', 'unknown', 2)
  expect(await allDocuments(storage)).toEqual([a, c])
  expect(storage.quarantined.map((record) => record.id)).toEqual(['b'])
})

test('documents that vanished from the database are counted in a warning', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b, c], remove: [] })
  await rawDelete('documents', 'b')
  expect(await allDocuments(storage)).toEqual([a, c])
  expect(storage.warnings.join()).toMatch(/^1 documents/)
})

test('a flipped byte anywhere in a block of vectors is found, its rows are missing, and the next write clears it away', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b], remove: [] })
  await storage.putVectors([sampleRow(a, 0)])
  await storage.putVectors([sampleRow(b, 0)])
  const [key] = await rawKeys('vectors')
  const whole = (await rawGet('vectors', key!)) as unknown as ArrayBuffer
  for (let at = 0; at < whole.byteLength; at += 7) {
    const bytes = new Uint8Array(whole.slice(0))
    bytes[at] = bytes[at]! ^ 4
    await rawPut('vectors', key!, bytes.buffer)
    expect(await allVectors(storage)).toEqual(['b#0=1'])
  }
  expect(storage.quarantined.map((record) => record.id)).toEqual([`vectors ${String(key)}`])
  await storage.close()
  const again = await open()
  await again.putVectors([sampleRow(a, 0, 5)])
  expect(await allVectors(again)).toEqual(['a#0=5', 'b#0=1'])
  expect(await rawKeys('vectors')).not.toContain(key)
})

test('the directory of blocks is rebuilt from the blocks where it is missing or damaged', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b], remove: [] })
  await storage.putVectors([sampleRow(a, 0)])
  await storage.putVectors([sampleRow(b, 0)])
  await storage.close()
  const [first, second] = await rawKeys('block_keys')
  await rawDelete('block_keys', first!)
  await rawPut('block_keys', second!, { bytes: 9, keys: new Uint8Array(3) })
  const again = await open()
  await again.commit({ put: [], remove: ['a', 'b'] })
  expect(await rawKeys('vectors')).toEqual([])
})

test('a snapshot with a flipped byte, a missing part or no head is not given', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  const bytes = new Uint8Array(LIMITS.vectorBlockBytes + 10).fill(3)
  await storage.writeDerived('graph', bytes)
  expect((await storage.readDerived('graph'))?.length).toBe(bytes.length)
  const last = (await raw(async (database) => (await database.get('derived', ['graph', 1])) as ArrayBuffer)).slice(0)
  new Uint8Array(last)[4] = 9
  await rawPut('derived', ['graph', 1], last)
  expect(await storage.readDerived('graph')).toBeNull()
  await rawDelete('derived', ['graph', 1])
  expect(await storage.readDerived('graph')).toBeNull()
  await rawPut('derived', ['graph'], 'rubbish')
  expect(await storage.readDerived('graph')).toBeNull()
})

test('a corpus record that is damaged twice, or gone beside documents, is store/corrupt and never an empty corpus', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  for (const key of ['corpus', 'corpus-copy']) await rawPut('meta', key, { json: '{}', check: 0 })
  await expect(open()).rejects.toThrow(refusal('store/corrupt'))
  for (const key of ['corpus', 'corpus-copy']) await rawDelete('meta', key)
  await expect(open()).rejects.toThrow(refusal('store/corrupt'))
})

test('a removed or replaced document leaves no trace in any record, and the scan sees one that is there', async () => {
  const storage = await open()
  const secret = sampleDocument('secret-id', 'the hidden words '.repeat(8000), { label: 'hidden label' })
  await storage.commit({ put: [secret, a, sampleDocument('other', 'the older words')], remove: [] })
  await storage.putVectors([sampleRow(secret, 0), sampleRow(a, 0)])
  await storage.writeDerived('graph', new TextEncoder().encode('secret-id'))
  const before = await scan()
  for (const trace of ['secret-id', 'hidden words', 'hidden label', secret.hash, 'older words']) expect(before).toContain(trace)
  await storage.commit({ put: [sampleDocument('other', 'newer')], remove: ['secret-id'] })
  const after = await scan()
  for (const trace of ['secret-id', 'hidden words', 'hidden label', secret.hash, 'older words']) expect(after).not.toContain(trace)
  expect(after).toContain('Title a')
})

test('of two tabs one writes, the other follows and is told, and takes over when the first goes', async () => {
  const [first, second] = [await open(), await open()]
  const heard: number[] = []
  const stop = second.onForeignCommit((generation) => heard.push(generation))
  await first.commit({ put: [a], remove: [] })
  await vi.waitFor(() => { expect(heard).toEqual([1]) })
  expect([second.generation, await allDocuments(second)]).toEqual([1, [a]])
  await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(refusal('writer/not-leader'))
  await expect(second.putVectors([sampleRow(a, 0)])).rejects.toThrow(refusal('writer/not-leader'))
  await first.setEmbedder({ ...IDENTITY, revision: '2' })
  await first.close()
  expect(await second.commit({ put: [b], remove: [] })).toBe(2)
  expect([second.settings.embedder?.revision, await allDocuments(second)]).toEqual(['2', [a, b]])
  stop()
})

test('junk on the channel is ignored', async () => {
  const storage = await open()
  const heard = vi.fn()
  storage.onForeignCommit(heard)
  const channel = platform.channels!(`hubmesh:${corpus}`)
  for (const junk of [null, 'text', {}, { hubmesh: 2, kind: 'commit', generation: 1 }, { hubmesh: 1, kind: 'commit', generation: '1' }, { hubmesh: 1, kind: 'commit', generation: -1 }]) channel.postMessage(junk)
  await allDocuments(storage)
  expect(heard).not.toHaveBeenCalled()
})

test('a writer whose lock was stolen asks for it again, and is refused while the other holds it', async () => {
  const locks = fakeLocks()
  platform = { ...platform, locks }
  const first = await open()
  await first.commit({ put: [a], remove: [] })
  locks.steal(`hubmesh:${corpus}:writer`)
  const second = await open()
  await second.commit({ put: [b], remove: [] })
  await expect(first.commit({ put: [c], remove: [] })).rejects.toThrow(refusal('writer/not-leader'))
  await second.close()
  expect(await first.commit({ put: [c], remove: [] })).toBe(3)
  expect((await allDocuments(first)).map((d) => d.id)).toEqual(['a', 'b', 'c'])
})

test('without Web Locks the storage says so, and tabs that write in turns lose nothing', async () => {
  platform = { ...platform, locks: null }
  const [first, second] = [await open(), await open()]
  expect(first.warnings.join()).toMatch(/Web Locks/)
  await first.commit({ put: [a], remove: [] })
  await second.commit({ put: [b], remove: [] })
  await expect(first.commit({ put: [c], remove: [] })).rejects.toThrow(refusal('writer/lost'))
  await first.commit({ put: [c], remove: ['b'] })
  expect((await allDocuments(first)).map((d) => d.id)).toEqual(['a', 'c'])
  await expect(second.putVectors([sampleRow(a, 0)])).rejects.toThrow(refusal('writer/lost'))
  await second.putVectors([sampleRow(a, 0), sampleRow(b, 0)])
  expect(await allVectors(second)).toEqual(['a#0=1'])
})

test('a corpus of a newer format is refused and left as it is', async () => {
  const storage = await open({ settings: { ...SETTINGS, formatVersion: 99 } })
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  await expect(open()).rejects.toThrow(refusal('store/newer-schema'))
})

test('opening stops at an abort', async () => {
  await expect(open({ signal: AbortSignal.abort() })).rejects.toThrow(refusal('aborted'))
})
