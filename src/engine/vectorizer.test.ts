import { Mutex } from '../base/mutex.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { CorpusStorage, VectorRow } from '../store/storage.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { Vectorizer } from './vectorizer.ts'

it('saves what has a vector when it is paused, as it says', async () => {
  const inner = new HashingEmbedder(),
    held: (() => void)[] = [],
    saved: number[] = []
  const stepwise: Embedder = {
    identity: inner.identity,
    close: () => inner.close(),
    embed: async (texts, options) => {
      await new Promise<void>((resolve) => {
        held.push(resolve)
      })
      return inner.embed(texts, options)
    },
  }
  const entry = { id: 'a', hash: 'h' }
  const corpus = {
    table: {
      has: () => true,
      entry: () => entry,
      passage: (slot: number) => slot,
      embeddedText: () => 'text',
    },
    vectors: null,
  } as unknown as Corpus
  const storage = {
    putVectors: (rows: readonly VectorRow[]) => {
      saved.push(...rows.map(({ passage }) => passage))
      return Promise.resolve()
    },
  } as unknown as CorpusStorage
  const vectorizer = new Vectorizer(stepwise, corpus, storage, () => undefined, new Mutex())
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

/**
 * A vectorizer over passages whose texts are as long as their slot says, with an embedder that
 * answers when it is let.
 */
function stepwise(concurrency: number) {
  const inner = new HashingEmbedder(),
    running: { readonly text: string; readonly answer: () => void }[] = [],
    begun: string[] = []
  const embedder: Embedder = {
    identity: inner.identity,
    concurrency,
    close: () => inner.close(),
    embed: async (texts, options) => {
      const text = texts[0]!
      begun.push(text)
      await new Promise<void>((resolve) => {
        running.push({ text, answer: resolve })
      })
      return inner.embed(texts, options)
    },
  }
  const entry = { id: 'a', hash: 'h' }
  const corpus = {
    table: {
      has: () => true,
      entry: () => entry,
      passage: (slot: number) => slot,
      embeddedText: (slot: number) => String(slot),
    },
    vectors: null,
  } as unknown as Corpus
  const storage = { putVectors: () => Promise.resolve() } as unknown as CorpusStorage
  const vectorizer = new Vectorizer(embedder, corpus, storage, () => undefined, new Mutex())
  return { vectorizer, begun, running }
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('what is embedded when', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('embeds the passages a question touched before all others that wait', async () => {
    const { vectorizer, begun, running } = stepwise(1)
    await vectorizer.start()
    vectorizer.enqueue([0, 1, 2, 3, 4, 5])
    vectorizer.touch([4, 2])
    for (let i = 0; i < 6; i++) {
      running.shift()!.answer()
      await settled()
    }
    expect(begun).toEqual(['0', '4', '2', '1', '3', '5'])
    await vectorizer.close()
  })

  it('begins nothing while it is paused, and goes on where it was', async () => {
    const { vectorizer, begun, running } = stepwise(2)
    await vectorizer.start()
    vectorizer.enqueue([0, 1, 2, 3])
    vectorizer.pause()
    for (const { answer } of running.splice(0)) answer()
    await settled()
    expect(begun).toEqual(['0', '1'])
    expect(vectorizer.state).toBe('paused')
    vectorizer.resume()
    expect(begun).toEqual(['0', '1', '2', '3'])
    await vectorizer.close()
  })

  it('has one text fewer than workers under way while somebody waits for an answer', async () => {
    const { vectorizer, running } = stepwise(3)
    await vectorizer.start()
    let answered = (): void => undefined
    const question = vectorizer.during(
      () =>
        new Promise<void>((resolve) => {
          answered = resolve
        }),
    )
    vectorizer.enqueue([0, 1, 2, 3, 4, 5])
    expect(running).toHaveLength(1)
    answered()
    await question
    expect(running).toHaveLength(3)
    await vectorizer.close()
  })

  it('rests as long as it worked while the tab is hidden, says so, and goes on at once when it is shown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { vectorizer, begun, running } = stepwise(3)
    await vectorizer.start()
    vectorizer.setConditions({ hidden: true, savingPower: false })
    vectorizer.enqueue([0, 1, 2, 3, 4, 5])
    expect(begun).toEqual(['0'])
    expect(vectorizer.throttle).toBe('hidden')
    vi.advanceTimersByTime(80)
    running.shift()!.answer()
    await settled()
    vi.advanceTimersByTime(79)
    expect(begun).toEqual(['0'])
    vi.advanceTimersByTime(1)
    expect(begun).toEqual(['0', '1'])
    vi.advanceTimersByTime(80)
    running.shift()!.answer()
    await settled()
    expect(begun).toEqual(['0', '1'])
    vectorizer.setConditions({ hidden: false, savingPower: false })
    expect(vectorizer.throttle).toBeNull()
    expect(begun).toEqual(['0', '1', '2', '3', '4'])
    await vectorizer.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('spares a low battery the same way, and names no throttle once nothing is left to do', async () => {
    const { vectorizer, running } = stepwise(3)
    await vectorizer.start()
    vectorizer.setConditions({ hidden: false, savingPower: true })
    vectorizer.enqueue([0])
    expect(vectorizer.throttle).toBe('battery')
    running.shift()!.answer()
    await settled()
    expect(vectorizer.throttle).toBeNull()
    await vectorizer.close()
  })
})
