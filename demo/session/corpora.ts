/** Owns opening, switching, filling and deleting corpora. Refuses: two engines open at once. */
import type { AddInput, AddOptions, Engine, EngineStatus } from '../../src/index.ts'
import { deleteSavedCorpus, openEngine, savedCorpora } from '../platform/engine.ts'
import { isArchive, type Intake } from '../platform/intake.ts'
import { nameOfArchive } from '../platform/links.ts'
import { fetchSample, fetchSampleQuestions, SAMPLE } from '../platform/sample.ts'
import { forget, note, saveSettings, weigh, type Settings } from '../platform/settings.ts'
import { corpusLabel, freeName, OWN_CORPUS } from '../words/corpus_name.ts'
import { counted } from '../words/format.ts'
import { isAborted, problemOf } from '../words/problems.ts'
import { bytesOf } from './bytes_of.ts'
import { EMPTY_ASK, type AddReport, type Store } from './state.ts'

export class Corpora {
  readonly #store: Store
  #unsubscribe: (() => void) | null = null
  #adding: AbortController | null = null
  #storage: 'indexeddb' | 'memory' = 'indexeddb'
  /** True while a corpus is opened for an addition, not for a person. */
  #queued = false
  /** Ends with the last addition that was asked for. */
  #line: Promise<void> = Promise.resolve()
  /** Additions that could not be made since the page last had none under way, to be made again. */
  #failed: { readonly corpus: string; readonly add: () => Promise<void> }[] = []

  constructor(store: Store) {
    this.#store = store
  }

  /** Opens the corpus that was open last, if it is still there. */
  async start(): Promise<void> {
    await this.#refreshList()
    const { corpora, settings } = this.#store.state
    this.#tellGone()
    const listed = corpora.find((entry) => entry.name === settings.corpus) ?? corpora[0]
    // A corpus that held documents and is gone is opened all the same: the engine knows whether the browser cleared it, and says so.
    const last = settings.corpus !== null && (settings.notes.get(settings.corpus)?.documents ?? 0) > 0 ? settings.corpus : listed?.name
    if (last !== undefined) await this.open(last)
    else this.#store.set({ boot: 'ready' })
  }

