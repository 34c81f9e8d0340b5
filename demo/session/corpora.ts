/**
 * Owns opening, switching, filling and deleting corpora. Refuses: two saved corpora open at once.
 */
import type { Engine, EngineStatus } from '../../src/index.ts'
import { deleteSavedCorpus, openEngine, savedCorpora } from '../platform/engine.ts'
import { isArchive, type Intake } from '../platform/intake.ts'
import { nameOfArchive } from '../platform/links.ts'
import { fetchSample, SAMPLE } from '../platform/sample.ts'
import { forget, note, saveSettings, weigh, type Settings } from '../platform/settings.ts'
import { corpusLabel, freeName, OWN_CORPUS } from '../words/corpus_name.ts'
import { counted } from '../words/format.ts'
import { notDeleted, problemOf, type Problem } from '../words/problems.ts'
import { vectorNews } from '../words/states.ts'
import { Additions, type Before } from './additions.ts'
import { bytesOf } from './bytes_of.ts'
import { goneOf } from './entries.ts'
import { Parking } from './parking.ts'
import { suggestionsOf } from './suggestions.ts'
import { opening, type State, type Store } from './state.ts'
import { archiveInto, documentsInto } from './targets.ts'

export class Corpora {
  readonly #store: Store
  readonly #additions: Additions
  #unsubscribe: (() => void) | null = null
  #storage: 'indexeddb' | 'memory' = 'indexeddb'
  #open: Engine | null = null
  readonly #parking = new Parking()
  #looking: AbortController | null = null
  /** Of several that a person opened, the last is meant. */
  #turn = 0

