import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AddInput, AddOptions, AddResult, Engine } from '../../src/types.ts'
import { DEFAULTS } from '../platform/settings.ts'
import { Corpora } from './corpora.ts'
import { forgetGone } from './losses.ts'
import { Store } from './state.ts'

/** Engines by corpus, each of whose additions ends when told to. */
const desk = vi.hoisted(() => ({
  opened: [] as string[],
  closed: [] as string[],
  deleted: [] as string[],
  held: null as string | null,
  listing: null as string | null,
  adds: [] as {
    corpus: string
    input: unknown
    archive: boolean
    aborted: () => boolean
    finish: () => void
  }[],
  listed: [] as string[],
  fail: new Map<string, string>(),
  refuse: null as string | null,
  saved: 0,
}))

vi.mock('../platform/engine.ts', () => ({
  savedCorpora: () =>
    desk.listing === null
      ? Promise.resolve(desk.listed.map((name) => ({ name, documents: 1, bytes: null })))
      : Promise.reject(Object.assign(new Error('no'), { code: desk.listing })),
  deleteSavedCorpus: (name: string) => {
    desk.deleted.push(name)
    return Promise.resolve()
  },
  openEngine: (corpus: string) => {
    desk.opened.push(corpus)
    const code = desk.fail.get(corpus)
    if (code !== undefined) return Promise.reject(Object.assign(new Error('gone'), { code }))
    const status = {
      corpus,
      documents: desk.saved,
      passages: 0,
      passagesWithVectors: 0,
      generation: 0,
      embedding: { state: 'running' },
    }
    return Promise.resolve({
      corpus,
      onStatus: () => () => undefined,
      status: () => Promise.resolve(status),
      close: () => {
        desk.closed.push(corpus)
        return Promise.resolve()
      },
      pauseEmbedding: () => Promise.resolve(),
      resumeEmbedding: () => Promise.resolve(),
      destroy: () =>
        desk.held === null
          ? (desk.deleted.push(corpus), Promise.resolve())
          : Promise.reject(Object.assign(new Error('held'), { code: desk.held })),
      graphStats: () => Promise.resolve({ hubs: [] }),
      listDocuments: () => Promise.resolve({ total: 0, documents: [] }),
      import: (input: Blob, options: AddOptions) => take(true, input, options),
      add: (input: AddInput, options: AddOptions) => take(false, input, options),
    } as unknown as Engine)
    function take(archive: boolean, input: unknown, options: AddOptions): Promise<AddResult> {
      if (desk.refuse !== null && (archive || desk.refuse !== 'archive/invalid'))
        return Promise.reject(Object.assign(new Error('refused'), { code: desk.refuse }))
      return new Promise<AddResult>((resolve) => {
        desk.adds.push({
          corpus,
          input,
          archive,
          aborted: () => options.signal?.aborted === true,
          finish: () => {
            resolve({ added: ['x'], unchanged: [], replaced: [], rejected: [], generation: 1 })
          },
        })
      })
    }
  },
}))

beforeEach(() => {
  Object.assign(desk, {
    opened: [],
    closed: [],
    deleted: [],
    held: null,
    listing: null,
    adds: [],
    listed: [],
    fail: new Map(),
    refuse: null,
    saved: 0,
  })
})

const dropOf = (name: string) => ({
  files: [new File(['text'], name)],
  leftAside: 0,
  unreadable: [],
  folder: null,
})

