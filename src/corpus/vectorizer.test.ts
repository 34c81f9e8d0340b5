import { expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { CorpusStorage, VectorRow } from '../store/storage.ts'
import type { Corpus } from './corpus.ts'
import { Vectorizer } from './vectorizer.ts'

it('saves what has a vector when it is paused, as it says', async () => {
  const inner = new HashingEmbedder(), held: (() => void)[] = [], saved: number[] = []
  const stepwise: Embedder = {
    identity: inner.identity, close: () => inner.close(),
    embed: async (texts, options) => {
      await new Promise<void>((resolve) => { held.push(resolve) })
      return inner.embed(texts, options)
    },
  }
  const entry = { id: 'a', hash: 'h' }
  const corpus = { table: { has: () => true, entry: () => entry, passage: (slot: number) => slot, embeddedText: () => 'text' }, vectors: null } as unknown as Corpus
  const storage = { putVectors: (rows: readonly VectorRow[]) => { saved.push(...rows.map(({ passage }) => passage)); return Promise.resolve() } } as unknown as CorpusStorage
  const vectorizer = new Vectorizer(stepwise, corpus, storage, () => undefined, (work) => work())
  await vectorizer.start()
  vectorizer.enqueue([0, 1, 2])
  await expect.poll(() => held.length).toBe(1)
  vectorizer.pause()
  expect(saved).toEqual([])
  held[0]?.()
  await expect.poll(() => saved).toEqual([0])
  expect(vectorizer.state).toBe('paused')
  await vectorizer.close()
})
