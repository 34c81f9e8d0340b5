import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { createFaultPlan, type FaultPlan } from './fault_hook.ts'
import {
  a,
  b,
  c,
  freshCorpus,
  open,
  raw,
  rawKeys,
  rawPut,
  refusal,
  setUp,
  stage,
} from '../testing/indexeddb_harness.ts'
import type { StoredDocument } from '../storage.ts'
import {
  SETTINGS,
  allDocuments,
  allVectors,
  sampleDocument,
  sampleRow,
} from '../testing/storage_samples.ts'
import { checkStorageInvariants } from '../testing/storage_invariants.ts'

setUp()

it(
  'a commit that fails at any of its puts leaves the state before it, and the same call ' +
    'again succeeds',
  async () => {
    const storage = await open()
    await storage.commit({ put: [a, b], remove: [] })
    await storage.putVectors([sampleRow(a, 0), sampleRow(b, 0)])
    const changed = sampleDocument('a', 'x'.repeat(200_005))
    for (const kind of ['throw', 'abort', 'unknown', 'closing'] as const) {
      for (let after = 0; after < 4; after++) {
        stage.faults.failNext('put', kind, after)
        await expect(storage.commit({ put: [changed, c], remove: ['b'] })).rejects.toThrow()
        expect(await allDocuments(storage)).toEqual([a, b])
        expect(await allVectors(storage)).toEqual(['a#0=1', 'b#0=1'])
        expect(storage.generation).toBe(1)
      }
    }
    expect(await storage.commit({ put: [changed, c], remove: ['b'] })).toBe(2)
    expect(await allDocuments(storage)).toEqual([changed, c])
    expect(await allVectors(storage)).toEqual([])
  },
)

it('random commits under random faults keep every acknowledged document, whole, and no other', async () => {
  const ids = ['a', 'b', 'c', 'd', '__proto__']
  const step = fc.record({
    put: fc.array(fc.tuple(fc.constantFrom(...ids), fc.nat(3)), { maxLength: 3 }),
    remove: fc.array(fc.constantFrom(...ids), { maxLength: 2 }),
    vectors: fc.boolean(),
    reopen: fc.boolean(),
    fault: fc.option(
      fc.tuple(
        fc.constantFrom('put', 'finish', 'begin'),
        fc.constantFrom('abort', 'quota', 'closing', 'throw', 'unknown'),
        fc.nat(4),
      ),
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      freshCorpus()
      let storage = await open()
      let model = new Map<string, StoredDocument>()
      for (const { put, remove, vectors, reopen, fault } of steps) {
        const plan = createFaultPlan()
        if (fault !== null) plan.failNext(...(fault as Parameters<FaultPlan['failNext']>))
        stage.faults.strike = (stage) => plan.strike(stage)
        const documents = put.map(([id, version]) =>
          sampleDocument(id, `version ${version} of ${id} `.repeat(1 + version * 3000)),
        )
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
        stage.faults.strike = () => undefined
        if (reopen) {
          await storage.close()
          storage = await open()
        }
        expect((await allDocuments(storage)).map(({ id, hash }) => [id, hash])).toEqual(
          [...model.values()]
            .sort((x, y) => (x.id < y.id ? -1 : 1))
            .map(({ id, hash }) => [id, hash]),
        )
        expect(await checkStorageInvariants(storage, { acknowledged: model.keys() })).toEqual([])
        expect(storage.quarantined).toEqual([])
      }
      await storage.close()
    }),
    { numRuns: 25 },
  )
}, 120_000)

it(
  'a commit is the state before or the new one, whichever of its transactions fails, and its ' +
    'leftovers are cleared before anything else is written',
  async () => {
    const first = await open()
    await first.commit({ put: [a, b], remove: [] })
    // more than is written ahead at a time; short ones among them
    const put = [
      sampleDocument('a', 'another text'),
      ...['k', 'l', 'm', 'n'].map((id) => sampleDocument(id, id.repeat(9 * 1024 * 1024))),
    ]
    const orphans = async (): Promise<number> => {
      const names = new Set((await rawKeys('segments')).map((key) => String([key].flat()[0])))
      return names.size
    }
    let failed = 0
    for (let after = 0; after < 30; after++) {
      stage.faults.failNext('finish', 'abort', after)
      const done = await first.commit({ put, remove: ['b'] }).catch(() => null)
      const found = (await allDocuments(first)).map(({ id, text }) => [id, text.length])
      if (done !== null) {
        expect([done, found]).toEqual([2, put.map(({ id, text }) => [id, text.length])])
        break
      }
      failed++
      expect(found).toEqual([a, b].map(({ id, text }) => [id, text.length]))
      expect([first.generation, await orphans()]).toEqual([1, 1])
    }
    expect(failed).toBeGreaterThan(3)
    stage.faults.strike = () => undefined
    await first.close()
    await rawPut('segments', ['d-000000000000000000000000', 0], new ArrayBuffer(3))
    const second = await open()
    expect((await allDocuments(second)).map(({ id }) => id)).toEqual(put.map(({ id }) => id))
    await second.commit({ put: [], remove: put.map(({ id }) => id) })
    expect(await rawKeys('segments')).toEqual([])
    expect(await raw((database) => database.getAllKeys('meta'))).toEqual([
      'manifest',
      'manifest-copy',
      'reserve',
    ])
  },
  240_000,
)

