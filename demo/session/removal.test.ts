import { describe, expect, it } from 'vitest'
import type { Engine, RetrieveResult } from '../../src/index.ts'
import { removeDocument } from './removal.ts'
import { Store } from './state.ts'

const shown = (...ids: string[]): RetrieveResult =>
  ({
    sources: ids.map((documentId) => ({ documentId })),
    blocks: [],
    reasoning: [],
  }) as unknown as RetrieveResult

/** A corpus of so many documents, one of which is taken out, or held. */
function desk(documents: number, held = false) {
  const store = new Store(),
    removed: string[] = [],
    asked = { times: 0 }
  const engine = {
    corpus: 'films',
    status: () => Promise.resolve({ corpus: 'films', documents: documents - removed.length }),
    remove: (id: string) =>
      held
        ? Promise.reject(Object.assign(new Error('held'), { code: 'writer/not-leader' }))
        : (removed.push(id), Promise.resolve({})),
  } as unknown as Engine
  store.set({
    engine,
    corpus: 'films',
    asked: 'Who?',
    question: 'Who?',
    answer: shown('a', 'b'),
    opened: { id: 'a', at: null, mark: null },
    excluded: [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B' },
    ],
    pinned: { question: 'When?', answer: shown('a') },
  })
  return {
    store,
    removed,
    asked,
    asking: {
      again: () => {
        asked.times++
        return Promise.resolve()
      },
    },
  }
}

describe('taking a document out of the corpus', () => {
  it('closes it, asks the question anew, drops what was kept of it, and is told', async () => {
    const { store, removed, asked, asking } = desk(3)
    expect(await removeDocument(store, asking, 'a', 'Ada')).toBeNull()
    expect([removed, asked.times]).toEqual([['a'], 1])
    expect(store.state).toMatchObject({
      opened: null,
      status: { documents: 2 },
      excluded: [{ id: 'b' }],
      pinned: null,
      asked: 'Who?',
      announcement: 'Ada removed. films holds 2 documents.',
    })
  })

  it('keeps an answer to compare with that does not show it', async () => {
    const { store, asking } = desk(3)
    store.set({ pinned: { question: 'When?', answer: shown('b') } })
    await removeDocument(store, asking, 'a', 'Ada')
    expect(store.state.pinned?.question).toBe('When?')
  })

  it('leaves no question and no answer over an empty corpus', async () => {
    const { store, asked, asking } = desk(1)
    await removeDocument(store, asking, 'a', 'Ada')
    expect(asked.times).toBe(0)
    expect(store.state).toMatchObject({
      answer: null,
      asked: '',
      question: '',
      announcement: 'Ada removed. films holds 0 documents.',
    })
  })

  it('that cannot be taken out leaves all as it is, and gives the reason', async () => {
    const { store, asked, asking } = desk(3, true),
      before = store.state
    expect(await removeDocument(store, asking, 'a', 'Ada')).toMatchObject({
      code: 'writer/not-leader',
    })
    expect([store.state, asked.times]).toEqual([before, 0])
  })
})