  constructor(store: Store) {
    this.#store = store
    this.#additions = new Additions(store, {
      enter: (corpus) => this.#enter(corpus),
      filled: (engine) => this.#filled(engine),
      takeBack: (engine, before, why) => this.#takeBack(engine, before, why),
    })
  }

  /** Opens the corpus that was open last, if it is still there. */
  async start(): Promise<void> {
    const listed = await this.#refreshList()
    const { corpora, settings } = this.#store.state,
      found = corpora.find((entry) => entry.name === settings.corpus) ?? corpora[0]
    this.#store.set({ gone: goneOf(settings, corpora) })
    // A corpus that held documents and is gone is opened all the same: the engine knows whether the
    // browser cleared it, and says so.
    const last =
      settings.corpus !== null && (settings.notes.get(settings.corpus)?.documents ?? 0) > 0
        ? settings.corpus
        : found?.name
    if (last !== undefined && listed) await this.open(last)
    else this.#store.set({ boot: listed ? 'ready' : 'failed' })
  }

  /**
   * Opens `name`, which need not exist yet, after what is being added; gives null where that fails
   * or another was opened meanwhile.
   */
  open(name: string): Promise<Engine | null> {
    const { engine, corpus } = this.#store.state,
      turn = ++this.#turn
    if (engine && corpus === name) return Promise.resolve(engine)
    if (this.#additions.idle) this.#store.set({ reports: [], ...opening(name) })
    return this.#additions.inLine(async () =>
      turn === this.#turn ? await this.#enter(name) : null,
    )
  }

  /** After a refused storage, and only on request; what could not be added is added now. */
  async openInMemory(): Promise<void> {
    this.#storage = 'memory'
    this.#store.set({ corpus: this.#store.state.corpus ?? OWN_CORPUS })
    await this.retry()
  }

  async retry(): Promise<void> {
    const { corpus } = this.#store.state
    this.#store.set({ corpusProblem: null })
    await this.#additions.inLine(async () => {
      // In memory there is nothing to open again from, as long as it lives.
      if (
        this.#storage === 'memory' &&
        (await this.#open?.status().then(
          () => true,
          () => false,
        ))
      )
        return
      this.#unsubscribe?.()
      this.#store.set({ engine: null })
      await this.#open?.close().catch(() => undefined)
      this.#open = null
    })
    if (await this.#additions.again()) return
    if (corpus !== null) await this.open(corpus)
    else await this.start()
  }

  async addSample(): Promise<void> {
    await this.#additions.take({
      corpus: SAMPLE.corpus,
      label: 'the sample',
      read: async (signal) => [await fetchSample(signal)],
    })
  }

  /**
   * Looks through a drop or a choice, which takes its time for a large folder, then adds what it
   * holds.
   */
  async addFound(
    look: (found: (files: number) => void, signal: AbortSignal) => Promise<Intake>,
  ): Promise<void> {
    const looking = new AbortController()
    this.#looking = looking
    this.#store.set({ found: 0, announcement: 'Looking through what was dropped.' })
    try {
      const intake = await look((found) => {
        this.#store.set({ found })
      }, looking.signal)
      this.#store.set({ found: null })
      await this.addIntake(intake)
    } catch (error) {
      this.#store.set({ found: null, corpusProblem: problemOf(error) })
    }
  }

  /** Leaves a drop aside that is still looked through. */
  stopLooking(): void {
    this.#looking?.abort()
  }

  /**
   * Dropped or chosen files go into the open corpus of one's own, else into a new one named after
   * the folder.
   */
  async addIntake(intake: Intake): Promise<void> {
    const { files, leftAside, unreadable } = intake,
      archives = files.filter(isArchive),
      rest = files.filter((file) => !isArchive(file))
    if (files.length === 0) {
      this.#additions.tell({
        label: 'nothing',
        added: 0,
        unchanged: 0,
        replaced: 0,
        leftAside,
        rejected: unreadable,
      })
      return
    }
    const into = rest.length === 0 && this.#additions.idle ? archiveInto(this.#store.state) : null,
      [only, ...more] = archives
    if (into !== null && only !== undefined && more.length === 0) {
      await this.#additions.take({
        corpus: into,
        label: only.name,
        read: () => Promise.resolve(only),
        leftAside,
        unreadable,
      })
      return
    }
    // Any other archive is a corpus of its own, named after the file.
    const named: { readonly file: File; readonly corpus: string }[] = []
    for (const file of archives)
      named.push({
        file,
        corpus: this.fresh(
          nameOfArchive(file.name),
          named.map(({ corpus }) => corpus),
        ),
      })
    await Promise.all([
      ...named.map(({ file, corpus }) => this.begin(corpus, file.name, file)),
      ...(rest.length > 0
        ? [
            this.#additions.take({
              corpus: documentsInto(this.#store.state, intake.folder),
              label: counted(rest.length, 'file'),
              read: () => Promise.resolve(rest),
              leftAside,
              unreadable,
            }),
          ]
        : []),
    ])
  }

  async addText(title: string, text: string): Promise<void> {
    await this.#additions.take({
      corpus: documentsInto(this.#store.state, null),
      label: 'pasted text',
      read: () => Promise.resolve([title.trim() === '' ? { text } : { title: title.trim(), text }]),
    })
  }

  async create(words: string): Promise<void> {
    await this.open(this.fresh(words))
    await this.#refreshList()
  }

  /**
   * Begins `corpus` with an archive, in its turn; it ends again where nothing comes of it. `added`
   * is called once it is in.
   */
  begin(
    corpus: string,
    label: string,
    archive: File | URL,
    added: () => void = () => undefined,
  ): Promise<void> {
    return this.#additions.take({
      corpus,
      label,
      read: () => Promise.resolve(archive),
      begins: true,
      added,
    })
  }

  /** A name that no corpus has, nor any of `others`. */
  fresh(words: string, others: readonly string[] = []): string {
    const { corpora, corpus } = this.#store.state
    return freeName(
      words,
      new Set([
        ...corpora.map((entry) => entry.name),
        ...(corpus === null ? [] : [corpus]),
        ...others,
      ]),
    )
  }

  /** Forgets corpora that are gone. */
  forgetGone(): void {
    let { settings } = this.#store.state
    for (const name of this.#store.state.gone) settings = forget(settings, name)
    saveSettings(settings)
    this.#store.set({ settings, gone: [] })
  }

  cancel(): void {
    this.#additions.cancel()
  }

  async pause(): Promise<void> {
    await this.#guard((engine) => engine.pauseEmbedding())
  }

  async resume(): Promise<void> {
    await this.#guard((engine) => engine.resumeEmbedding())
  }

  /**
   * Nothing more is added to it, and questions to it end; where it cannot be deleted it is shown
   * again, with the reason.
   */
  async delete(name: string): Promise<void> {
    this.#additions.drop(name)
    this.#store.set({ deleting: name })
    await this.#additions.inLine(async () => {
      const shown = this.#store.state.corpus === name,
        engine = this.#open?.corpus === name ? this.#open : this.#parking.get(name)
      if (shown) {
        this.#unsubscribe?.()
        this.#store.set({ ...opening(name), reports: [] })
      }
      if (engine === this.#open) this.#open = null
      try {
        await (engine ? engine.destroy() : deleteSavedCorpus(name))
      } catch (error) {
        const problem = problemOf(error)
        if (problem.code !== 'corpus/not-found') {
          this.#store.set({ deleting: null })
          // A destruction that fails leaves the engine of no use, and its worker alive.
          await engine?.close().catch(() => undefined)
          if (shown) await this.#enter(name)
          this.#store.set({ corpusProblem: notDeleted(problem) })
          return
        }
      }
      this.#parking.drop(name)
      this.#keep(forget(this.#store.state.settings, name))
      this.#store.set({
        deleting: null,
        corpusProblem: null,
        announcement: `${corpusLabel(name)} deleted.`,
        ...(shown ? { corpus: null, boot: 'ready' } : {}),
      })
    })
    await this.#refreshList()
  }

  /** Makes it the open corpus. Called in line only. */
  async #enter(name: string): Promise<Engine | null> {
    const { engine: shown } = this.#store.state
    if (shown !== null && shown === this.#open && shown.corpus === name) return shown
    this.#unsubscribe?.()
    this.#store.set(opening(name))
    try {
      if (this.#open?.corpus !== name) {
        await this.#leave()
        this.#open = (await this.#parking.take(name)) ?? (await openEngine(name, this.#storage))
      }
      const engine = this.#open
      this.#unsubscribe = engine.onStatus((status) => {
        this.#hear(status)
      })
      this.#store.set({ boot: 'ready', engine, status: await engine.status() })
      this.#keep({ corpus: name })
      void this.#suggest(engine)
      void this.#weigh()
      return engine
    } catch (error) {
      this.#store.set({ boot: 'failed', engine: null, corpusProblem: problemOf(error) })
      return null
    }
  }

  async #leave(): Promise<void> {
    const engine = this.#open
    this.#open = null
    if (!engine) return
    return this.#storage === 'indexeddb' ? engine.close() : this.#parking.put(engine)
  }

  /**
   * Ends a corpus that was begun for an archive of which nothing came, and shows what was there
   * before, its answer too. Called in line only.
   */
  async #takeBack(engine: Engine, before: Before, why: Problem | null): Promise<void> {
    this.#unsubscribe?.()
    this.#open = null
    await engine.destroy().catch(() => engine.close().catch(() => undefined))
    this.#keep(forget(this.#store.state.settings, engine.corpus))
    const shown = before.corpus === null || (await this.#enter(before.corpus)) !== null
    if (before.corpus === null) this.#store.set({ ...opening(engine.corpus), boot: 'ready' })
    await this.#refreshList()
    if (shown) this.#store.set({ ...before, corpusProblem: why })
  }

  async #filled(engine: Engine): Promise<void> {
    await this.#refreshList()
    if (this.#store.state.engine === engine)
      await Promise.all([this.#suggest(engine), this.#weigh()])
  }

  async #guard(act: (engine: Engine) => Promise<unknown>): Promise<void> {
    const { engine } = this.#store.state
    if (!engine) return
    try {
      await act(engine)
    } catch (error) {
      this.#store.set({ corpusProblem: problemOf(error) })
    }
  }

  #hear(status: EngineStatus): void {
    const before = this.#store.state.status
    this.#store.set({ status })
    this.#note(status)
    const news = vectorNews(before, status)
    if (news !== null) this.#store.set({ announcement: news })
    if (status.generation !== before?.generation) void this.#refreshList()
  }

  #note(status: EngineStatus): void {
    // What was in memory alone is not missed later.
    if (status.storage.kind === 'memory') return
    const { settings } = this.#store.state,
      noted = note(
        settings,
        status.corpus,
        { documents: status.documents, passages: status.passages },
        Date.now(),
      )
    if (noted !== settings) this.#keep(noted)
  }

  async #suggest(engine: Engine): Promise<void> {
    const suggested = await suggestionsOf(engine)
    if (this.#store.state.engine === engine) this.#store.set(suggested)
  }

  async #weigh(): Promise<void> {
    const { engine, status } = this.#store.state
    const bytes = engine && status ? await bytesOf(engine, status) : null
    if (engine && bytes !== null)
      this.#keep({ notes: weigh(this.#store.state.settings, engine.corpus, bytes).notes })
  }

  /** False where the browser does not let the page look. */
  async #refreshList(): Promise<boolean> {
    try {
      this.#store.set({
        corpora: this.#storage === 'memory' ? this.#inMemory() : await savedCorpora(),
      })
      return true
    } catch (error) {
      this.#store.set({ corpusProblem: problemOf(error) })
      return false
    }
  }

  #inMemory(): State['corpora'] {
    const open =
      this.#open === null
        ? []
        : [
            {
              name: this.#open.corpus,
              documents: this.#store.state.status?.documents ?? 0,
              bytes: null,
            },
          ]
    return [...open, ...this.#parking.entries()]
  }

  #keep(change: Partial<Settings>): void {
    this.#store.set({ settings: { ...this.#store.state.settings, ...change } })
    saveSettings(this.#store.state.settings)
  }
}
