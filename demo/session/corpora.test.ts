import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AddInput, AddOptions, AddResult, Engine } from '../../src/types.ts'
import { DEFAULTS } from '../platform/settings.ts'
import { Corpora } from './corpora.ts'
import { Store } from './state.ts'

/** Engines by corpus, each of whose additions ends when told to. */
const desk = vi.hoisted(() => ({ opened: [] as string[], adds: [] as { corpus: string; input: unknown; archive: boolean; aborted: () => boolean; finish: () => void }[], listed: [] as string[], fail: new Map<string, string>(), refuse: null as string | null }))

vi.mock('../platform/engine.ts', () => ({
  savedCorpora: () => Promise.resolve(desk.listed.map((name) => ({ name, documents: 1, bytes: null }))),
  deleteSavedCorpus: () => Promise.resolve(),
  openEngine: (corpus: string) => {
    desk.opened.push(corpus)
    const code = desk.fail.get(corpus)
    if (code !== undefined) return Promise.reject(Object.assign(new Error('gone'), { code }))
    const status = { corpus, documents: 0, passages: 0, passagesWithVectors: 0, generation: 0 }
    return Promise.resolve({
      corpus, onStatus: () => () => undefined, status: () => Promise.resolve(status), close: () => Promise.resolve(), graphStats: () => Promise.resolve({ hubs: [] }),
      listDocuments: () => Promise.resolve({ total: 0, documents: [] }),
      import: (input: Blob, options: AddOptions) => take(true, input, options),
      add: (input: AddInput, options: AddOptions) => take(false, input, options),
    } as unknown as Engine)
    function take(archive: boolean, input: unknown, options: AddOptions): Promise<AddResult> {
      if (desk.refuse !== null) return Promise.reject(Object.assign(new Error('refused'), { code: desk.refuse }))
      return new Promise<AddResult>((resolve) => {
        desk.adds.push({ corpus, input, archive, aborted: () => options.signal?.aborted === true, finish: () => { resolve({ added: ['x'], unchanged: [], replaced: [], rejected: [], generation: 1 }) } })
      })
    }
  },
}))

beforeEach(() => { Object.assign(desk, { opened: [], adds: [], listed: [], fail: new Map(), refuse: null }) })

const dropOf = (name: string) => ({ files: [new File(['text'], name)], leftAside: 0, folder: null })

describe('additions', () => {
  it('wait for the one under way, and none of them is lost or cut short', async () => {
    const store = new Store(), corpora = new Corpora(store)
    const first = corpora.addText('first', 'one'), second = corpora.addIntake(dropOf('two.txt'))
    await expect.poll(() => desk.adds.length).toBe(1)
    expect(store.state.waiting).toBe(1)
    desk.adds[0]!.finish()
    await first
    await expect.poll(() => desk.adds.length).toBe(2)
    expect(store.state.waiting).toBe(0)
    expect(desk.adds[0]!.aborted()).toBe(false)
    desk.adds[1]!.finish()
    await second
    expect(desk.adds.map(({ corpus }) => corpus)).toEqual(['my-documents', 'my-documents'])
    expect(store.state.adding).toBeNull()
    // each is told of, and none takes the word from another
    expect(store.state.reports.map(({ label, added }) => [label, added])).toEqual([['pasted text', 1], ['1 file', 1]])
    const third = corpora.addText('third', 'three')
    expect(store.state.reports).toEqual([])
    await expect.poll(() => desk.adds.length).toBe(3)
    desk.adds[2]!.finish()
    await third
    expect(store.state.reports.map(({ label }) => label)).toEqual(['pasted text'])
  })

  it('into two corpora are both told of', async () => {
    const store = new Store(), corpora = new Corpora(store)
    store.set({ corpora: [] })
    const first = corpora.addIntake({ ...dropOf('one.txt'), folder: 'papers' }), second = corpora.addIntake({ ...dropOf('two.txt'), folder: 'letters' })
    await expect.poll(() => desk.adds.length).toBe(1)
    desk.adds[0]!.finish()
    await first
    await expect.poll(() => desk.adds.length).toBe(2)
    desk.adds[1]!.finish()
    await second
    expect(desk.adds.map(({ corpus }) => corpus)).toEqual(['papers', 'letters'])
    expect(store.state.reports.length).toBe(2)
    await corpora.open('papers')
    expect(store.state.reports).toEqual([])
  })
})

