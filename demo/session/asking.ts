/**
 * Owns asking: the question, its steering, and the answer of the latest call. Refuses: showing an
 * answer to an older question.
 */
import type { RetrieveOptions, Source } from '../../src/index.ts'
import { remember, saveSettings } from '../platform/settings.ts'
import { counted, grouped } from '../words/format.ts'
import { isAborted, problemOf } from '../words/problems.ts'
import type { SeedChoice, State, Store } from './state.ts'

/** Moves of the slider within this many milliseconds are one question. */
const SETTLE_MS = 90

export class Asking {
  readonly #store: Store
  #running: AbortController | null = null
  /** Called when a new question was answered, not when its steering changed. */
  onAnswer: () => void = () => undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(store: Store) {
    this.#store = store
  }

  type(question: string): void {
    this.#store.set({ question })
  }

  /** Asks what is typed. */
  async submit(): Promise<void> {
    await this.ask(this.#store.state.question)
  }

  /** Asks a new question: seeds and exclusions of the one before are dropped. */
  async ask(question: string): Promise<void> {
    const trimmed = question.trim()
    if (trimmed === '') return
    const { asked, corpus, settings } = this.#store.state
    if (trimmed !== asked)
      this.#store.set({ injected: [], removedSeeds: [], foundSeeds: [], excluded: [] })
    this.#store.set({ question, asked: trimmed, written: null })
    if (corpus !== null) this.#keep(remember(settings, corpus, trimmed))
    await this.again()
    if (
      this.#store.state.asked === trimmed &&
      this.#store.state.answer &&
      !this.#store.state.asking
    )
      this.onAnswer()
  }

  /** Keeps the answer to compare the next one with. */
  pin(): void {
    const { answer, asked } = this.#store.state
    if (answer)
      this.#store.set({
        pinned: { question: asked, answer },
        announcement: 'Kept. Ask another question to compare.',
      })
  }

  unpin(): void {
    this.#store.set({ pinned: null })
  }

  /** Asks the same question with the present steering. */
  async again(): Promise<void> {
    clearTimeout(this.#timer)
    const { state } = this.#store
    if (!state.engine || state.asked === '') return
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    this.#store.set({ asking: true, askProblem: null })
    try {
      const answer = await state.engine.retrieve(state.asked, {
        ...steering(state),
        signal: running.signal,
      })
      // The corpus may have been left or deleted meanwhile.
      if (this.#running !== running || this.#store.state.engine !== state.engine) return
      const found =
        this.#store.state.removedSeeds.length === 0
          ? answer.debug.seeds.filter((seed) => seed.origin !== 'injected')
          : this.#store.state.foundSeeds
      this.#store.set({
        answer,
        asking: false,
        foundSeeds: found,
        announcement:
          `${counted(answer.sources.length, 'source')}, context of ` +
          `${grouped(answer.contextTokens)} tokens, ` +
          `${counted(answer.reasoning.length, 'path')}.`,
      })
    } catch (error) {
      if (
        this.#running !== running ||
        this.#store.state.engine !== state.engine ||
        isAborted(error)
      )
        return
      this.#store.set({ asking: false, answer: null, askProblem: problemOf(error) })
    }
  }

  setBudget(budget: number): void {
    this.#keep({ ...this.#store.state.settings, budget })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.again(), SETTLE_MS)
  }

  async setTopK(topK: number): Promise<void> {
    this.#keep({ ...this.#store.state.settings, topK })
    await this.again()
  }

  async removeFound(name: string): Promise<void> {
    this.#store.set({ removedSeeds: [...this.#store.state.removedSeeds, name] })
    await this.again()
  }

  async restoreFound(): Promise<void> {
    this.#store.set({ removedSeeds: [] })
    await this.again()
  }

  /**
   * Adds names to start from. One that was found in the question already is not added again, only
   * brought back if it was taken out.
   */
  async inject(mentions: readonly string[]): Promise<void> {
    const { engine } = this.#store.state
    const wanted = [...new Set(mentions.map((mention) => mention.trim()))].filter(
      (mention) => mention !== '',
    )
    if (!engine || wanted.length === 0) return
    try {
      const resolved = await engine.resolveEntities(wanted)
      if (this.#store.state.engine !== engine) return
      const { injected, foundSeeds, removedSeeds } = this.#store.state
      const named = new Set([
        ...injected.map((seed) => seed.name),
        ...foundSeeds.map((seed) => seed.name),
      ])
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
      this.#store.set({
        injected: [...injected, ...fresh],
        removedSeeds: removedSeeds.filter((name) => !back.has(name)),
      })
      await this.again()
    } catch (error) {
      if (this.#store.state.engine === engine) this.#store.set({ askProblem: problemOf(error) })
    }
  }

  async removeInjected(label: string): Promise<void> {
    this.#store.set({ injected: this.#store.state.injected.filter((seed) => seed.label !== label) })
    await this.again()
  }

  async exclude(source: Pick<Source, 'documentId' | 'title'>): Promise<void> {
    const { excluded } = this.#store.state
    if (excluded.some((document) => document.id === source.documentId)) return
    this.#store.set({ excluded: [...excluded, { id: source.documentId, title: source.title }] })
    await this.again()
  }

  async include(id: string): Promise<void> {
    this.#store.set({
      excluded: this.#store.state.excluded.filter((document) => document.id !== id),
    })
    await this.again()
  }

  /** Continues a hop: the names that a source shows become names to start from. */
  async askFrom(source: Source): Promise<void> {
    const { engine } = this.#store.state
    if (!engine) return
    const mentions = [
      source.title,
      ...source.evidence
        .filter((evidence) => evidence.kind === 'name')
        .map((evidence) => evidence.text),
    ].filter((mention) => mention !== '')
    try {
      const resolved = await engine.resolveEntities([...new Set(mentions)].slice(0, 6))
      await this.inject(resolved.flatMap((entity) => (entity ? [entity.label] : [])))
    } catch (error) {
      if (this.#store.state.engine === engine) this.#store.set({ askProblem: problemOf(error) })
    }
  }

  openDocument(id: string | null, at: number | null = null): void {
    this.#store.set({ opened: id === null ? null : { id, at } })
  }

  #keep(settings: State['settings']): void {
    saveSettings(settings)
    this.#store.set({ settings })
  }
}

/** What the person chose, as options of `retrieve`. */
export function steering(
  state: Pick<State, 'settings' | 'injected' | 'removedSeeds' | 'foundSeeds' | 'excluded'>,
): RetrieveOptions {
  return {
    topK: state.settings.topK,
    budgetTokens: state.settings.budget,
    ...(state.injected.length > 0
      ? { seedEntities: state.injected.map((seed) => seed.name ?? seed.label) }
      : {}),
    ...(state.removedSeeds.length > 0
      ? {
          questionSeeds: state.foundSeeds
            .map((seed) => seed.name)
            .filter((name) => !state.removedSeeds.includes(name)),
        }
      : {}),
    ...(state.excluded.length > 0
      ? { excludeDocs: state.excluded.map((document) => document.id) }
      : {}),
  }
}