describe('additions', () => {
  it('wait for the one under way, and none of them is lost or cut short', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    const first = corpora.filling.text('first', 'one'),
      second = corpora.filling.intake(dropOf('two.txt'))
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
    expect(store.state.reports.map(({ label, added }) => [label, added])).toEqual([
      ['pasted text', 1],
      ['1 file', 1],
    ])
    const third = corpora.filling.text('third', 'three')
    expect(store.state.reports).toEqual([])
    await expect.poll(() => desk.adds.length).toBe(3)
    desk.adds[2]!.finish()
    await third
    expect(store.state.reports.map(({ label }) => label)).toEqual(['pasted text'])
  })

  it('into two corpora are both told of', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    store.set({ corpora: [] })
    const first = corpora.filling.intake({ ...dropOf('one.txt'), folder: 'papers' }),
      second = corpora.filling.intake({ ...dropOf('two.txt'), folder: 'letters' })
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
    const store = new Store(),
      corpora = new Corpora(store)
    desk.refuse = 'writer/not-leader'
    await Promise.all([
      corpora.filling.intake(dropOf('one.txt')),
      corpora.filling.text('two', 'text'),
    ])
    expect(store.state.corpusProblem).toMatchObject({ code: 'writer/not-leader', remedy: 'retry' })
    expect(desk.adds).toEqual([])
    desk.refuse = null
    const again = corpora.retry()
    for (const n of [1, 2]) {
      await expect.poll(() => desk.adds.length).toBe(n)
      desk.adds[n - 1]!.finish()
    }
    await again
    expect(
      desk.adds
        .map(({ input }) => (Array.isArray(input) ? (input[0] as File | { title: string }) : input))
        .map((input) => (input instanceof File ? input.name : (input as { title: string }).title)),
    ).toEqual(['one.txt', 'two'])
    expect(store.state.corpusProblem).toBeNull()
    const opened = desk.opened.length
    await corpora.retry()
    expect([desk.adds.length, desk.opened.length], 'once').toEqual([2, opened + 1])
  })
})

describe('archives', () => {
  it('become corpora of their own, named after their files, beside documents dropped with them', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    const dropped = corpora.filling.intake({
      files: [new File(['x'], 'films/hand book.hubmesh'), new File(['y'], 'notes.txt')],
      leftAside: 0,
      unreadable: [],
      folder: null,
    })
    for (const n of [1, 2]) {
      await expect.poll(() => desk.adds.length).toBe(n)
      desk.adds[n - 1]!.finish()
    }
    await dropped
    expect(desk.adds.map(({ corpus, archive }) => [corpus, archive])).toEqual([
      ['hand-book', true],
      ['my-documents', false],
    ])
  })

  it(
    'one alone goes into the open corpus that a person named and that is empty yet; one that ' +
      'cannot be read leaves that corpus open',
    async () => {
      const store = new Store(),
        corpora = new Corpora(store)
      await corpora.create('Second home')
      desk.refuse = 'archive/invalid'
      await corpora.filling.intake(dropOf('x.hubmesh'))
      expect(store.state).toMatchObject({
        corpus: 'Second-home',
        engine: { corpus: 'Second-home' },
        corpusProblem: { code: 'archive/invalid' },
      })
      expect(desk.deleted).toEqual([])
      desk.refuse = null
      const dropped = corpora.filling.intake(dropOf('x.hubmesh'))
      await expect.poll(() => desk.adds.length).toBe(1)
      desk.adds[0]!.finish()
      await dropped
      expect(desk.adds.map(({ corpus, archive }) => [corpus, archive])).toEqual([
        ['Second-home', true],
      ])
      expect(store.state).toMatchObject({
        corpus: 'Second-home',
        reports: [{ label: 'x.hubmesh', added: 1 }],
      })
    },
  )

  it(
    'go nowhere but into corpora of their own where the open one holds something, was named ' +
      'by nobody, or several come',
    async () => {
      const store = new Store(),
        corpora = new Corpora(store)
      const open = async (name: string, saved: number, ...files: string[]): Promise<string[]> => {
        Object.assign(desk, { adds: [], saved })
        await corpora.open(name)
        const dropped = corpora.filling.intake({
          ...dropOf(''),
          files: files.map((file) => new File(['x'], file)),
        })
        for (const n of files.keys()) {
          await expect.poll(() => desk.adds.length).toBe(n + 1)
          desk.adds[n]!.finish()
        }
        await dropped
        return desk.adds.map(({ corpus }) => corpus)
      }
      expect(await open('full', 3, 'x.hubmesh')).toEqual(['x'])
      expect(await open('my-documents', 0, 'x.hubmesh')).toEqual(['x'])
      expect(await open('hotpotqa-sample', 0, 'x.hubmesh')).toEqual(['x'])
      expect(await open('empty', 0, 'y.hubmesh', 'z.hubmesh')).toEqual(['y', 'z'])
    },
  )
})

