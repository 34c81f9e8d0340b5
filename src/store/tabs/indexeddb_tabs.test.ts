import { expect, it, vi } from 'vitest'
import { a, b, c, open, refusal, setUp, stage } from '../testing/indexeddb_harness.ts'
import { IDENTITY, allDocuments, allVectors, sampleRow } from '../testing/storage_samples.ts'
import { fakeLocks } from '../testing/test_platform.ts'

setUp()

it('of two tabs one writes, the other follows and is told, and takes over when the first goes', async () => {
  const [first, second] = [await open(), await open()]
  const heard: number[] = []
  const stop = second.onForeignCommit((generation) => heard.push(generation))
  await first.commit({ put: [a], remove: [] })
  await vi.waitFor(() => {
    expect(heard).toEqual([1])
  })
  expect([second.generation, await allDocuments(second)]).toEqual([1, [a]])
  await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(
    refusal('writer/not-leader'),
  )
  await expect(second.putVectors([sampleRow(a, 0)])).rejects.toThrow(refusal('writer/not-leader'))
  await first.setEmbedder({ ...IDENTITY, revision: '2' })
  await first.close()
  expect(await second.commit({ put: [b], remove: [] })).toBe(2)
  expect([second.settings.embedder?.revision, await allDocuments(second)]).toEqual(['2', [a, b]])
  stop()
})

it('junk on the channel is ignored', async () => {
  const storage = await open()
  const heard = vi.fn()
  storage.onForeignCommit(heard)
  const channel = stage.platform.channels!(`hubmesh:${stage.corpus}`)
  for (const junk of [
    null,
    'text',
    {},
    { hubmesh: 2, kind: 'commit', generation: 1 },
    { hubmesh: 1, kind: 'commit', generation: '1' },
    { hubmesh: 1, kind: 'commit', generation: -1 },
  ])
    channel.postMessage(junk)
  await allDocuments(storage)
  expect(heard).not.toHaveBeenCalled()
})

it('a writer whose lock was stolen asks for it again, and is refused while the other holds it', async () => {
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

it('without Web Locks the storage says so, and tabs that write in turns lose nothing', async () => {
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

it('a tab that stands in line leads as soon as the writer closes, and hears that it waits', async () => {
  const [first, second] = [await open(), await open()]
  await first.commit({ put: [a], remove: [] })
  const waits = vi.fn()
  const leading = second.lead!(waits)
  await vi.waitFor(() => {
    expect(waits).toHaveBeenCalledOnce()
  })
  await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(
    refusal('writer/not-leader'),
  )
  await first.close()
  await leading
  expect(await second.commit({ put: [b], remove: [] })).toBe(2)
  await second.lead!(waits)
  expect(waits).toHaveBeenCalledOnce()
})

it('a storage that is closed while it stands in line says so', async () => {
  const [first, second] = [await open(), await open()]
  await first.commit({ put: [a], remove: [] })
  const leading = second.lead!(() => {
    void second.close()
  })
  await expect(leading).rejects.toThrow(refusal('store/closed'))
  expect(await first.commit({ put: [b], remove: [] })).toBe(2)
})

it(
  'a writer that answers keeps the lock; one that does not loses it, and is refused when it ' +
    'comes back',
  async () => {
    const channels = stage.platform.channels!
    let frozen = false
    // A frozen tab hears nothing and says nothing.
    const deaf: typeof channels = (name) => {
      const channel = channels(name)
      return {
        postMessage: (data: unknown) => {
          channel.postMessage(data)
        },
        close: () => {
          channel.close()
        },
        set onmessage(listener: BroadcastChannel['onmessage']) {
          channel.onmessage = (event) => {
            if (!frozen) listener?.call(channel, event)
          }
        },
      } as unknown as BroadcastChannel
    }
    const first = await open({ channels: deaf })
    const second = await open({ writerPingMs: 5 })
    await first.commit({ put: [a], remove: [] })
    for (let i = 0; i < 5; i++)
      await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(
        refusal('writer/not-leader'),
      )
    frozen = true
    await vi.waitFor(
      async () => {
        expect(await second.commit({ put: [b], remove: [] })).toBe(2)
      },
      { timeout: 5000 },
    )
    frozen = false
    await expect(first.commit({ put: [c], remove: [] })).rejects.toThrow(
      refusal('writer/not-leader'),
    )
    expect((await allDocuments(first)).map((d) => d.id)).toEqual(['a', 'b'])
    await second.close()
    expect(await first.commit({ put: [c], remove: [] })).toBe(3)
  },
)

it('the other tab is told of vectors, and reads only those it has not read', async () => {
  const [first, second] = [await open(), await open()]
  const heard: string[] = []
  second.onForeignCommit((_generation, what) => heard.push(what))
  const unseen = async (): Promise<string[]> => {
    const rows: string[] = []
    for await (const batch of second.vectors({ unseen: true }))
      rows.push(...batch.map(({ documentId, passage }) => `${documentId}#${String(passage)}`))
    return rows
  }
  await first.commit({ put: [a, b, c], remove: [] })
  await first.putVectors([sampleRow(a, 0)])
  await vi.waitFor(() => {
    expect(heard).toEqual(['documents', 'vectors'])
  })
  expect(await unseen()).toEqual(['a#0'])
  expect(await unseen()).toEqual([])
  await first.putVectors([sampleRow(b, 0)])
  expect(await unseen()).toEqual(['b#0'])
  await first.commit({ put: [], remove: ['b'] })
  await first.close()
  const third = await open()
  await third.putVectors([sampleRow(c, 0)])
  expect(await unseen()).toEqual(['c#0'])
  expect(await allVectors(second)).toEqual(['a#0=1', 'c#0=1'])
})