it('a commit that is cancelled keeps nothing', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  const abort = new AbortController()
  const adding = storage.commit({
    put: ['k', 'l', 'm'].map((id) => sampleDocument(id, id.repeat(9 * 1024 * 1024))),
    remove: [],
    signal: abort.signal,
  })
  setTimeout(() => {
    abort.abort()
  }, 0)
  await expect(adding).rejects.toThrow(refusal('aborted'))
  expect([storage.generation, await allDocuments(storage)]).toEqual([1, [a]])
  expect(new Set((await rawKeys('segments')).map((key) => String([key].flat()[0]))).size).toBe(1)
})

it('removing works without room: the reserve is given back, and segments go one by one', async () => {
  const storage = await open()
  const documents = Array.from({ length: 30 }, (_, i) =>
    sampleDocument(`d${String(i).padStart(2, '0')}`, `${i} `.repeat(160_000)),
  )
  await storage.commit({ put: documents, remove: [] })
  const ids = documents.slice(0, 20).map(({ id }) => id)
  // no room for all at once, not even with the reserve
  stage.faults.failNext('put', 'quota')
  stage.faults.failNext('put', 'quota')
  expect(await storage.commit({ put: [], remove: ids })).toBeGreaterThan(3)
  expect((await allDocuments(storage)).length).toBe(10)
  expect(storage.quarantined).toEqual([])
  // given back for the removal, taken again after it
  stage.faults.failNext('put', 'quota')
  stage.faults.failNext('put', 'quota', 4)
  stage.faults.failNext('put', 'quota', 4)
  await storage.commit({ put: [], remove: ['d25'] })
  expect(await raw((database) => database.getAllKeys('meta'))).not.toContain('reserve')
  await storage.commit({ put: [], remove: ['d26'] })
  expect(await raw((database) => database.getAllKeys('meta'))).toContain('reserve')
})

it(
  'without room derived data are shed and the write is tried once more; then it is ' +
    'store/quota with the numbers, and nothing is lost',
  async () => {
    vi.stubGlobal('navigator', {
      storage: {
        estimate: () => Promise.resolve({ quota: 1000, usage: 900 }),
        persisted: () => Promise.resolve(true),
      },
    })
    const storage = await open()
    await storage.commit({ put: [a], remove: [] })
    await storage.writeDerived('graph', new Uint8Array(100))
    stage.faults.failNext('put', 'quota')
    await storage.putVectors([sampleRow(a, 0)])
    expect(await storage.readDerived('graph')).toBeNull()
    stage.faults.failNext('put', 'quota')
    await expect(storage.commit({ put: [b], remove: [] })).rejects.toThrow(
      expect.objectContaining({
        code: 'store/quota',
        details: { neededBytes: expect.any(Number) as unknown, availableBytes: 100 },
      }),
    )
    expect(await allDocuments(storage)).toEqual([a])
    stage.faults.failNext('put', 'quota')
    await expect(storage.writeDerived('graph', new Uint8Array(100))).rejects.toThrow(
      refusal('store/quota'),
    )
    expect(await storage.commit({ put: [b], remove: [] })).toBe(2)
    expect(await storage.usage()).toEqual({ persisted: true, usageBytes: 900, quotaBytes: 1000 })
  },
)

it('missing or failing estimates are reported as unknown', async () => {
  const storage = await open()
  vi.stubGlobal('navigator', { storage: { estimate: () => Promise.reject(new Error('no')) } })
  expect(await storage.usage()).toEqual({ persisted: null, usageBytes: null, quotaBytes: null })
  vi.stubGlobal('navigator', {})
  expect(await storage.usage()).toEqual({ persisted: null, usageBytes: null, quotaBytes: null })
})

it('a corpus of a newer format is refused and left as it is', async () => {
  const storage = await open({ settings: { ...SETTINGS, formatVersion: 99 } })
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  await expect(open()).rejects.toThrow(refusal('store/newer-schema'))
})

it('opening stops at an abort', async () => {
  await expect(open({ signal: AbortSignal.abort() })).rejects.toThrow(refusal('aborted'))
})