describe('an archive of which nothing comes', () => {
  it('leaves no corpus behind, and what was there before stands as it stood', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    await corpora.open('mine')
    store.set({
      asked: 'Who?',
      question: 'Who?',
      pinned: { question: 'When?', answer: {} as never },
    })
    desk.refuse = 'archive/invalid'
    let added = 0
    for (const archive of [
      new URL('https://docs.example/bad.hubmesh'),
      new File(['x'], 'bad.hubmesh'),
    ])
      await corpora.filling.begin('bad', 'bad.hubmesh', archive, () => {
        added++
      })
    expect([desk.opened, desk.deleted, added]).toEqual([
      ['mine', 'bad', 'mine', 'bad', 'mine'],
      ['bad', 'bad'],
      0,
    ])
    expect(store.state).toMatchObject({
      corpus: 'mine',
      engine: { corpus: 'mine' },
      boot: 'ready',
      adding: null,
      question: 'Who?',
      asked: 'Who?',
      pinned: { question: 'When?' },
      corpusProblem: { code: 'archive/invalid', remedy: 'none' },
    })
    expect(store.state.settings.corpus).toBe('mine')
    expect(store.state.settings.notes.has('bad')).toBe(false)
  })

  it('keeps the corpus where some of it was saved before it failed, and says what is in the way', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    await corpora.open('mine')
    Object.assign(desk, { refuse: 'store/quota', saved: 40 })
    await corpora.filling.begin('large', 'large.hubmesh', new File(['x'], 'large.hubmesh'))
    expect(desk.deleted).toEqual([])
    expect(store.state).toMatchObject({
      corpus: 'large',
      engine: { corpus: 'large' },
      adding: null,
      corpusProblem: { code: 'store/quota' },
    })
  })

  it('where no corpus was open, none is afterwards; “Try again” fetches it again', async () => {
    const store = new Store(),
      corpora = new Corpora(store),
      address = new URL('https://docs.example/late.hubmesh')
    desk.refuse = 'remote/unavailable'
    let added = 0
    await corpora.filling.begin('late', 'late.hubmesh', address, () => {
      added++
    })
    expect(store.state).toMatchObject({
      corpus: null,
      engine: null,
      boot: 'ready',
      corpusProblem: { code: 'remote/unavailable', remedy: 'retry' },
    })
    desk.refuse = null
    const again = corpora.retry()
    await expect.poll(() => desk.adds.length).toBe(1)
    desk.adds[0]!.finish()
    await again
    expect([
      desk.adds.map(({ corpus, input, archive }) => [corpus, input, archive]),
      added,
    ]).toEqual([[['late', address, true]], 1])
    expect(store.state).toMatchObject({ corpus: 'late', corpusProblem: null })
  })
})

describe('starting', () => {
  it('names every corpus that was filled and is gone, and forgets them when told to', async () => {
    desk.listed = ['here']
    const store = new Store(),
      corpora = new Corpora(store),
      seen = { passages: 4, changed: 1, bytes: null }
    store.set({
      settings: {
        ...DEFAULTS,
        corpus: 'here',
        notes: new Map([
          ['here', { ...seen, documents: 3 }],
          ['lost', { ...seen, documents: 3 }],
          ['also', { ...seen, documents: 1 }],
          ['empty', { ...seen, documents: 0 }],
        ]),
      },
    })
    await corpora.start()
    expect(store.state.gone).toEqual(['also', 'lost'])
    forgetGone(store)
    expect(store.state.gone).toEqual([])
    expect([...store.state.settings.notes.keys()].sort()).toEqual(['empty', 'here'])
  })

  it('opens a corpus that was filled and is gone, so that its loss is told', async () => {
    desk.listed = ['other']
    desk.fail.set('mine', 'store/evicted')
    const store = new Store(),
      corpora = new Corpora(store)
    store.set({
      settings: {
        ...DEFAULTS,
        corpus: 'mine',
        notes: new Map([['mine', { documents: 3, passages: 4, changed: 1, bytes: null }]]),
      },
    })
    await corpora.start()
    expect(store.state.corpusProblem).toMatchObject({ code: 'store/evicted', remedy: 'forget' })
    await corpora.delete('mine')
    expect(store.state).toMatchObject({ corpusProblem: null, corpus: null, boot: 'ready' })
  })

  it('passes over a corpus that never held anything', async () => {
    desk.listed = ['other']
    const store = new Store(),
      corpora = new Corpora(store)
    store.set({ settings: { ...DEFAULTS, corpus: 'mine' } })
    await corpora.start()
    expect(desk.opened).toEqual(['other'])
  })
})

