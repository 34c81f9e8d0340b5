import { expect, it } from 'vitest'
import { openMemoryStorage } from '../store/memory_storage.ts'
import { WriteQueue } from './write_queue.ts'
import type { CorpusStorage, StoredDocument } from '../store/storage.ts'
import { Corpus } from '../corpus/corpus.ts'
import { Follower } from './follower.ts'
import type { Readiness } from './readiness.ts'
import type { Curation } from './curation.ts'
import { Settler } from './settler.ts'
import { Snapshots } from './snapshots.ts'

const documentOf = (id: string): StoredDocument => ({
  id,
  title: id,
  text: `About ${id}.`,
  metadata: {},
  hash: id.repeat(8),
  passages: Int32Array.of(0, 7 + id.length),
})

it('what another tab writes while the documents are read is not missed, though nobody listens yet', async () => {
  const stored = openMemoryStorage({
    formatVersion: 1,
    chunk: { strategy: 'none', tokens: 0, overlap: 0 },
    embedder: null,
  })
  await stored.commit({ put: [documentOf('b'), documentOf('c')], remove: [] })
  let interrupted = false
  const storage = {
    get generation() {
      return stored.generation
    },
    get settings() {
      return stored.settings
    },
    readDerived: (name: string) => stored.readDerived(name),
    onForeignCommit: () => () => undefined,
    vectors: () => stored.vectors(),
    async *documents() {
      yield* stored.documents()
      if (!interrupted) await stored.commit({ put: [documentOf('a')], remove: ['c'] })
      interrupted = true
    },
  } as unknown as CorpusStorage
  const corpus = new Corpus(),
    writeQueue = new WriteQueue(storage),
    curation = { load: () => Promise.resolve(), warning: null } as unknown as Curation
  let changed: () => void = () => undefined
  const seen = new Promise<void>((resolve) => {
    changed = () => {
      if (corpus.table.get('a') !== undefined) resolve()
    }
  })
  const follower = new Follower({
    ...{ corpus, storage, writeQueue, curation, vectorizer: null, readiness: {} as Readiness },
    settler: new Settler(corpus, () => undefined),
    snapshots: new Snapshots(corpus, storage, writeQueue),
    changed: () => {
      changed()
    },
  })
  await follower.loadDocuments()
  expect(corpus.table.ids()).toEqual(['b', 'c'])
  follower.start()
  await seen
  expect(corpus.table.ids()).toEqual(['a', 'b'])
  expect(corpus.text.size).toBe(2)
  follower.close()
})
