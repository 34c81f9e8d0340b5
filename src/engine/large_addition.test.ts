import { expect, it, vi } from 'vitest'
import type { LocalEngine } from './engine.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { CorpusStorage } from '../store/storage.ts'

const WORDS = 'the quick brown fox jumps over a lazy dog near Warsaw while Marie Curie reads '
const documents = Array.from({ length: 2400 }, (_, i) => ({
  id: `d${i}`,
  title: `Zorblax ${i}`,
  text: `Number ${i}. ${WORDS.repeat(50)}`,
}))
const open = () => openTestEngine([], { chunk: { strategy: 'none' } })
const storageOf = (engine: LocalEngine): CorpusStorage =>
  (engine as unknown as { readonly storage: CorpusStorage }).storage

it('is one commit however large it is', async () => {
  const engine = await open(),
    commits = vi.spyOn(storageOf(engine), 'commit')
  try {
    expect((await engine.add(documents)).added).toHaveLength(documents.length)
    expect(commits.mock.calls.map(([{ put }]) => put.length)).toEqual([documents.length])
    expect((await engine.status()).documents).toBe(documents.length)
  } finally {
    await engine.close()
  }
})

it('cancelled before it is stored it keeps nothing; afterwards it is there', async () => {
  const engine = await open(),
    cancel = async (at: string): Promise<unknown> => {
      const stop = new AbortController()
      return await engine
        .add(documents, {
          signal: stop.signal,
          onProgress: ({ phase, done }) => {
            if (phase === at && (phase === 'saving' || done > 0)) stop.abort()
          },
        })
        .catch((error: unknown) => error)
    }
  try {
    expect(await cancel('saving')).toMatchObject({ code: 'aborted' })
    expect((await engine.status()).documents).toBe(0)
    expect(await cancel('text')).toMatchObject({ added: { length: documents.length } })
    expect((await engine.status()).documents).toBe(documents.length)
  } finally {
    await engine.close()
  }
})

it('where the write fails nothing of it is in memory, and it may be called again', async () => {
  const engine = await open(),
    spy = vi.spyOn(storageOf(engine), 'commit').mockRejectedValueOnce(new Error('no room'))
  try {
    await expect(engine.add(documents)).rejects.toThrow('no room')
    expect((await engine.status()).documents).toBe(0)
    spy.mockRestore()
    expect((await engine.add(documents)).added).toHaveLength(documents.length)
  } finally {
    await engine.close()
  }
})