describe('one corpus at a time', () => {
  it('of several that are opened in a hurry, the last is open and none is left behind', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    await corpora.open('a')
    await Promise.all(['b', 'c', 'a', 'b', 'd'].map((name) => corpora.open(name)))
    expect(store.state).toMatchObject({ corpus: 'd', boot: 'ready', engine: { corpus: 'd' } })
    expect(desk.opened.filter((name) => !desk.closed.includes(name))).toEqual(['d'])
    await Promise.all([corpora.open('e'), corpora.open('d')])
    expect(store.state).toMatchObject({ corpus: 'd', boot: 'ready', engine: { corpus: 'd' } })
  })

  it('one that is opened while documents come in is opened once they are in', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    const added = corpora.filling.text('first', 'one')
    await expect.poll(() => desk.adds.length).toBe(1)
    const opened = corpora.open('other')
    expect(desk.adds[0]!.aborted()).toBe(false)
    desk.adds[0]!.finish()
    await Promise.all([added, opened])
    expect(store.state).toMatchObject({ corpus: 'other', adding: null, reports: [{ added: 1 }] })
  })

  it('a deleted one takes what waits for it along, and nothing brings it back', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    const adds = [corpora.filling.text('first', 'one'), corpora.filling.text('second', 'two')]
    await expect.poll(() => desk.adds.length).toBe(1)
    const gone = corpora.delete('my-documents')
    expect([desk.adds[0]!.aborted(), store.state.waiting, store.state.deleting]).toEqual([
      true,
      0,
      'my-documents',
    ])
    desk.adds[0]!.finish()
    await Promise.all([...adds, gone])
    expect([desk.opened, desk.deleted, desk.adds.length]).toEqual([
      ['my-documents'],
      ['my-documents'],
      1,
    ])
    expect(store.state).toMatchObject({ corpus: null, engine: null, deleting: null })
  })

  it('one that another tab holds is shown again, and said not to be deleted', async () => {
    const store = new Store(),
      corpora = new Corpora(store)
    await corpora.open('mine')
    desk.held = 'writer/not-leader'
    await corpora.delete('mine')
    expect(store.state).toMatchObject({
      corpus: 'mine',
      boot: 'ready',
      deleting: null,
      engine: { corpus: 'mine' },
      corpusProblem: { code: 'writer/not-leader', remedy: 'none' },
    })
    expect(store.state.corpusProblem!.help).toContain('It was not deleted.')
  })
})

describe('a browser that refuses to save', () => {
  it(
    'is told of at the start; in memory, what was dropped is taken, and no corpus is lost by ' +
      'opening another',
    async () => {
      desk.listing = 'store/unavailable'
      desk.fail.set('my-documents', 'store/unavailable')
      const store = new Store(),
        corpora = new Corpora(store)
      await corpora.start()
      expect(store.state).toMatchObject({ boot: 'failed', corpusProblem: { remedy: 'memory' } })
      await corpora.filling.intake(dropOf('one.txt'))
      expect(store.state).toMatchObject({ corpusProblem: { remedy: 'memory' } })
      desk.fail.clear()
      const memory = corpora.openInMemory()
      await expect.poll(() => desk.adds.length).toBe(1)
      desk.adds[0]!.finish()
      await memory
      expect(store.state).toMatchObject({
        corpus: 'my-documents',
        boot: 'ready',
        corpusProblem: null,
        reports: [{ added: 1 }],
      })
      const first = store.state.engine
      await corpora.create('second')
      expect(store.state.corpora.map(({ name }) => name)).toEqual(['second', 'my-documents'])
      await corpora.open('my-documents')
      expect([store.state.engine === first, desk.closed]).toEqual([true, []])
    },
  )
})

it('what could not be added is told also where more comes after it', async () => {
  const store = new Store(),
    corpora = new Corpora(store)
  desk.refuse = 'archive/invalid'
  const dropped = corpora.filling.intake({
    files: [new File(['x'], 'bad.hubmesh'), new File(['y'], 'notes.txt')],
    leftAside: 0,
    unreadable: [{ name: 'locked.txt', code: 'input/invalid', reason: 'no' }],
    folder: null,
  })
  await expect.poll(() => desk.adds.length).toBe(1)
  desk.adds[0]!.finish()
  await dropped
  expect(
    store.state.reports.map(({ label, added, rejected }) => [
      label,
      added,
      rejected.map(({ name }) => name),
    ]),
  ).toEqual([
    ['bad.hubmesh', 0, ['bad.hubmesh']],
    ['1 file', 1, ['locked.txt']],
  ])
})
