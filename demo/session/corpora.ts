/** Opening, switching and deleting corpora; one saved corpus is open at a time. */
import type { Engine, EngineStatus } from '../../src/index.ts'
import { deleteSavedCorpus, openEngine, savedCorpora } from '../platform/engine.ts'
import { modelCosts } from '../platform/metered.ts'
import { forget, saveSettings, type Settings } from '../platform/settings.ts'
import { corpusLabel, freeName, OWN_CORPUS } from '../words/corpus_name.ts'
import { notDeleted, problemOf, type Problem } from '../words/problems.ts'
import { vectorNews } from '../words/states.ts'
import { words as spoken } from '../words/words.ts'
import { Additions, type Before } from './additions.ts'
import { goneOf } from './entries.ts'
import { openExample, untouched } from './example.ts'
import { noteStatus, weighCorpus } from './notes.ts'
import { Parking } from './parking.ts'
import { suggestionsOf } from './suggestions.ts'
import { opening, type Store } from './state.ts'
import { forgetThreads } from './threads.ts'
import { Documents } from './documents.ts'
import { Filling } from './filling.ts'

export class Corpora {
  readonly store: Store
  private readonly additions: Additions
  readonly filling: Filling
  readonly documents: Documents
  private unsubscribe: (() => void) | null = null
  private storage: 'indexeddb' | 'memory' = 'indexeddb'
  private current: Engine | null = null
  private readonly parking = new Parking()
  /** Of several that a person opened, the last is meant. */
  private turn = 0
  /** The open engine is the example's, which is in memory and ends when another is opened. */
  private exampled = false
  /** A person agreed to load the meaning model on a metered connection. */
  private agreed = false

  constructor(store: Store) {
    this.store = store
    this.additions = new Additions(store, {
      enter: (corpus) => this.enter(corpus),
      filled: (engine) => this.filled(engine),
      takeBack: (engine, before, why) => this.takeBack(engine, before, why),
    })
    this.documents = new Documents(store, this.additions)
    this.filling = new Filling(store, this.additions, (words, others) => this.fresh(words, others))
  }

  /** Opens the corpus that was open last, if it is still there. */
  async start(): Promise<void> {
    const listed = await this.refreshList()
    const { corpora, settings } = this.store.state,
      found = corpora.find((entry) => entry.name === settings.corpus) ?? corpora[0]
    this.store.set({ gone: goneOf(settings, corpora) })
    // A corpus that held documents and is gone is opened all the same: the engine knows whether the
    // browser cleared it, and says so.
    const last =
      settings.corpus !== null && (settings.notes.get(settings.corpus)?.documents ?? 0) > 0
        ? settings.corpus
        : found?.name
    if (last !== undefined && listed) await this.open(last)
    else this.store.set({ boot: listed ? 'ready' : 'failed' })
  }

  /**
   * Opens `name`, which need not exist yet, after what is being added; gives null where that fails
   * or another was opened meanwhile.
   */
  open(name: string): Promise<Engine | null> {
    const { engine, corpus } = this.store.state,
      turn = ++this.turn
    if (engine && corpus === name && !this.exampled) return Promise.resolve(engine)
    if (this.additions.idle) this.store.set({ reports: [], ...opening(name) })
    return this.additions.inLine(async () => (turn === this.turn ? await this.enter(name) : null))
  }

  /** After a refused storage, and only on request; what could not be added is added now. */
  async openInMemory(): Promise<void> {
    this.storage = 'memory'
    this.store.set({ corpus: this.store.state.corpus ?? OWN_CORPUS })
    await this.retry()
  }

  async retry(): Promise<void> {
    const { corpus } = this.store.state
    this.store.set({ corpusProblem: null })
    await this.additions.inLine(async () => {
      // In memory there is nothing to open again from, as long as it lives.
      if (
        this.storage === 'memory' &&
        (await this.current?.status().then(
          () => true,
          () => false,
        ))
      )
        return
      this.unsubscribe?.()
      this.store.set({ engine: null })
      await this.current?.close().catch(() => undefined)
      this.current = null
    })
    if (await this.additions.again()) return
    if (corpus !== null) await this.open(corpus)
    else await this.start()
  }

  async create(words: string): Promise<void> {
    await this.open(this.fresh(words))
    await this.refreshList()
  }

  /** A name that no corpus has, nor any of `others`. */
  fresh(words: string, others: readonly string[] = []): string {
    const { corpora, corpus } = this.store.state
    return freeName(
      words,
      new Set([
        ...corpora.map((entry) => entry.name),
        ...(corpus === null ? [] : [corpus]),
        ...others,
      ]),
    )
  }

  /** Begins with the example; false where a person began with something else meanwhile. */
  async example(): Promise<boolean> {
    return this.additions.inLine(async () => {
      if (!untouched(this.store.state)) return false
      const engine = await openExample()
      if (engine === null) return false
      if (!untouched(this.store.state)) {
        await engine.close()
        return false
      }
      this.current = engine
      this.exampled = true
      const status = await engine.status()
      this.store.set({ ...opening(engine.corpus), boot: 'ready', engine, status, example: true })
      await this.suggest(engine)
      return true
    })
  }

