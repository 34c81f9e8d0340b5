/**
 * Asking: the question, what it leans on, its steering, and the answer of the latest call. An
 * answer to an older question is never shown.
 */
import type { EngineStatus, RetrieveResult, Source, Span } from '../../src/index.ts'
import { remember, saveSettings } from '../platform/settings.ts'
import { isAborted, problemOf } from '../words/problems.ts'
import { couldImprove } from '../words/states.ts'
import { words } from '../words/words.ts'
import type { SeedChoice, State, Store, Turn } from './state.ts'
import { steering } from './steering.ts'

/** Moves of the slider within this many milliseconds are one question. */
const SLIDER_MS = 90
/** Turns of a thread; older ones are dropped. */
const TURNS = 50

export class Asking {
  readonly store: Store
  private running: AbortController | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  /** For which question and state of meaning an improvement was last sought. */
  private sought = ''
  /** Called when a new question was answered, not when its steering changed. */
  onAnswer: () => void = () => undefined

  constructor(store: Store) {
    this.store = store
  }

  type(question: string): void {
    this.store.set({ question })
  }

  /** Asks what is typed. */
  async submit(): Promise<void> {
    await this.ask(this.store.state.question)
  }

  /**
   * Asks a new question: the one before joins the thread; its seeds and exclusions are dropped.
   */
  async ask(question: string): Promise<void> {
    const trimmed = question.trim()
    if (trimmed === '') return
    const { asked, corpus, settings, turn } = this.store.state
    if (trimmed !== asked) {
      this.store.set({
        ...pastTurns(this.store.state),
        turn: turn + 1,
        answer: null,
        injected: [],
        removedSeeds: [],
        foundSeeds: [],
        excluded: [],
      })
    }
    this.store.set({ question: '', asked: trimmed, written: null })
    if (corpus !== null) this.keep(remember(settings, corpus, trimmed))
    await this.again()
    const { state } = this.store
    if (state.asked === trimmed && state.answer && !state.asking) this.onAnswer()
  }

  /** Keeps the answer to compare the next one with. */
  pin(): void {
    const { answer, asked } = this.store.state
    if (answer)
      this.store.set({
        pinned: { question: asked, answer },
        announcement: words().compare.keptSaid,
      })
  }

  unpin(): void {
    this.store.set({ pinned: null })
  }

  /** Asks the same question with the present steering. */
  async again(): Promise<void> {
    clearTimeout(this.timer)
    const { state } = this.store
    if (!state.engine || state.asked === '') return
    this.store.set({ asking: true, askProblem: null })
    const answer = await this.retrieve(state)
    if (answer === null) return
    this.store.set({ ...this.shown(answer), asking: false, announcement: announced(answer) })
  }

  /** Asks once more, silently, where vectors have come since. */
  async improve(): Promise<void> {
    const { state } = this.store
    if (!state.answer || !state.status || state.asking || !state.engine) return
    if (!couldImprove(state.answer, state.status) || writing(state)) return
    const key = `${state.turn} ${meaningStep(state.status)}`
    if (this.sought === key) return
    this.sought = key
    const before = state.answer.answer.quotes[0]?.text
    const answer = await this.retrieve(state)
    if (answer === null) return
    const changed = answer.answer.quotes[0]?.text !== before
    this.store.set({
      ...this.shown(answer),
      asking: false,
      ...(changed ? { announcement: words().card.improved } : {}),
    })
  }

