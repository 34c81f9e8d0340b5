import { expect, test, vi } from 'vitest'
import { a, b, c, open, refusal, setUp, stage } from './indexeddb_harness.ts'
import { IDENTITY, allDocuments, allVectors, sampleRow } from './storage_contract.ts'
import { fakeLocks } from './test_platform.ts'

setUp()

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
  const channel = stage.platform.channels!(`hubmesh:${stage.corpus}`)
  for (const junk of [null, 'text', {}, { hubmesh: 2, kind: 'commit', generation: 1 }, { hubmesh: 1, kind: 'commit', generation: '1' }, { hubmesh: 1, kind: 'commit', generation: -1 }]) channel.postMessage(junk)
  await allDocuments(storage)
  expect(heard).not.toHaveBeenCalled()
})

test('a writer whose lock was stolen asks for it again, and is refused while the other holds it', async () => {
  const locks = fakeLocks()
  stage.platform = { ...stage.platform, locks }
  const first = await open()
  await first.commit({ put: [a], remove: [] })
  locks.steal(`hubmesh:${stage.corpus}:writer`)
  const second = await open()
  await second.commit({ put: [b], remove: [] })
  await expect(first.commit({ put: [c], remove: [] })).rejects.toThrow(refusal('writer/not-leader'))
  await second.close()
  expect(await first.commit({ put: [c], remove: [] })).toBe(3)
  expect((await allDocuments(first)).map((d) => d.id)).toEqual(['a', 'b', 'c'])
})

test('without Web Locks the storage says so, and tabs that write in turns lose nothing', async () => {
  stage.platform = { ...stage.platform, locks: null }
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
