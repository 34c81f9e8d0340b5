import { describe, expect, it } from 'vitest'
import type {
  Engine,
  ResolvedEntity,
  RetrieveOptions,
  RetrieveResult,
  SeedReport,
  Source,
} from '../../src/types.ts'
import { Asking } from './asking.ts'
import { Store } from './state.ts'

const seed = (name: string): SeedReport => ({
  name,
  label: name.toUpperCase(),
  passages: 2,
  origin: 'question',
  weight: 1,
})
const entity = (name: string): ResolvedEntity => ({
  mention: name,
  name,
  label: name.toUpperCase(),
  passages: 3,
  type: null,
})

/** An engine that answers when told to, and notes what it was asked. */
function deskEngine(seeds: readonly SeedReport[]) {
  const calls: { query: string; options: RetrieveOptions; answer: () => void }[] = []
  const engine = {
    corpus: 'c',
    retrieve: (query: string, options: RetrieveOptions) =>
      new Promise<RetrieveResult>((resolve, reject) => {
        options.signal?.addEventListener('abort', () => {
          reject(Object.assign(new Error('cancelled'), { code: 'aborted' }))
        })
        const result = {
          answer: { state: 'found', confidence: 1, quotes: [] },
          context: query,
          contextTokens: 1,
          blocks: [],
          omitted: [],
          sources: [],
          reasoning: [],
          debug: { seeds },
        } as unknown as RetrieveResult
        calls.push({
          query,
          options,
          answer: () => {
            resolve(result)
          },
        })
      }),
    resolveEntities: (mentions: readonly string[]) =>
      Promise.resolve(mentions.map((m) => (m.startsWith('x') ? null : entity(m.toLowerCase())))),
  }
  const store = new Store()
  store.set({ engine: engine as unknown as Engine, corpus: 'c' })
  return { store, asking: new Asking(store), calls }
}

describe('asking', () => {
  it('sends what was said before with every later question', async () => {
    const { asking, calls } = deskEngine([])
    const ask = async (question: string): Promise<void> => {
      const asked = asking.ask(question)
      calls.at(-1)!.answer()
      await asked
    }
    await ask('Who was Ada?')
    await ask('And where was she born?')
    await ask('When?')
    expect(calls.map(({ options }) => options.history)).toEqual([
      undefined,
      [{ role: 'user', content: 'Who was Ada?' }],
      [
        { role: 'user', content: 'Who was Ada?' },
        { role: 'user', content: 'And where was she born?' },
      ],
    ])
  })

  it('shows the answer of the latest question only', async () => {
    const { store, asking, calls } = deskEngine([])
    const first = asking.ask('one')
    const second = asking.ask('two')
    calls[0]!.answer()
    calls[1]!.answer()
    await Promise.all([first, second])
    expect(calls[0]!.options.signal?.aborted).toBe(true)
    expect(store.state.answer?.context).toBe('two')
    expect(store.state.asking).toBe(false)
  })

  it('shows no answer, and no failure, of a corpus that was left meanwhile', async () => {
    const { store, asking, calls } = deskEngine([])
    const late = asking.ask('one')
    store.set({ engine: null, asked: '', asking: false })
    calls[0]!.answer()
    await late
    expect(store.state).toMatchObject({ answer: null, asking: false })
    store.set({
      engine: {
        retrieve: () => Promise.reject(Object.assign(new Error('m'), { code: 'store/closed' })),
      } as unknown as Engine,
    })
    const failing = asking.ask('two')
    store.set({ engine: null })
    await failing
    expect(store.state.askProblem).toBeNull()
  })

  it('asks what was typed last, drawn or not', async () => {
    const { store, asking, calls } = deskEngine([])
    asking.type('typed')
    const asked = asking.submit()
    calls[0]!.answer()
    await asked
    expect([calls[0]!.query, store.state.asked]).toEqual(['typed', 'typed'])
  })

  it('asks nothing for blank questions', async () => {
    const { asking, calls } = deskEngine([])
    await asking.ask('  \n ')
    expect(calls).toHaveLength(0)
  })

  it('turns removed names into the names that are left, and none into an empty list', async () => {
    const { store, asking, calls } = deskEngine([seed('a'), seed('b')])
    const answered = async (call: Promise<void>): Promise<void> => {
      calls.at(-1)!.answer()
      await call
    }
    await answered(asking.ask('q'))
    await answered(asking.removeFound('a'))
    expect(calls.at(-1)!.options.questionSeeds).toEqual(['b'])
    await answered(asking.removeFound('b'))
    expect(calls.at(-1)!.options.questionSeeds).toEqual([])
    expect(store.state.foundSeeds).toHaveLength(2)
    await answered(asking.restoreFound())
    expect(calls.at(-1)!.options.questionSeeds).toBeUndefined()
  })

  it('adds a name once, brings a removed one back instead of adding it, and keeps unknown ones visible', async () => {
    const { store, asking, calls } = deskEngine([seed('a')])
    const settle = async (call: Promise<void>): Promise<void> => {
      await Promise.resolve()
      await Promise.resolve()
      calls.at(-1)!.answer()
      await call
    }
    await settle(asking.ask('q'))
    await settle(asking.removeFound('a'))
    await settle(asking.inject(['A', 'B', 'b', 'xyz']))
    expect(store.state.removedSeeds).toEqual([])
    expect(store.state.injected.map((choice) => [choice.label, choice.name])).toEqual([
      ['B', 'b'],
      ['xyz', null],
    ])
    expect(calls.at(-1)!.options.seedEntities).toEqual(['b', 'xyz'])
  })

  it('forgets the steering of another question', async () => {
    const { store, asking, calls } = deskEngine([])
    const exclude = asking.ask('q')
    calls.at(-1)!.answer()
    await exclude
    const again = asking.exclude({ documentId: 'd', title: 'D' } as Source)
    expect(calls.at(-1)!.options.excludeDocs).toEqual(['d'])
    calls.at(-1)!.answer()
    await again
    const other = asking.ask('another')
    expect(calls.at(-1)!.options.excludeDocs).toBeUndefined()
    calls.at(-1)!.answer()
    await other
    expect(store.state.excluded).toEqual([])
  })

  it('says a failure in words and keeps no stale answer', async () => {
    const { store, asking } = deskEngine([])
    store.set({
      engine: {
        retrieve: () => Promise.reject(Object.assign(new Error('m'), { code: 'worker/crashed' })),
      } as unknown as Engine,
    })
    await asking.ask('q')
    expect(store.state.askProblem?.code).toBe('worker/crashed')
    expect(store.state.answer).toBeNull()
  })
})
