import { drain } from '../base/slices.ts'
import { expect, it } from 'vitest'
import { Mutex } from '../base/mutex.ts'
import type { CorpusStorage } from '../store/storage.ts'
import { Corpus } from '../corpus/corpus.ts'
import { stamped } from '../lexical/index_rules.ts'
import { Snapshots } from './snapshots.ts'

/** A storage whose generation can move on, with an index kept in it. */
async function keptCorpus(stamp = stamped): Promise<{
  readonly snapshots: Snapshots
  readonly storage: { generation: number }
  readonly corpus: Corpus
}> {
  const corpus = new Corpus(),
    document = {
      id: 'a',
      title: 'Mercury',
      text: 'Mercury is a planet.',
      metadata: {},
      hash: '0'.repeat(64),
      passages: Int32Array.of(0, 20),
    }
  drain(corpus.put(document, true))
  corpus.text.settle()
  const bytes = corpus.text.snapshot(corpus.table.order()),
    loaded = new Corpus()
  loaded.load([document])
  const storage = { generation: 1, readDerived: () => Promise.resolve(stamp(bytes)) }
  return {
    snapshots: new Snapshots(loaded, storage as unknown as CorpusStorage, new Mutex()),
    storage,
    corpus: loaded,
  }
}

it('an index that was kept is taken where nothing was written since', async () => {
  const { snapshots, corpus } = await keptCorpus(),
    kept = await snapshots.read()
  expect(snapshots.restore(kept)).toBe(true)
  expect(corpus.text.size).toBe(1)
})

it('an index by other rules is left out, and no damage is told', async () => {
  const { snapshots, corpus } = await keptCorpus((bytes) => Uint8Array.from(bytes)),
    kept = await snapshots.read()
  expect(snapshots.restore(kept)).toBe(false)
  expect(corpus.text.size).toBe(0)
  expect(snapshots.warning).toBeNull()
})

it('an index of other passages than the documents have is dropped, with a word', async () => {
  const { snapshots, corpus } = await keptCorpus(),
    kept = await snapshots.read()
  corpus.load([
    {
      id: 'b',
      title: '',
      text: 'Venus, too.',
      metadata: {},
      hash: '1'.repeat(64),
      passages: Int32Array.of(0, 11),
    },
  ])
  expect(snapshots.restore(kept)).toBe(false)
  expect(corpus.text.size).toBe(0)
  expect(snapshots.warning).toContain('damaged')
})

it('an index that was kept is left alone where another tab wrote while the documents were read', async () => {
  const { snapshots, storage, corpus } = await keptCorpus(),
    reading = snapshots.read()
  storage.generation = 2
  expect(snapshots.restore(await reading)).toBe(false)
  expect(corpus.text.size).toBe(0)
})
