/**
 * The answer that a language model writes over what was retrieved: only where one was chosen, and
 * never to an older question.
 */
import { prepareChat, streamAnswer, type AnswerPart } from '../../src/entries/chat.ts'
import type { RetrieveResult } from '../../src/index.ts'
import { chatModelOf, modelName } from '../platform/models.ts'
import { saveSettings, type ModelChoice } from '../platform/settings.ts'
import { isAborted, problemOf } from '../words/problems.ts'
import { words } from '../words/words.ts'
import { steering } from './steering.ts'
import type { State, Store, Written } from './state.ts'

type Show = (
  change: Partial<Written>,
  more?: { readonly answer?: RetrieveResult; readonly announcement?: string },
) => void

export class Answering {
  private readonly store: Store
  private readonly base: string
  private readonly make: typeof chatModelOf
  private running: AbortController | null = null
  /** Until the page closes; never kept. */
  private apiKey = ''

  constructor(store: Store, base: string, make: typeof chatModelOf = chatModelOf) {
    this.store = store
    this.base = base
    this.make = make
  }

  get key(): string {
    return this.apiKey
  }

  choose(model: ModelChoice, key: string): void {
    this.apiKey = key
    const settings = { ...this.store.state.settings, model }
    saveSettings(settings)
    this.stop()
    this.store.set({ settings, ...(model.kind === 'off' ? { written: null } : {}) })
  }

  /** Packs the context for the model's window, and shows the answer as it comes. */
  async write(): Promise<void> {
    const { state } = this.store
    this.running?.abort()
    if (state.settings.model.kind === 'off' || !state.engine || !state.answer?.sources.length) {
      this.store.set({ written: null })
      return
    }
    const running = new AbortController()
    this.running = running
    const show = this.showing(running, state)
    try {
      await this.stream(state, running.signal, show)
    } catch (error) {
      if (!isAborted(error)) show({ state: 'failed', problem: problemOf(error) })
    }
  }

  /** What was written so far stays. */
  stop(): void {
    const { written } = this.store.state
    this.running?.abort()
    this.running = null
    if (written?.state === 'preparing' || written?.state === 'running')
      this.store.set({ written: { ...written, state: 'stopped' } })
  }

  /** Shows what comes, until another answer is written or the corpus is left. */
  private showing(running: AbortController, state: State): Show {
    let written: Written = {
      state: 'preparing',
      by: modelName(state.settings.model, this.base),
      parts: [],
      result: null,
      promptTokens: 0,
      windowTokens: 0,
      end: null,
      problem: null,
    }
    const show: Show = (change, more = {}) => {
      if (this.running !== running) return
      // Nothing is written, or sent, of a corpus that was left or deleted.
      const now = this.store.state
      if (now.engine !== state.engine || now.turn !== state.turn) {
        running.abort()
        return
      }
      written = { ...written, ...change }
      this.store.set({ written, ...more })
    }
    show({})
    return show
  }

  private async stream(state: State, signal: AbortSignal, show: Show): Promise<void> {
    const choice = state.settings.model,
      model = this.make(choice, this.apiKey, this.base)
    const chat = await prepareChat(state.engine!, state.asked, {
      model,
      retrieve: steering(state),
      signal,
      answerTokens: choice.answer,
      ...(choice.kind === 'server' ? { windowTokens: choice.window } : {}),
    })
    const { result, promptTokens, windowTokens } = chat
    // What the numbers of the answer point at is what the page shows.
    show({ state: 'running', result, promptTokens, windowTokens }, { answer: result })
    let parts: readonly AnswerPart[] = []
    for await (const part of streamAnswer(model, chat, { signal, maxTokens: choice.answer })) {
      if (part.type === 'end') {
        const announcement = words().written.announce(part.cited.length)
        show({ state: 'done', end: part }, { announcement })
      } else {
        parts = joined(parts, part)
        show({ parts })
      }
    }
  }
}

/** Neighbouring texts are one, so that a long answer is few parts. */
function joined(parts: readonly AnswerPart[], part: AnswerPart): readonly AnswerPart[] {
  const last = parts.at(-1)
  return part.type === 'text' && last?.type === 'text'
    ? [...parts.slice(0, -1), { ...last, text: last.text + part.text, end: part.end }]
    : [...parts, part]
}
