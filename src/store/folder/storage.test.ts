import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { crc32Text } from '../../base/checksum.ts'
import { describeStorage } from '../describe_storage.ts'
import { openDirectoryStorage } from './storage.ts'
import { newKey } from '../testing/seal_harness.ts'
import {
  SETTINGS,
  allDocuments,
  allVectors,
  sampleDocument,
  sampleRow,
} from '../testing/storage_samples.ts'

let root = ''
let places = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubmesh-'))
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

describeStorage('a directory', () => {
  const corpus = `contract-${++places}`
  return {
    lasting: true,
    open: (settings) => openDirectoryStorage({ directory: root, corpus, settings }),
  }
})

describeStorage('an encrypted directory', () => {
  const corpus = `sealed-${++places}`,
    key = newKey()
  return {
    lasting: true,
    open: async (settings) =>
      openDirectoryStorage({ directory: root, corpus, settings, encryption: { key: await key } }),
  }
})

let count = 0
const fresh = (): string => `faults-${++count}`
const open = (corpus: string): ReturnType<typeof openDirectoryStorage> =>
  openDirectoryStorage({ directory: root, corpus, settings: SETTINGS })
const refusal = (code: string): unknown => expect.objectContaining({ code })
const files = async (corpus: string, end: string): Promise<string[]> =>
  (await readdir(join(root, corpus)))
    .filter((name) => name.endsWith(end))
    .map((name) => join(root, corpus, name))
const [a, b] = [sampleDocument('a'), sampleDocument('b')]

it(
  'a flipped byte in a file of documents costs at most the documents of that file, and ' +
    'never all silently',
  async () => {
    const corpus = fresh()
    const storage = await open(corpus)
    await storage.commit({ put: [a], remove: [] })
    await storage.commit({ put: [b], remove: [] })
    await storage.close()
    const [file] = await files(corpus, '.seg')
    const whole = await readFile(file!)
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged[at] = damaged[at]! ^ 16
      await writeFile(file!, damaged)
      const again = await open(corpus)
      expect((await allDocuments(again)).map((d) => d.id)).toEqual(['b'])
      expect(again.quarantined.length).toBe(1)
      await again.close()
    }
  },
)

it('a flipped byte in a file of vectors loses its rows, which the next writer clears away', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a, b], remove: [] })
  await storage.putVectors([sampleRow(a, 0)])
  await storage.putVectors([sampleRow(b, 0)])
  await storage.close()
  const [file] = await files(corpus, '.blk')
  const bytes = await readFile(file!)
  bytes[bytes.length - 3] = bytes[bytes.length - 3]! ^ 1
  await writeFile(file!, bytes)
  const again = await open(corpus)
  expect((await allVectors(again)).length).toBe(1)
  await again.putVectors([sampleRow(a, 0, 7), sampleRow(b, 0, 7)])
  expect(await allVectors(again)).toEqual(['a#0=7', 'b#0=7'])
  await again.close()
  expect(await files(corpus, '.blk')).not.toContain(file)
})

it('a damaged or missing CURRENT is store/corrupt, never an empty corpus', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  const current = join(root, corpus, 'CURRENT')
  const whole = await readFile(current)
  for (const bytes of [
    whole.subarray(0, whole.length - 1),
    Buffer.from(whole.toString().replace('"documents', '"dokuments')),
    Buffer.from(''),
  ]) {
    await writeFile(current, bytes)
    await expect(open(corpus)).rejects.toThrow(refusal('store/corrupt'))
  }
  await rm(current)
  await expect(open(corpus)).rejects.toThrow(refusal('store/corrupt'))
  await writeFile(current, whole)
  await rm((await files(corpus, '.seg'))[0]!)
  const again = await open(corpus)
  await expect(allDocuments(again)).rejects.toThrow(refusal('store/corrupt'))
  await again.close()
})

it('what a crash left before it became current is cleared away, and the state before it stands', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  await writeFile(join(root, corpus, 'documents-99.seg'), 'half a file')
  await writeFile(join(root, corpus, 'vectors-99.blk'), 'half a file')
  await writeFile(join(root, corpus, 'CURRENT.next'), 'half a file')
  const again = await open(corpus)
  expect(await allDocuments(again)).toEqual([a])
  await again.commit({ put: [b], remove: [] })
  await again.close()
  expect((await readdir(join(root, corpus))).sort()).toEqual([
    'CURRENT',
    'documents-1.seg',
    'documents-2.seg',
  ])
})

