import { expect, it } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
import {
  a,
  b,
  c,
  open,
  rawDelete,
  rawGet,
  rawKeys,
  rawPut,
  refusal,
  scan,
  setUp,
  stage,
} from '../testing/indexeddb_harness.ts'
import { allDocuments, allVectors, sampleDocument, sampleRow } from '../testing/storage_samples.ts'

setUp()

it('a database that was dropped between two visits is reported, not taken for a first visit', async () => {
  const first = await open()
  await first.commit({ put: [a, b], remove: [] })
  await first.close()
  indexedDB.deleteDatabase(`hubmesh:${stage.corpus}`)
  await expect(open()).rejects.toThrow(
    expect.objectContaining({
      code: 'store/evicted',
      details: expect.objectContaining({ documents: 2 }) as unknown,
    }),
  )
  await expect(open()).rejects.toThrow(refusal('store/evicted'))
  const again = await open({ acceptLoss: true })
  await again.commit({ put: [c], remove: [] })
  await again.close()
  expect(await allDocuments(await open())).toEqual([c])
})

it('a corpus that was emptied or destroyed on purpose is a first visit', async () => {
  const first = await open()
  await first.commit({ put: [a], remove: [] })
  await first.commit({ put: [], remove: ['a'] })
  await first.close()
  indexedDB.deleteDatabase(`hubmesh:${stage.corpus}`)
  const second = await open()
  await second.commit({ put: [a], remove: [] })
  await second.destroy()
  expect(await allDocuments(await open())).toEqual([])
})

it('data deleted under an open storage are reported by reading and by writing', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  await new Promise((resolve) => {
    indexedDB.deleteDatabase(`hubmesh:${stage.corpus}`).onsuccess = resolve
  })
  await expect(allDocuments(storage)).rejects.toThrow(refusal('store/evicted'))
  await expect(storage.commit({ put: [b], remove: [] })).rejects.toThrow(refusal('store/evicted'))
  await expect(storage.putVectors([sampleRow(a, 0)])).rejects.toThrow(refusal('store/evicted'))
})

const [HEAD, BODY] = [0, 1] as const
/** The keys of the segments of a kind: [name, part]. */
const keysOf = async (kind: string): Promise<[string, number][]> =>
  ((await rawKeys('segments')) as [string, number][]).filter(([name]) => name.startsWith(kind))
const rawBytes = async (key: IDBValidKey): Promise<Uint8Array> =>
  new Uint8Array(((await rawGet('segments', key)) as unknown as ArrayBuffer).slice(0))

it('segments of any wrong shape are quarantined, the others are served, and a new put heals', async () => {
  const storage = await open()
  for (const document of [a, b, c]) await storage.commit({ put: [document], remove: [] })
  const [head] = await keysOf('d-'),
    body: IDBValidKey = [head![0], BODY],
    good = [await rawBytes(head!), await rawBytes(body)]
  await storage.close()
  for (const [key, wrong] of [head!, body].flatMap((key) =>
    [{}, 'text', [], 7, new ArrayBuffer(0), new ArrayBuffer(9), undefined].map(
      (value) => [key, value] as const,
    ),
  )) {
    await (wrong === undefined ? rawDelete('segments', key) : rawPut('segments', key, wrong))
    const again = await open()
    expect((await allDocuments(again)).length).toBe(2)
    expect(again.quarantined.length).toBe(1)
    await again.close()
    await rawPut('segments', head!, good[0]!.buffer)
    await rawPut('segments', body, good[1]!.buffer)
  }
  const bytes = good[1]!.slice()
  bytes[bytes.length - 3]! ^= 4
  await rawPut('segments', body, bytes.buffer)
  const healed = await open()
  const left = (await allDocuments(healed)).map(({ id }) => id),
    lost = [a, b, c].find(({ id }) => !left.includes(id))!
  expect(healed.quarantined.map(({ id }) => id)).toEqual([lost.id])
  for (const { reason } of healed.quarantined) expect(reason).not.toContain('Second')
  await healed.commit({ put: [lost], remove: [] })
  expect(await allDocuments(healed)).toEqual([a, b, c])
  expect(healed.quarantined).toEqual([])
})

