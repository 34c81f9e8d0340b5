/**
 * Owns the answer that a language model writes over what was retrieved. Refuses: starting where
 * none was chosen, and an answer to an older question.
 */
import { prepareChat, streamAnswer, type AnswerPart } from '../../src/entries/chat.ts'
import type { RetrieveResult } from '../../src/index.ts'
import { chatModelOf, modelName } from '../platform/models.ts'
import { saveSettings, type ModelChoice } from '../platform/settings.ts'
import { counted } from '../words/format.ts'
import { isAborted, problemOf } from '../words/problems.ts'
import { steering } from './asking.ts'
import type { Store, Written } from './state.ts'

export class Answering {
  readonly #store: Store
  readonly #base: string
  readonly #make: typeof chatModelOf
  #running: AbortController | null = null
  /** Until the page closes; never kept. */
  #key = ''

  constructor(store: Store, base: string, make: typeof chatModelOf = chatModelOf) {
    this.#store = store
    this.#base = base
    this.#make = make
  }

  get key(): string {
    return this.#key
  }

  choose(model: ModelChoice, key: string): void {
    this.#key = key
    const settings = { ...this.#store.state.settings, model }
    saveSettings(settings)
    this.stop()
    this.#store.set({ settings, ...(model.kind === 'off' ? { written: null } : {}) })
  }

  /** Packs the context for the model's window, and shows the answer as it comes. */
  async write(): Promise<void> {
    const { state } = this.#store,
      choice = state.settings.model
    this.#running?.abort()
    if (
      choice.kind === 'off' ||
      !state.engine ||
      state.asked === '' ||
      !state.answer ||
      state.answer.sources.length === 0
    ) {
      this.#store.set({ written: null })
      return
    }
    const running = new AbortController(),
      { signal } = running
    this.#running = running
    let written: Written = {
      state: 'preparing',
      by: modelName(choice, this.#base),
      parts: [],
      result: null,
      promptTokens: 0,
      windowTokens: 0,
      end: null,
      problem: null,
    }
    const show = (
      change: Partial<Written>,
      more: { readonly answer?: RetrieveResult; readonly announcement?: string } = {},
    ): void => {
      if (this.#running !== running) return
      // Nothing is written, or sent, of a corpus that was left or deleted.
      if (this.#store.state.engine !== state.engine) {
        running.abort()
        return
      }
      written = { ...written, ...change }
      this.#store.set({ written, ...more })
    }
    show({})
    try {
      const model = this.#make(choice, this.#key, this.#base)
      const { signal: _, ...retrieve } = steering(state)
      const chat = await prepareChat(state.engine, state.asked, {
        model,
        retrieve,
        signal,
        answerTokens: choice.answer,
        ...(choice.kind === 'server' ? { windowTokens: choice.window } : {}),
      })
      // What the numbers of the answer point at is what the page shows.
      show(
        {
          state: 'running',
          result: chat.result,
          promptTokens: chat.promptTokens,
          windowTokens: chat.windowTokens,
        },
        { answer: chat.result },
      )
      for await (const part of streamAnswer(model, chat, { signal, maxTokens: choice.answer })) {
        if (part.type !== 'end') show({ parts: joined(written.parts, part) })
        else
          show(
            { state: 'done', end: part },
            { announcement: `Answer written, ${counted(part.cited.length, 'passage')} cited.` },
          )
      }
    } catch (error) {
      if (!isAborted(error)) show({ state: 'failed', problem: problemOf(error) })
    }
  }

  /** What was written so far stays. */
  stop(): void {
    const { written } = this.#store.state
    this.#running?.abort()
    this.#running = null
    if (written?.state === 'preparing' || written?.state === 'running')
      this.#store.set({ written: { ...written, state: 'stopped' } })
  }
}

/** Neighbouring texts are one, so that a long answer is few parts. */
function joined(parts: readonly AnswerPart[], part: AnswerPart): readonly AnswerPart[] {
  const last = parts.at(-1)
  return part.type === 'text' && last?.type === 'text'
    ? [...parts.slice(0, -1), { ...last, text: last.text + part.text, end: part.end }]
    : [...parts, part]
}