  /** Loads the meaning model on a metered connection, as a person agreed to. */
  async loadMeaning(): Promise<void> {
    this.agreed = true
    await this.reopen()
  }

  /** Opens the open corpus anew, with what settings and consent say now. */
  private async reopen(): Promise<void> {
    const { corpus } = this.store.state
    if (corpus === null) return
    await this.additions.inLine(async () => {
      this.unsubscribe?.()
      this.store.set({ engine: null })
      await this.current?.close().catch(() => undefined)
      this.current = null
      await this.enter(corpus)
    })
  }

  /**
   * Nothing more is added to it, and questions to it end; where it cannot be deleted it is shown
   * again, with the reason.
   */
  async delete(name: string): Promise<void> {
    this.additions.drop(name)
    this.store.set({ deleting: name })
    await this.additions.inLine(async () => {
      const shown = this.store.state.corpus === name,
        engine = this.current?.corpus === name ? this.current : this.parking.get(name)
      if (shown) {
        this.unsubscribe?.()
        this.store.set({ ...opening(name), reports: [] })
      }
      if (engine === this.current) this.current = null
      try {
        await (engine ? engine.destroy() : deleteSavedCorpus(name))
      } catch (error) {
        const problem = problemOf(error)
        if (problem.code !== 'corpus/not-found') {
          this.store.set({ deleting: null })
          // A destruction that fails leaves the engine of no use, and its worker alive.
          await engine?.close().catch(() => undefined)
          if (shown) await this.enter(name)
          this.store.set({ corpusProblem: notDeleted(problem) })
          return
        }
      }
      this.parking.drop(name)
      forgetThreads(name)
      this.keep(forget(this.store.state.settings, name))
      this.store.set({
        deleting: null,
        corpusProblem: null,
        announcement: spoken().report.deleted(corpusLabel(name)),
        ...(shown ? { corpus: null, boot: 'ready' } : {}),
      })
    })
    await this.refreshList()
  }

  /** Makes it the open corpus. Called in line only. */
  private async enter(name: string): Promise<Engine | null> {
    const { engine: shown } = this.store.state
    if (shown !== null && shown === this.current && shown.corpus === name && !this.exampled)
      return shown
    this.unsubscribe?.()
    this.store.set(opening(name))
    try {
      const metered = !this.agreed && (await modelCosts())
      if (this.current?.corpus !== name || this.exampled) {
        await this.leave()
        this.current =
          (await this.parking.take(name)) ??
          (await openEngine(name, this.storage, {
            meaning: !metered,
            index: this.store.state.settings.index,
          }))
      }
      const engine = this.current
      this.unsubscribe = engine.onStatus((status) => {
        this.hear(status)
      })
      this.store.set({ boot: 'ready', engine, metered, status: await engine.status() })
      this.keep({ corpus: name })
      void this.suggest(engine)
      void weighCorpus(this.store)
      return engine
    } catch (error) {
      this.store.set({ boot: 'failed', engine: null, corpusProblem: problemOf(error) })
      return null
    }
  }

  private async leave(): Promise<void> {
    const engine = this.current
    this.current = null
    if (!engine) return
    const example = this.exampled
    this.exampled = false
    return this.storage === 'indexeddb' || example ? engine.close() : this.parking.put(engine)
  }

  /**
   * Ends a corpus that was begun for an archive of which nothing came, and shows what was there
   * before, its answer too. Called in line only.
   */
  private async takeBack(engine: Engine, before: Before, why: Problem | null): Promise<void> {
    this.unsubscribe?.()
    this.current = null
    await engine.destroy().catch(() => engine.close().catch(() => undefined))
    this.keep(forget(this.store.state.settings, engine.corpus))
    const shown = before.corpus === null || (await this.enter(before.corpus)) !== null
    if (before.corpus === null) this.store.set({ ...opening(engine.corpus), boot: 'ready' })
    await this.refreshList()
    if (shown) this.store.set({ ...before, corpusProblem: why })
  }

  private async filled(engine: Engine): Promise<void> {
    await this.refreshList()
    if (this.store.state.engine === engine)
      await Promise.all([this.suggest(engine), weighCorpus(this.store)])
  }

  private hear(status: EngineStatus): void {
    const before = this.store.state.status
    this.store.set({ status })
    noteStatus(this.store, status)
    const news = vectorNews(before, status)
    if (news !== null) this.store.set({ announcement: news })
    if (status.generation !== before?.generation) void this.refreshList()
  }

  private async suggest(engine: Engine): Promise<void> {
    const suggested = await suggestionsOf(engine)
    if (this.store.state.engine === engine) this.store.set(suggested)
  }

  /** False where the browser does not let the page look. */
  private async refreshList(): Promise<boolean> {
    try {
      this.store.set({
        corpora:
          this.storage === 'memory'
            ? this.parking.listed(this.current, this.store.state.status)
            : await savedCorpora(),
      })
      return true
    } catch (error) {
      this.store.set({ corpusProblem: problemOf(error) })
      return false
    }
  }

  private keep(change: Partial<Settings>): void {
    this.store.set({ settings: { ...this.store.state.settings, ...change } })
    saveSettings(this.store.state.settings)
  }
}
