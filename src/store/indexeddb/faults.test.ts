import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
import { createFaultPlan, type FaultPlan } from './fault_hook.ts'
import {
  a,
  b,
  c,
  freshCorpus,
  open,
  raw,
  rawKeys,
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
    const changed = sampleDocument('a', 'x'.repeat(LIMITS.storePartChars * 2 + 5))
    for (const kind of ['throw', 'abort', 'unknown', 'closing'] as const) {
      for (let after = 0; after < 5; after++) {
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
        expect((await allDocuments(storage)).map(({ id, text }) => [id, text])).toEqual(
          [...model.values()]
            .sort((x, y) => (x.id < y.id ? -1 : 1))
            .map(({ id, text }) => [id, text]),
        )
        expect(await checkStorageInvariants(storage, { acknowledged: model.keys() })).toEqual([])
        expect(storage.quarantined).toEqual([])
      }
      await storage.close()
    }),
    { numRuns: 25 },
  )
}, 120_000)

it('a commit larger than a transaction goes in several, each of whole documents', async () => {
  const storage = await open()
  const big = ['k', 'l', 'm', 'n'].map((id) => sampleDocument(id, id.repeat(5 * 1024 * 1024)))
  stage.faults.failNext('finish', 'abort', 3) // after becoming the writer and two batches
  await expect(storage.commit({ put: big, remove: [] })).rejects.toThrow(refusal('store/closed'))
  expect((await allDocuments(storage)).map((d) => d.id)).toEqual(['k', 'l'])
  await storage.commit({ put: big, remove: [] })
  expect((await allDocuments(storage)).map((d) => [d.id, d.text.length])).toEqual(
    big.map((d) => [d.id, d.text.length]),
  )
  expect(storage.generation).toBe(6)
})

it(
  'a commit that must be whole is the state before or the new one, whichever of its ' +
    'transactions fails',
  async () => {
    const first = await open()
    await first.commit({ put: [a, b], remove: [] })
    // beyond what one plain transaction takes, so that the texts lie in parts ahead of the switch;
    // short ones among them
    const put = [
      sampleDocument('a', 'another text'),
      ...['k', 'l', 'm', 'n'].map((id) => sampleDocument(id, id.repeat(9 * 1024 * 1024))),
    ]
    const replace = (): Promise<number> => first.commit({ put, remove: ['b'], whole: true })
    let failed = 0
    for (let after = 0; after < 30; after++) {
      stage.faults.failNext('finish', 'abort', after)
      const done = await replace().catch(() => null)
      const found = (await allDocuments(first)).map(({ id, text }) => [id, text.length])
      if (done !== null) {
        expect([done, found]).toEqual([2, put.map(({ id, text }) => [id, text.length])])
        break
      }
      failed++
      expect(found).toEqual([a, b].map(({ id, text }) => [id, text.length]))
      expect(first.generation).toBe(1)
    }
    // five transactions of parts at least, and the switch
    expect(failed).toBeGreaterThan(5)
    stage.faults.strike = () => undefined
    await first.close()
    const second = await open()
    expect((await allDocuments(second)).map(({ id }) => id)).toEqual(put.map(({ id }) => id))
    await second.commit({ put: [], remove: put.map(({ id }) => id), whole: true })
    expect(await rawKeys('parts')).toEqual([])
    expect(await raw((database) => database.getAllKeys('meta'))).toEqual(['corpus', 'corpus-copy'])
  },
  240_000,
)

it(
  'a document larger than a transaction is written in parts, seen only whole, and its ' +
    'leftovers are swept',
  async () => {
    const before = sampleDocument('huge', 'the version before')
    const huge = sampleDocument('huge', 'Zürich '.repeat(1_500_000))
    const first = await open()
    await first.commit({ put: [before], remove: [] })
    const puts = Math.ceil(huge.text.length / LIMITS.storePartChars)
    for (const after of [0, 100, puts + 1]) {
      stage.faults.failNext('put', 'abort', after)
      await expect(first.commit({ put: [huge], remove: [] })).rejects.toThrow(
        refusal('store/closed'),
      )
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
  },
  120_000,
)

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