describe('what could not be added', () => {
  it('is added by “Try again”, in its order, without dropping it anew', async () => {
    const store = new Store(), corpora = new Corpora(store)
    desk.refuse = 'writer/not-leader'
    await Promise.all([corpora.addIntake(dropOf('one.txt')), corpora.addText('two', 'text')])
    expect(store.state.corpusProblem).toMatchObject({ code: 'writer/not-leader', remedy: 'retry' })
    expect(desk.adds).toEqual([])
    desk.refuse = null
    const again = corpora.retry()
    for (const n of [1, 2]) { await expect.poll(() => desk.adds.length).toBe(n); desk.adds[n - 1]!.finish() }
    await again
    expect(desk.adds.map(({ input }) => (Array.isArray(input) ? (input[0] as File | { title: string }) : input)).map((input) => (input instanceof File ? input.name : (input as { title: string }).title))).toEqual(['one.txt', 'two'])
    expect(store.state.corpusProblem).toBeNull()
    const opened = desk.opened.length
    await corpora.retry()
    expect([desk.adds.length, desk.opened.length], 'once').toEqual([2, opened + 1])
  })
})

describe('archives', () => {
  it('become corpora of their own, named after their files, beside documents dropped with them', async () => {
    const store = new Store(), corpora = new Corpora(store)
    const dropped = corpora.addIntake({ files: [new File(['x'], 'films/hand book.hubmesh'), new File(['y'], 'notes.txt')], leftAside: 0, folder: null })
    for (const n of [1, 2]) { await expect.poll(() => desk.adds.length).toBe(n); desk.adds[n - 1]!.finish() }
    await dropped
    expect(desk.adds.map(({ corpus, archive }) => [corpus, archive])).toEqual([['hand-book', true], ['my-documents', false]])
  })
})

describe('starting', () => {
  it('names every corpus that was filled and is gone, and forgets them when told to', async () => {
    desk.listed = ['here']
    const store = new Store(), corpora = new Corpora(store), seen = { passages: 4, changed: 1, bytes: null }
    store.set({ settings: { ...DEFAULTS, corpus: 'here', notes: new Map([['here', { ...seen, documents: 3 }], ['lost', { ...seen, documents: 3 }], ['also', { ...seen, documents: 1 }], ['empty', { ...seen, documents: 0 }]]) } })
    await corpora.start()
    expect(store.state.gone).toEqual(['also', 'lost'])
    corpora.forgetGone()
    expect(store.state.gone).toEqual([])
    expect([...store.state.settings.notes.keys()].sort()).toEqual(['empty', 'here'])
  })

  it('opens a corpus that was filled and is gone, so that its loss is told', async () => {
    desk.listed = ['other']
    desk.fail.set('mine', 'store/evicted')
    const store = new Store(), corpora = new Corpora(store)
    store.set({ settings: { ...DEFAULTS, corpus: 'mine', notes: new Map([['mine', { documents: 3, passages: 4, changed: 1, bytes: null }]]) } })
    await corpora.start()
    expect(store.state.corpusProblem).toMatchObject({ code: 'store/evicted', remedy: 'forget' })
    await corpora.delete('mine')
    expect(store.state).toMatchObject({ corpusProblem: null, corpus: null, boot: 'ready' })
  })

  it('passes over a corpus that never held anything', async () => {
    desk.listed = ['other']
    const store = new Store(), corpora = new Corpora(store)
    store.set({ settings: { ...DEFAULTS, corpus: 'mine' } })
    await corpora.start()
    expect(desk.opened).toEqual(['other'])
  })
})
