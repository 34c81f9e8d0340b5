import { expect, it, vi } from 'vitest'
import type { LocalEngine } from './engine.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { CorpusStorage, StoredDocument } from '../store/storage.ts'
import { commitPieces } from './commit_pieces.ts'

const WORDS = 'the quick brown fox jumps over a lazy dog near Warsaw while Marie Curie reads '
const documents = Array.from({ length: 2400 }, (_, i) => ({
  id: `d${i}`,
  title: `Zorblax ${i}`,
  text: `Number ${i}. ${WORDS.repeat(50)}`,
}))
const open = () => openTestEngine([], { chunk: { strategy: 'none' } })
const storageOf = (engine: LocalEngine): CorpusStorage =>
  (engine as unknown as { readonly storage: CorpusStorage }).storage
const stored = (given: typeof documents): StoredDocument[] =>
  given.map((one) => ({
    ...one,
    metadata: {},
    hash: one.id,
    passages: Int32Array.of(0, one.text.length),
  }))

it('an addition is one piece up to eight million characters, and pieces of two beyond, in order and whole', () => {
  expect([...commitPieces(stored(documents.slice(0, 2000)))]).toHaveLength(1)
  const pieces = [...commitPieces(stored(documents))]
  expect(pieces.length).toBeGreaterThan(4)
  for (const piece of pieces)
    expect(piece.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(
      2 * 1024 * 1024,
    )
  expect(pieces.flat().map(({ id }) => id)).toEqual(documents.map(({ id }) => id))
  expect([...commitPieces([])]).toEqual([])
})

it('cancelled on its way, it keeps whole documents, as many in memory as are stored, and says how many', async () => {
  const engine = await open(),
    commits = vi.spyOn(storageOf(engine), 'commit'),
    stop = new AbortController()
  try {
    const adding = engine.add(documents, {
      signal: stop.signal,
      onProgress: ({ phase, done }) => {
        if (phase === 'text' && done > 300) stop.abort()
      },
    })
    const error: unknown = await adding.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'aborted' })
    const kept = (error as { details: { kept: number } }).details.kept,
      written = commits.mock.calls.reduce((sum, [{ put }]) => sum + put.length, 0)
    expect(kept).toBeGreaterThan(300)
    expect(kept).toBeLessThan(documents.length)
    expect(written).toBe(kept)
    expect((await engine.status()).documents).toBe(kept)
    expect((await engine.add(documents)).unchanged).toHaveLength(kept)
  } finally {
    await engine.close()
  }
})

it('where a write fails, what was written before is in memory, and nothing is written after', async () => {
  const engine = await open(),
    storage = storageOf(engine),
    commit = storage.commit.bind(storage)
  let calls = 0
  const spy = vi
    .spyOn(storage, 'commit')
    .mockImplementation((given) =>
      ++calls === 4 ? Promise.reject(new Error('no room')) : commit(given),
    )
  try {
    await expect(engine.add(documents)).rejects.toThrow('no room')
    expect(calls).toBe(4)
    const before = [...commitPieces(stored(documents))].slice(0, 3).flat().length
    expect((await engine.status()).documents).toBe(before)
    spy.mockRestore()
    expect((await engine.add(documents)).added).toHaveLength(documents.length - before)
  } finally {
    await engine.close()
  }
})