  setBudget(budget: number): void {
    this.keep({ ...this.store.state.settings, budget })
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.again(), SLIDER_MS)
  }

  async setTopK(topK: number): Promise<void> {
    this.keep({ ...this.store.state.settings, topK })
    await this.again()
  }

  async removeFound(name: string): Promise<void> {
    this.store.set({ removedSeeds: [...this.store.state.removedSeeds, name] })
    await this.again()
  }

  async restoreFound(): Promise<void> {
    this.store.set({ removedSeeds: [] })
    await this.again()
  }

  /**
   * Adds names to start from. One that was found in the question already is not added again, only
   * brought back if it was taken out.
   */
  async inject(mentions: readonly string[]): Promise<void> {
    const { engine } = this.store.state
    const wanted = [...new Set(mentions.map((mention) => mention.trim()))].filter(
      (mention) => mention !== '',
    )
    if (!engine || wanted.length === 0) return
    try {
      const resolved = await engine.resolveEntities(wanted)
      if (this.store.state.engine !== engine) return
      const { injected, foundSeeds, removedSeeds } = this.store.state
      const named = new Set([...injected, ...foundSeeds].map((seed) => seed.name))
      const labelled = new Set(injected.map((seed) => seed.label))
      const fresh: SeedChoice[] = []
      resolved.forEach((entity, i) => {
        const choice = {
          label: entity?.label ?? wanted[i]!,
          name: entity?.name ?? null,
          passages: entity?.passages ?? 0,
        }
        if (labelled.has(choice.label) || (choice.name !== null && named.has(choice.name))) return
        named.add(choice.name)
        labelled.add(choice.label)
        fresh.push(choice)
      })
      const back = new Set(resolved.map((entity) => entity?.name))
      this.store.set({
        injected: [...injected, ...fresh],
        removedSeeds: removedSeeds.filter((name) => !back.has(name)),
      })
      await this.again()
    } catch (error) {
      if (this.store.state.engine === engine) this.store.set({ askProblem: problemOf(error) })
    }
  }

  async removeInjected(label: string): Promise<void> {
    this.store.set({ injected: this.store.state.injected.filter((seed) => seed.label !== label) })
    await this.again()
  }

  async exclude(source: Pick<Source, 'documentId' | 'title'>): Promise<void> {
    const { excluded } = this.store.state
    if (excluded.some((document) => document.id === source.documentId)) return
    this.store.set({ excluded: [...excluded, { id: source.documentId, title: source.title }] })
    await this.again()
  }

  async include(id: string): Promise<void> {
    this.store.set({
      excluded: this.store.state.excluded.filter((document) => document.id !== id),
    })
    await this.again()
  }

  /** Continues a hop: the names that a source shows become names to start from. */
  async askFrom(source: Source): Promise<void> {
    const { engine } = this.store.state
    if (!engine) return
    const mentions = [
      source.title,
      ...source.evidence.filter(({ kind }) => kind === 'name').map(({ text }) => text),
    ].filter((mention) => mention !== '')
    try {
      const resolved = await engine.resolveEntities([...new Set(mentions)].slice(0, 6))
      await this.inject(resolved.flatMap((entity) => (entity ? [entity.label] : [])))
    } catch (error) {
      if (this.store.state.engine === engine) this.store.set({ askProblem: problemOf(error) })
    }
  }

  openDocument(id: string, at: number | null = null, mark: Span | null = null): void {
    this.store.set({ opened: { id, at, mark }, side: 'document', sheet: 'side' })
  }

  private async retrieve(state: State): Promise<RetrieveResult | null> {
    const { engine } = state
    if (!engine) return null
    this.running?.abort()
    const running = new AbortController()
    this.running = running
    // The corpus may have been left or deleted meanwhile.
    const left = (): boolean => this.running !== running || this.store.state.engine !== engine
    try {
      const answer = await engine.retrieve(state.asked, {
        ...steering(state),
        signal: running.signal,
      })
      return left() ? null : answer
    } catch (error) {
      if (!left() && !isAborted(error))
        this.store.set({ asking: false, answer: null, askProblem: problemOf(error) })
      return null
    }
  }

  private shown(answer: RetrieveResult): Pick<State, 'answer' | 'foundSeeds'> {
    const { removedSeeds, foundSeeds } = this.store.state
    return {
      answer,
      foundSeeds:
        removedSeeds.length === 0
          ? answer.debug.seeds.filter((seed) => seed.origin !== 'injected')
          : foundSeeds,
    }
  }

  private keep(settings: State['settings']): void {
    saveSettings(settings)
    this.store.set({ settings })
  }
}

/** Changes when meaning may have come to count more, and not at every vector. */
function meaningStep({ passages, passagesWithVectors: done, embedding }: EngineStatus): string {
  return `${embedding.state} ${done >= passages ? 'all' : Math.floor(done / 256)}`
}

function writing({ written }: State): boolean {
  return written !== null
}

/** The thread with the present question as its last turn, where that was answered. */
function pastTurns(state: State): Pick<State, 'turns'> {
  const { turns, turn, asked, answer, written } = state
  if (asked === '' || !answer) return { turns }
  const past: Turn = { id: turn, question: asked, card: answer.answer, answer, written }
  return { turns: [...turns, past].slice(-TURNS) }
}

/** What a screen reader is told of a new answer. */
function announced(result: RetrieveResult): string {
  const { state, quotes } = result.answer,
    t = words().card,
    first = quotes[0]
  if (first === undefined) return t.nothing
  if (state === 'none') return t.announceNone
  return state === 'unsure' ? t.announceUnsure : t.announceFound(first.title, first.text)
}