  /** Closes what is open and opens `name`, which need not exist yet. */
  async open(name: string): Promise<Engine | null> {
    const { state } = this.#store
    if (state.engine && state.corpus === name) return state.engine
    this.#adding?.abort()
    if (!this.#queued) this.#store.set({ reports: [] })
    this.#unsubscribe?.()
    this.#store.set({ boot: 'opening', corpus: name, engine: null, status: null, corpusProblem: null, suggestions: [], hubs: [], ...EMPTY_ASK })
    try {
      await state.engine?.close()
      const engine = await openEngine(name, this.#storage)
      this.#unsubscribe = engine.onStatus((status) => { this.#hear(status) })
      this.#store.set({ boot: 'ready', engine, status: await engine.status() })
      this.#keep({ corpus: name })
      void this.#suggest(name)
      void this.#weigh()
      return engine
    } catch (error) {
      this.#store.set({ boot: 'failed', engine: null, corpusProblem: problemOf(error) })
      return null
    }
  }

  /** After a refused storage, and only on request. */
  async openInMemory(): Promise<void> {
    this.#storage = 'memory'
    await this.open(this.#store.state.corpus ?? OWN_CORPUS)
  }

  async retry(): Promise<void> {
    const { corpus, engine } = this.#store.state
    this.#unsubscribe?.()
    this.#store.set({ engine: null, corpusProblem: null })
    await engine?.close().catch(() => undefined)
    // What was dropped and could not be taken is taken now: nobody should have to drop it again.
    const failed = this.#failed.splice(0).filter((addition) => addition.corpus === corpus)
    if (failed.length > 0) await Promise.all(failed.map((addition) => this.#inTurn(addition.corpus, addition.add)))
    else if (corpus) await this.open(corpus)
    else await this.start()
  }

  async addSample(): Promise<void> {
    await this.#inTurn(SAMPLE.corpus, () => this.#add('the sample', async (signal) => [await fetchSample(signal)], 0))
  }

  /** Dropped or chosen files go into the open corpus of one's own, else into a new one named after the folder. */
  async addIntake(intake: Intake): Promise<void> {
    const archives = intake.files.filter(isArchive)
    if (archives.length > 0) {
      // An archive is a corpus of its own, named after the file.
      const rest = intake.files.filter((file) => !isArchive(file)), named = archives.map((file) => ({ file, corpus: this.fresh(nameOfArchive(file.name)) }))
      await Promise.all([...named.map(({ file, corpus }) => this.take(corpus, file.name, () => Promise.resolve(file))), ...(rest.length > 0 ? [this.addIntake({ ...intake, files: rest })] : [])])
      return
    }
    if (intake.files.length === 0) {
      this.#store.set({ reports: [...this.#kept(), { label: 'nothing', added: 0, unchanged: 0, replaced: 0, leftAside: intake.leftAside, rejected: [] }] })
      return
    }
    await this.#inTurn(this.target(intake.folder), () => this.#add(counted(intake.files.length, 'file'), () => Promise.resolve(intake.files), intake.leftAside))
  }

  async addText(title: string, text: string): Promise<void> {
    await this.#inTurn(this.target(null), () => this.#add('pasted text', () => Promise.resolve([title.trim() === '' ? { text } : { title: title.trim(), text }]), 0))
  }

  /** The corpus that additions go into: never the sample. */
  target(folder: string | null): string {
    const { corpus, corpora } = this.#store.state
    if (corpus !== null && corpus !== SAMPLE.corpus) return corpus
    return folder === null ? OWN_CORPUS : freeName(folder, new Set(corpora.map((entry) => entry.name)))
  }

  async create(words: string): Promise<void> {
    await this.open(this.fresh(words))
    await this.#refreshList()
  }

  /** Adds to `corpus`, in its turn: documents, or an archive. */
  take(corpus: string, label: string, read: (signal: AbortSignal) => Promise<AddInput | Blob>): Promise<void> {
    return this.#inTurn(corpus, () => this.#add(label, read, 0))
  }

  /** A name that no corpus has. */
  fresh(words: string): string {
    const { corpora, corpus } = this.#store.state
    return freeName(words, new Set([...corpora.map((entry) => entry.name), ...(corpus === null ? [] : [corpus])]))
  }

  /** Forgets corpora that are gone. */
  forgetGone(): void {
    let { settings } = this.#store.state
    for (const name of this.#store.state.gone) settings = forget(settings, name)
    saveSettings(settings)
    this.#store.set({ settings, gone: [] })
  }

  /** A page that was cleared lost all its corpora: each that held documents is named, not only the one that was open. */
  #tellGone(): void {
    const { corpora, settings } = this.#store.state
    const gone = [...settings.notes].filter(([name, seen]) => seen.documents > 0 && name !== settings.corpus && !corpora.some((entry) => entry.name === name)).map(([name]) => name).sort()
    if (gone.length > 0) this.#store.set({ gone })
  }

  #taken(): ReadonlySet<string> {
    return new Set([...this.#store.state.corpora.map((entry) => entry.name), ...(this.#store.state.corpus === null ? [] : [this.#store.state.corpus])])
  }

  /** Shows what went wrong outside the engine, as a folder that could not be walked. */
  report(error: unknown): void {
    this.#store.set({ corpusProblem: problemOf(error) })
  }

  /** Takes effect at the next document that is whole; what is saved by then stays. */
  cancel(): void {
    this.#adding?.abort()
    const { adding } = this.#store.state
    if (adding) this.#store.set({ adding: { ...adding, cancelling: true } })
  }

  async pause(): Promise<void> {
    await this.#guard((engine) => engine.pauseEmbedding())
  }

  async resume(): Promise<void> {
    await this.#guard((engine) => engine.resumeEmbedding())
  }

  async delete(name: string): Promise<void> {
    const { corpus, engine } = this.#store.state
    try {
      if (corpus === name) {
        this.#adding?.abort()
        this.#unsubscribe?.()
        this.#store.set({ corpus: null, engine: null, status: null, reports: [], suggestions: [], hubs: [], ...EMPTY_ASK })
        await engine?.destroy()
        if (!engine) await deleteSavedCorpus(name)
      } else await deleteSavedCorpus(name)
      const settings = forget(this.#store.state.settings, name)
      saveSettings(settings)
      this.#store.set({ settings })
      this.#store.set({ boot: 'ready', corpusProblem: null, announcement: `${corpusLabel(name)} deleted.` })
    } catch (error) {
      this.#store.set({ corpusProblem: problemOf(error) })
    }
    await this.#refreshList()
  }

  /** One addition after the other: what is dropped while one is under way waits for its turn, and neither is lost. */
  #inTurn(corpus: string, add: () => Promise<void>): Promise<void> {
    const wait = (by: number): void => { this.#store.set({ waiting: this.#store.state.waiting + by }) }
    const reports = this.#kept(), { adding, waiting } = this.#store.state
    if (adding === null && waiting === 0) this.#failed = []
    this.#store.set(adding === null && waiting === 0 ? { reports, corpusProblem: null } : { reports })
    wait(1)
    this.#line = this.#line.then(async () => {
      this.#queued = true
      wait(-1)
      if (await this.open(corpus)) await add()
      else this.#failed.push({ corpus, add })
      this.#queued = false
    })
    return this.#line
  }

  /** The reports that still count: those of a queue that is not empty. A person who comes back to an idle page is told of the new addition alone. */
  #kept(): readonly AddReport[] {
    const { adding, waiting, reports } = this.#store.state
    return adding !== null || waiting > 0 ? reports : []
  }

  async #add(label: string, read: (signal: AbortSignal) => Promise<AddInput | Blob>, leftAside: number): Promise<void> {
    const { engine } = this.#store.state
    if (!engine) return
    const adding = new AbortController()
    this.#adding = adding
    this.#store.set({ adding: { label, progress: null, cancelling: false }, announcement: `Adding ${label}.` })
    try {
      const options: AddOptions = {
        onConflict: 'replace', onInvalid: 'skip', signal: adding.signal,
        onProgress: (progress) => { if (this.#adding === adding) this.#store.set({ adding: { label, progress, cancelling: adding.signal.aborted } }) },
      }
      const input = await read(adding.signal)
      const result = input instanceof Blob && !(input instanceof File && !isArchive(input)) ? await engine.import(input, options) : await engine.add(input as AddInput, options)
      const report = { label, added: result.added.length, unchanged: result.unchanged.length, replaced: result.replaced.length, leftAside, rejected: result.rejected }
      this.#store.set({ reports: [...this.#store.state.reports, report], announcement: `${counted(report.added + report.replaced, 'document')} added. You can ask now.` })
    } catch (error) {
      // A switch to another corpus cancels too; only a cancellation in sight is worth a word.
      if (!isAborted(error) || this.#store.state.engine === engine) this.#store.set({ corpusProblem: problemOf(error) })
      if (!isAborted(error)) this.#failed.push({ corpus: engine.corpus, add: () => this.#add(label, read, leftAside) })
    }
    this.#adding = null
    this.#store.set({ adding: null })
    await this.#refreshList()
    if (this.#store.state.engine === engine) await Promise.all([this.#suggest(engine.corpus), this.#weigh()])
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
    const finished = status.passages > 0 && status.passagesWithVectors === status.passages
    if (finished && before && before.passagesWithVectors < before.passages) this.#store.set({ announcement: 'All passages have vectors.' })
    if (status.generation !== before?.generation) void this.#refreshList()
  }

  #note(status: EngineStatus): void {
    // What was in memory alone is not missed later.
    if (status.storage.kind === 'memory') return
    const settings = note(this.#store.state.settings, status.corpus, { documents: status.documents, passages: status.passages }, Date.now())
    if (settings === this.#store.state.settings) return
    saveSettings(settings)
    this.#store.set({ settings })
  }

  async #suggest(corpus: string): Promise<void> {
    try {
      const { engine } = this.#store.state
      if (corpus === SAMPLE.corpus) {
        const suggestions = await fetchSampleQuestions()
        if (this.#store.state.corpus === corpus) this.#store.set({ suggestions })
      } else if (engine) {
        const { hubs } = await engine.graphStats()
        if (this.#store.state.corpus === corpus) this.#store.set({ hubs: hubs.slice(0, 6).map((hub) => hub.label) })
      }
    } catch {
      // Suggestions are a convenience; what is wrong with the engine shows where it matters.
    }
  }

  async #weigh(): Promise<void> {
    const { engine, status } = this.#store.state
    const bytes = engine && status ? await bytesOf(engine, status) : null
    if (engine && bytes !== null) this.#keep({ notes: weigh(this.#store.state.settings, engine.corpus, bytes).notes })
  }

  async #refreshList(): Promise<void> {
    try {
      this.#store.set({ corpora: await savedCorpora() })
    } catch (error) {
      this.#store.set({ corpusProblem: problemOf(error) })
    }
  }

  #keep(change: Partial<Settings>): void {
    const settings = { ...this.#store.state.settings, ...change }
    saveSettings(settings)
    this.#store.set({ settings })
  }
}