it('the lock of a live program is respected, that of a dead one is taken over', async () => {
  const corpus = fresh()
  const [first, second] = [await open(corpus), await open(corpus)]
  await first.commit({ put: [a], remove: [] })
  await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(
    refusal('writer/not-leader'),
  )
  expect(await allDocuments(second)).toEqual([a])
  await first.close()
  const lock = join(root, corpus, 'LOCK')
  await writeFile(lock, String(process.ppid))
  await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(
    refusal('writer/not-leader'),
  )
  for (const dead of ['4194303', 'rubbish', '', String(process.pid)]) {
    await writeFile(lock, dead)
    const next = await open(corpus)
    await next.commit({ put: [sampleDocument(`after ${dead}`)], remove: [] })
    await next.close()
  }
  expect((await allDocuments(second)).length).toBe(5)
  await second.close()
})

it('a writer whose lock file was deleted is refused once another has written', async () => {
  const corpus = fresh()
  const first = await open(corpus)
  await first.commit({ put: [a], remove: [] })
  const current = join(root, corpus, 'CURRENT')
  const outer = JSON.parse(await readFile(current, 'utf8')) as { json: string }
  const json = outer.json.replace('"writerEpoch":1', '"writerEpoch":2')
  await writeFile(current, JSON.stringify({ json, check: crc32Text(json) }))
  await expect(first.commit({ put: [b], remove: [] })).rejects.toThrow(refusal('writer/lost'))
  expect(await first.commit({ put: [b], remove: [] })).toBe(2)
  await first.close()
})

it('a program that follows is told of commits and reads them', async () => {
  const corpus = fresh()
  const writer = await open(corpus)
  await writer.commit({ put: [a], remove: [] })
  const follower = await open(corpus)
  const heard: number[] = []
  follower.onForeignCommit((generation) => heard.push(generation))
  await writer.commit({ put: [b], remove: [] })
  await vi.waitFor(() => {
    expect(heard).toEqual([2])
  }, 5000)
  expect(await allDocuments(follower)).toEqual([a, b])
  await follower.close()
  await writer.close()
})

it('a removed or replaced document leaves no trace in any file', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({
    put: [
      sampleDocument('secret-id', 'the hidden words'),
      a,
      sampleDocument('other', 'older words'),
    ],
    remove: [],
  })
  await storage.putVectors([
    sampleRow(sampleDocument('secret-id', 'the hidden words'), 0),
    sampleRow(a, 0),
  ])
  await storage.writeDerived('graph', new TextEncoder().encode('secret-id'))
  const scan = async (): Promise<string> =>
    (
      await Promise.all(
        (await readdir(join(root, corpus))).map((name) =>
          readFile(join(root, corpus, name), 'latin1'),
        ),
      )
    ).join('\n')
  for (const trace of ['secret-id', 'hidden words', 'older words', 'Title a'])
    expect(await scan()).toContain(trace)
  await storage.commit({ put: [sampleDocument('other', 'newer')], remove: ['secret-id'] })
  for (const trace of ['secret-id', 'hidden words', 'older words'])
    expect(await scan()).not.toContain(trace)
  expect(await scan()).toContain('Title a')
  await storage.close()
})

it('hundreds of small commits leave few files', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  for (let i = 0; i < 120; i++)
    await storage.commit({
      put: [sampleDocument(`d${i}`)],
      remove: i % 5 === 4 ? [`d${i - 3}`] : [],
    })
  expect((await files(corpus, '.seg')).length).toBeLessThan(16)
  expect((await allDocuments(storage)).length).toBe(96)
  await storage.close()
}, 120_000)

it('a folder that cannot be is store/unavailable, and one deleted while open is store/evicted', async () => {
  await writeFile(join(root, 'a-file'), '')
  await expect(
    openDirectoryStorage({ directory: join(root, 'a-file'), corpus: 'x', settings: SETTINGS }),
  ).rejects.toThrow(refusal('store/unavailable'))
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  const again = await open(corpus)
  await rm(join(root, corpus), { recursive: true })
  await expect(allDocuments(again)).rejects.toThrow(refusal('store/evicted'))
  await expect(again.commit({ put: [b], remove: [] })).rejects.toThrow(refusal('store/evicted'))
  await again.close()
})

it('a full disk is told with the bytes needed and free', async () => {
  const { fileError, writeDurably } = await import('./files.ts')
  expect(
    fileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), '/x', 10, 3),
  ).toMatchObject({ code: 'store/quota', details: { neededBytes: 10, availableBytes: 3 } })
  // The one file of Linux that is always full.
  if (process.platform === 'linux')
    await expect(writeDurably('/dev/full', new Uint8Array(5000))).rejects.toThrow(
      expect.objectContaining({
        code: 'store/quota',
        details: expect.objectContaining({
          neededBytes: 5000,
          availableBytes: expect.any(Number) as unknown,
        }) as unknown,
      }),
    )
})
