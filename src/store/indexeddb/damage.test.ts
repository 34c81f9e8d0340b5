import { expect, it } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
import {
  a,
  b,
  c,
  open,
  raw,
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

it('records of any wrong shape are quarantined by id, the others are served, and a new put heals', async () => {
  const documents = Array.from({ length: 40 }, (_, i) =>
    sampleDocument(
      `d${String(i).padStart(2, '0')}`,
      i === 8 ? 'y'.repeat(LIMITS.storePartChars * 3) : `text ${i}`,
    ),
  )
  const storage = await open()
  await storage.commit({ put: documents, remove: [] })
  const good = await rawGet('documents', 'd00')
  const wrong: unknown[] = [
    {},
    'text',
    [],
    null,
    7,
    { ...good, id: 'd99' },
    { ...good, id: 'd06', title: 5 },
    { ...good, id: 'd07', check: -1 },
  ]
  for (const [i, value] of wrong.entries()) await rawPut('documents', `d0${i}`, value)
  await rawDelete('parts', (await rawKeys('parts'))[1]!)
  await rawPut('documents', 'd09', { ...(await rawGet('documents', 'd09')), text: 'tExt 9' })
  await rawPut('documents', 'd10', { ...(await rawGet('documents', 'd10')), metadata: '{"a":' })
  await rawPut('documents', 'd11', {
    ...(await rawGet('documents', 'd11')),
    passages: [0, 2, 2, 7],
  })
  await rawPut('documents', 5, good)
  await rawPut('documents', ['not', 'a', 'string'], good)
  expect((await allDocuments(storage)).map((d) => d.id)).toEqual(
    documents.slice(12).map((d) => d.id),
  )
  expect(storage.quarantined.map((record) => record.id).sort()).toEqual([
    '',
    ...documents.slice(0, 12).map((d) => d.id),
  ])
  for (const { reason } of storage.quarantined) expect(reason).not.toMatch(/tExt|yyy/)
  await storage.commit({ put: documents.slice(0, 11), remove: ['d11'] })
  expect((await allDocuments(storage)).length).toBe(39)
  expect(storage.quarantined.map((record) => record.id)).toEqual([''])
})

it('a value that the browser cannot read back costs that document only', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b, c], remove: [] })
  // the page, behind the keys; then the second of its three
  stage.faults.failNext('read', 'unknown', 1)
  stage.faults.failNext('read', 'unknown', 2)
  expect(await allDocuments(storage)).toEqual([a, c])
  expect(storage.quarantined.map((record) => record.id)).toEqual(['b'])
})

it('documents that vanished from the database are counted in a warning', async () => {
  const storage = await open()
  await storage.commit({ put: [a, b, c], remove: [] })
  await rawDelete('documents', 'b')
  expect(await allDocuments(storage)).toEqual([a, c])
  expect(storage.warnings.join()).toMatch(/^1 documents/)
})

it(
  'a flipped byte anywhere in a block of vectors is found, its rows are missing, and the ' +
    'next write clears it away',
  async () => {
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
  },
)

it('the directory of blocks is rebuilt from the blocks where it is missing or damaged', async () => {
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

it('a snapshot with a flipped byte, a missing part or no head is not given', async () => {
  const storage = await open()
  await storage.commit({ put: [a], remove: [] })
  const bytes = new Uint8Array(LIMITS.vectorBlockBytes + 10).fill(3)
  await storage.writeDerived('graph', bytes)
  expect((await storage.readDerived('graph'))?.length).toBe(bytes.length)
  const last = (
    await raw(async (database) => (await database.get('derived', ['graph', 1])) as ArrayBuffer)
  ).slice(0)
  new Uint8Array(last)[4] = 9
  await rawPut('derived', ['graph', 1], last)
  expect(await storage.readDerived('graph')).toBeNull()
  await rawDelete('derived', ['graph', 1])
  expect(await storage.readDerived('graph')).toBeNull()
  await rawPut('derived', ['graph'], 'rubbish')
  expect(await storage.readDerived('graph')).toBeNull()
})

it(
  'a corpus record that is damaged twice, or gone beside documents, is store/corrupt and ' +
    'never an empty corpus',
  async () => {
    const storage = await open()
    await storage.commit({ put: [a], remove: [] })
    await storage.close()
    for (const key of ['corpus', 'corpus-copy']) await rawPut('meta', key, { json: '{}', check: 0 })
    await expect(open()).rejects.toThrow(refusal('store/corrupt'))
    for (const key of ['corpus', 'corpus-copy']) await rawDelete('meta', key)
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
