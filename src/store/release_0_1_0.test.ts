/** Corpora, an archive and databases that 0.1.0 wrote open for ever. */
import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { decodeRelations } from '../graph/given_relations.ts'
import { decodeRules } from '../graph/name_rules.ts'
import { createStorage, listCorpora } from './create_storage.ts'
import type { CorpusStorage } from './storage.ts'
import { checkStorageInvariants } from './testing/storage_invariants.ts'
import { SETTINGS, allDocuments, allVectors, sampleDocument } from './testing/storage_samples.ts'

const RELEASE = join(import.meta.dirname, 'testing/release_0_1_0')
const encryption = { passphrase: 'correct horse' }

type Expected = Readonly<Record<string, { text: string; title: string; metadata: unknown }>>
let expected: Expected = {},
  root = ''
beforeAll(async () => {
  expected = JSON.parse(await readFile(join(RELEASE, 'expected.json'), 'utf8')) as Expected
  root = await mkdtemp(join(tmpdir(), 'hubmesh-'))
  await cp(RELEASE, root, { recursive: true })
  for (const corpus of ['plain', 'sealed']) await restoreDatabase(corpus)
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

/** A database as a browser with 0.1.0 left it. */
async function restoreDatabase(corpus: string): Promise<void> {
  const bytes = await readFile(join(RELEASE, `indexeddb_${corpus}.v8.deflate`))
  const { version, stores } = deserialize(inflateRawSync(bytes)) as {
    version: number
    stores: Record<string, [IDBValidKey, unknown][]>
  }
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(`hubmesh:${corpus}`, version)
    request.onerror = () => {
      reject(request.error!)
    }
    request.onupgradeneeded = () => {
      for (const [name, records] of Object.entries(stores)) {
        const store = request.result.createObjectStore(name)
        for (const [key, value] of records) store.put(value, key)
      }
    }
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
}

async function look(storage: CorpusStorage, more: readonly string[] = []): Promise<string[]> {
  const documents = await allDocuments(storage)
  expect(await checkStorageInvariants(storage)).toEqual([])
  expect(storage.quarantined).toEqual([])
  expect(storage.warnings.filter((one) => !one.includes('Web Locks'))).toEqual([])
  expect(documents.map(({ id }) => id)).toEqual([...Object.keys(expected), ...more].sort())
  for (const { id, title, text, metadata } of documents.filter(({ id }) => !more.includes(id)))
    expect({
      title,
      metadata,
      text: createHash('sha256').update(text, 'utf16le').digest('hex'),
    }).toEqual({
      title: expected[id]!.title,
      metadata: expected[id]!.metadata,
      text: expected[id]!.text,
    })
  const [names, relations] = [await storage.kept('names'), await storage.kept('relations')]
  expect(decodeRules(names!)?.length).toBe(1)
  expect(decodeRelations(relations!)?.size).toBe(1)
  return await allVectors(storage)
}

describe.each([
  ['a folder', 'plain', 'directory'],
  ['an encrypted folder', 'sealed', 'directory'],
  ['a database', 'plain', 'indexeddb'],
  ['an encrypted database', 'sealed', 'indexeddb'],
] as const)('%s of 0.1.0', (_name, corpus, kind) => {
  const place = (): 'indexeddb' | { directory: string } =>
      kind === 'indexeddb' ? 'indexeddb' : { directory: root },
    open = (): Promise<CorpusStorage> =>
      createStorage({
        corpus,
        storage: place(),
        settings: SETTINGS,
        ...(corpus === 'sealed' ? { encryption } : {}),
      })

  it('is listed and read as it lies, and its first write turns it into segments', async () => {
    const listed = await listCorpora(place())
    expect(listed.find(({ name }) => name === corpus)?.documents).toBe(Object.keys(expected).length)
    const before = await open(),
      generation = before.generation,
      vectors = await look(before)
    expect(vectors.length).toBeGreaterThan(40)
    expect(await before.acquire()).toBe(generation)
    expect(await look(before)).toEqual(vectors)
    await before.commit({ put: [sampleDocument('new')], remove: [] })
    await before.close()
    const after = await open()
    expect(after.generation).toBe(generation + 1)
    expect(await look(after, ['new'])).toEqual(vectors)
    await after.commit({ put: [], remove: ['new'] })
    await after.close()
    if (kind === 'directory')
      expect(
        (await readdir(join(root, corpus))).filter((name) => /-\d+\.(seg|blk|bin)$/.test(name)),
      ).toEqual([])
  })
})

describe('an archive of 0.1.0', () => {
  it('is imported whole, documents and merges', async () => {
    const engine = await openTestEngine()
    const { added } = await engine.import(
      new Uint8Array(await readFile(join(RELEASE, 'corpus.hubmesh'))),
    )
    expect([...added].sort()).toEqual(Object.keys(expected).sort())
    for (const [id, { title, text, metadata }] of Object.entries(expected)) {
      const held = (await engine.getDocument(id))!
      expect({
        title: held.title,
        metadata: held.metadata,
        text: createHash('sha256').update(held.text, 'utf16le').digest('hex'),
      }).toEqual({ title, metadata, text })
    }
    expect((await engine.mergedNames()).length).toBe(1)
  })
})
