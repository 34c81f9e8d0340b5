import { mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
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
    const [file] = await files(corpus, '.seg')
    await storage.commit({ put: [b], remove: [] })
    await storage.close()
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

const parts = async (corpus: string, kind: string): Promise<string[]> =>
  (await readdir(join(root, corpus)))
    .filter((name) => name.startsWith(kind))
    .map((name) => join(root, corpus, name))

it('a flipped byte in a file of vectors loses its rows, which the next writer clears away', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a, b], remove: [] })
  await storage.putVectors([sampleRow(a, 0)])
  await storage.putVectors([sampleRow(b, 0)])
  await storage.close()
  const [file] = await parts(corpus, 'v-')
  const bytes = await readFile(file!)
  bytes[3] = bytes[3]! ^ 1
  await writeFile(file!, bytes)
  const again = await open(corpus)
  expect((await allVectors(again)).length).toBe(1)
  await again.putVectors([sampleRow(a, 0, 7), sampleRow(b, 0, 7)])
  expect(await allVectors(again)).toEqual(['a#0=7', 'b#0=7'])
  await again.close()
  expect(await parts(corpus, 'v-')).not.toContain(file)
})

it('a damaged or missing manifest is store/corrupt, never an empty corpus; a missing segment is named', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a], remove: [] })
  await storage.commit({ put: [b], remove: [] })
  await storage.close()
  const [manifest] = await parts(corpus, 'manifest-')
  const whole = await readFile(manifest!)
  for (const bytes of [
    whole.subarray(0, whole.length - 1),
    Buffer.from(whole.toString().replace('\\"documents', '\\"dokuments')),
    Buffer.from(''),
  ]) {
    await writeFile(manifest!, bytes)
    await expect(open(corpus)).rejects.toThrow(refusal('store/corrupt'))
  }
  await rm(manifest!)
  await expect(open(corpus)).rejects.toThrow(refusal('store/corrupt'))
  await writeFile(manifest!, whole)
  const [segment] = await parts(corpus, 'd-')
  await rm(segment!)
  const again = await open(corpus)
  expect((await allDocuments(again)).length).toBe(1)
  expect(again.quarantined.length).toBe(1)
  await again.close()
})

it('what a crash left before it became current is cleared away, and the state before it stands', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a], remove: [] })
  await storage.close()
  for (const name of [`d-${'0'.repeat(24)}.seg`, `v-${'f'.repeat(24)}.seg`, 'x.tmp'])
    await writeFile(join(root, corpus, name), 'half a file')
  const again = await open(corpus)
  expect(await allDocuments(again)).toEqual([a])
  await again.commit({ put: [b], remove: [] })
  await again.close()
  const names = (await readdir(join(root, corpus))).map((name) => name.replace(/-.*/, '-'))
  expect(names.sort()).toEqual(['CURRENT', 'RESERVE', 'd-', 'd-', 'manifest-'])
})

it('a lease that beats is respected, one that stands still is taken over, a dead one at once', async () => {
  const corpus = fresh()
  const [first, second] = [await open(corpus), await open(corpus)]
  await first.commit({ put: [a], remove: [] })
  await expect(second.commit({ put: [b], remove: [] })).rejects.toThrow(
    refusal('writer/not-leader'),
  )
  await expect(second.acquire()).rejects.toThrow(refusal('writer/not-leader'))
  expect(await allDocuments(second)).toEqual([a])
  const lease = join(root, corpus, 'LEASE'),
    own = await readFile(lease, 'utf8')
  await first.close()
  // a number that another process has by now, one of another container, rubbish, nothing
  for (const still of [
    own.replace(/^\d+ \w+/, `${'7'.padStart(16, '0')} other`),
    own.replace(/ \S+$/, ' elsewhere'),
    'rubbish',
    '',
  ]) {
    await writeFile(lease, still)
    const next = await open(corpus)
    await next.commit({ put: [sampleDocument(`after ${still.slice(0, 4)}`)], remove: [] })
    await next.close()
  }
  const pid = String(process.pid)
  await writeFile(lease, own.replace(` ${pid} `, ' 4194303 '))
  const started = performance.now()
  await second.commit({ put: [b], remove: [] })
  if (process.platform === 'linux')
    expect(performance.now() - started).toBeLessThan(LIMITS.leaseBeatMs * LIMITS.leaseBeats)
  await second.close()
}, 60_000)

it('a writer whose lease was taken is refused by the manifest, and the other loses nothing', async () => {
  const corpus = fresh()
  const first = await open(corpus)
  await first.commit({ put: [a], remove: [] })
  await rm(join(root, corpus, 'LEASE'))
  const second = await open(corpus)
  for (const id of ['b', 'c', 'd']) await second.commit({ put: [sampleDocument(id)], remove: [] })
  await expect(first.commit({ put: [sampleDocument('e')], remove: [] })).rejects.toThrow(
    refusal('writer/lost'),
  )
  await expect(first.commit({ put: [sampleDocument('e')], remove: [] })).rejects.toThrow(
    refusal('writer/not-leader'),
  )
  await second.close()
  expect(await first.commit({ put: [sampleDocument('e')], remove: [] })).toBe(5)
  expect((await allDocuments(first)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  await first.close()
})

it('files are for their owner alone; a linked corpus and names that a file system confuses are refused', async () => {
  const corpus = fresh()
  const storage = await open(corpus)
  await storage.commit({ put: [a], remove: [] })
  await storage.putVectors([sampleRow(a, 0)])
  if (process.platform !== 'win32') {
    expect((await stat(join(root, corpus))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(join(root, corpus)))
      expect([name, (await stat(join(root, corpus, name))).mode & 0o777]).toEqual([name, 0o600])
  }
  await storage.close()
  await symlink(join(root, corpus), join(root, 'linked'))
  await expect(open('linked')).rejects.toThrow(refusal('store/unavailable'))
  const [segment] = await parts(corpus, 'd-')
  await rename(segment!, join(root, 'elsewhere'))
  await symlink(join(root, 'elsewhere'), segment!)
  const again = await open(corpus)
  await expect(allDocuments(again)).rejects.toThrow(refusal('store/unavailable'))
  await again.close()
  await expect(open(corpus.toUpperCase())).rejects.toThrow(refusal('input/conflict'))
  for (const name of ['CON', 'nul', 'Aux.txt', 'com1', 'LPT9.'])
    await expect(open(name)).rejects.toThrow(refusal('input/invalid'))
})

it('an engine that opened a corpus before it existed follows it', async () => {
  const corpus = fresh()
  const follower = await open(corpus)
  const heard: number[] = []
  follower.onForeignCommit((generation) => heard.push(generation))
  const writer = await open(corpus)
  await writer.commit({ put: [a], remove: [] })
  await vi.waitFor(
    () => {
      expect(heard).toContain(1)
    },
    { timeout: 5000 },
  )
  expect(await allDocuments(follower)).toEqual([a])
  await follower.close()
  await writer.close()
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
  const { fileError } = await import('./files.ts')
  expect(
    fileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), '/x', 10, 3),
  ).toMatchObject({ code: 'store/quota', details: { neededBytes: 10, availableBytes: 3 } })
})