it('a value that the browser cannot read back costs that segment only', async () => {
  const storage = await open()
  for (const document of [a, b, c]) await storage.commit({ put: [document], remove: [] })
  // the manifest, then one of three
  stage.faults.failNext('read', 'unknown', 2)
  expect((await allDocuments(storage)).length).toBe(2)
  expect(storage.quarantined.length).toBe(1)
})

it('segments that vanished from the database are named', async () => {
  const storage = await open()
  for (const document of [a, b, c]) await storage.commit({ put: [document], remove: [] })
  const [key] = await keysOf('d-')
  for (const part of [HEAD, BODY]) await rawDelete('segments', [key![0], part])
  expect((await allDocuments(storage)).length).toBe(2)
  expect(storage.quarantined).toEqual([{ id: key![0], reason: expect.any(String) as string }])
})

it(
  'a flipped byte anywhere in a segment of vectors is found, its rows are missing, and the ' +
    'next write clears it away',
  async () => {
    const storage = await open()
    await storage.commit({ put: [a, b], remove: [] })
    await storage.putVectors([sampleRow(a, 0)])
    const keys = await keysOf('v-')
    await storage.putVectors([sampleRow(b, 0)])
    for (const key of keys) {
      const whole = await rawBytes(key)
      for (let at = 0; at < whole.byteLength; at += 7) {
        const bytes = whole.slice()
        bytes[at]! ^= 4
        await rawPut('segments', key, bytes.buffer)
        expect(await allVectors(storage)).toEqual(['b#0=1'])
      }
    }
    expect(storage.quarantined.map((record) => record.id)).toEqual([keys[0]![0]])
    await storage.close()
    const again = await open()
    await again.putVectors([sampleRow(a, 0, 5)])
    expect(await allVectors(again)).toEqual(['a#0=5', 'b#0=1'])
    expect((await keysOf('v-')).map(([name]) => name)).not.toContain(keys[0]![0])
  },
)

it('a snapshot with a flipped byte, a missing part or no head is not given', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  const bytes = new Uint8Array(LIMITS.storePartBytes + 10).fill(3)
  await storage.writeDerived('graph', bytes)
  expect((await storage.readDerived('graph'))?.length).toBe(bytes.length)
  const [[name]] = (await keysOf('x-')) as [[string, number]]
  const last = await rawBytes([name, 2])
  last[4] = 9
  await rawPut('segments', [name, 2], last.buffer)
  expect(await storage.readDerived('graph')).toBeNull()
  await rawDelete('segments', [name, 2])
  expect(await storage.readDerived('graph')).toBeNull()
  await rawPut('segments', [name, HEAD], 'rubbish')
  expect(await storage.readDerived('graph')).toBeNull()
  expect(storage.quarantined).toEqual([])
})

it(
  'a manifest that is damaged twice, or gone beside documents, is store/corrupt and ' +
    'never an empty corpus',
  async () => {
    const storage = await open()
    await storage.commit({ put: [a], remove: [] })
    await storage.close()
    for (const key of ['manifest', 'manifest-copy'])
      await rawPut('meta', key, '{"json":"{}","check":0}')
    await expect(open()).rejects.toThrow(refusal('store/corrupt'))
    for (const key of ['manifest', 'manifest-copy']) await rawDelete('meta', key)
    await expect(open()).rejects.toThrow(refusal('store/corrupt'))
  },
)

it('a removed or replaced document leaves no trace in any record, and the scan sees one that is there', async () => {
  const storage = await open()
  const secret = sampleDocument('secret-id', 'the hidden words '.repeat(8000), {
    label: 'hidden label',
  })
  await storage.commit({ put: [secret, a, sampleDocument('other', 'the older words')], remove: [] })
  await storage.putVectors([sampleRow(secret, 0), sampleRow(a, 0)])
  await storage.writeDerived('graph', new TextEncoder().encode('secret-id'))
  const before = await scan()
  for (const trace of ['secret-id', 'hidden words', 'hidden label', secret.hash, 'older words'])
    expect(before).toContain(trace)
  await storage.commit({ put: [sampleDocument('other', 'newer')], remove: ['secret-id'] })
  const after = await scan()
  for (const trace of ['secret-id', 'hidden words', 'hidden label', secret.hash, 'older words'])
    expect(after).not.toContain(trace)
  expect(after).toContain('Title a')
})
