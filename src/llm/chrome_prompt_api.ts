/**
 * The model inside Chrome, by its Prompt API (https://github.com/webmachinelearning/prompt-api).
 */
import { abortedError, HubmeshError } from '../base/errors.ts'
import type { LLM } from './llm.ts'

/** The parts of `LanguageModel` that are used. */
export interface ChromeLanguageModel {
  availability(options?: object): Promise<string>
  create(options?: object): Promise<ChromeSession>
}

export interface ChromeSession {
  clone(options?: { readonly signal?: AbortSignal }): Promise<ChromeSession>
  prompt(
    text: string,
    options?: { readonly signal?: AbortSignal; readonly responseConstraint?: object },
  ): Promise<string>
  destroy(): void
}

export interface ChromePromptApiOptions {
  /** Called with [0, 1] while the browser downloads its model. */
  readonly onDownload?: (share: number) => void
  /**
   * JSON schema that answers must meet; default: entities and triples, for DEFAULT_TEMPLATE. Null
   * for free text.
   */
  readonly responseConstraint?: object | null
  /** Languages of the texts, as BCP 47 codes; default `['en']`. */
  readonly languages?: readonly string[]
  /** Default the global `LanguageModel`. */
  readonly languageModel?: ChromeLanguageModel
}

/** The answer that DEFAULT_TEMPLATE asks for, as a JSON schema. */
export const ANSWER_SCHEMA = {
  type: 'object',
  required: ['entities', 'triples'],
  additionalProperties: false,
  properties: {
    entities: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'type'],
        additionalProperties: false,
        properties: { name: { type: 'string' }, type: { type: 'string' } },
      },
    },
    triples: {
      type: 'array',
      items: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'string' } },
    },
  },
} as const

/**
 * The model is loaded at the first prompt, which must follow a click of the user where the browser
 * still has to download it. Each prompt gets a session of its own, so that none remembers another.
 * The function rejects with `model/incompatible` (no such model here), `model/fetch` (it cannot be
 * loaded now), `input/too-large` (longer than its window), `remote/invalid` (anything else) or
 * `aborted`.
 */
export function chromePromptApi(options: ChromePromptApiOptions = {}): LLM {
  const { responseConstraint = ANSWER_SCHEMA } = options
  let base: Promise<ChromeSession> | null = null
  return async (prompt, { signal }) => {
    if (signal.aborted) throw abortedError(signal)
    base ??= openSession(options)
    let session: ChromeSession | null = null
    try {
      // A cancelled prompt must not take the session of all others down: it only stops waiting.
      const shared = await base
      session = await shared.clone({ signal })
      return await session.prompt(prompt, {
        signal,
        ...(responseConstraint === null ? {} : { responseConstraint }),
      })
    } catch (error) {
      if (session === null) base = null
      if (signal.aborted) throw abortedError(signal)
      throw named(error)
    } finally {
      session?.destroy()
    }
  }
}

/** What opening a session needs, whatever the session can do. */
export interface PromptApiHost<Session> {
  readonly onDownload?: (share: number) => void
  readonly languages?: readonly string[]
  readonly languageModel?: {
    availability(options?: object): Promise<string>
    create(options?: object): Promise<Session>
  }
}

/** Opens a session of the browser's model. Rejects with `model/incompatible` where there is none. */
export async function openSession<Session>(
  { languageModel, languages: asked = ['en'], onDownload }: PromptApiHost<Session>,
  more: object = {},
): Promise<Session> {
  const model =
    languageModel ??
    (globalThis as { readonly LanguageModel?: PromptApiHost<Session>['languageModel'] })
      .LanguageModel
  if (!model)
    throw new HubmeshError(
      'model/incompatible',
      'This browser has no Prompt API (LanguageModel); use a Chrome that has it, or another model.',
    )
  const languages = [...asked]
  const wanted = {
    expectedInputs: [{ type: 'text', languages }],
    expectedOutputs: [{ type: 'text', languages }],
  }
  if ((await model.availability(wanted)) === 'unavailable')
    throw new HubmeshError(
      'model/incompatible',
      "The browser's model cannot run on this device or in these languages; use another model.",
      { details: { languages } },
    )
  return model.create({
    ...wanted,
    ...more,
    monitor: (monitor: EventTarget) => {
      monitor.addEventListener('downloadprogress', (event) => {
        onDownload?.((event as ProgressEvent).loaded)
      })
    },
  })
}

/** An error of the browser's model under one of our codes. */
export function named(error: unknown): unknown {
  if (error instanceof HubmeshError) return error
  const name =
    typeof error === 'object' && error !== null ? (error as { readonly name?: unknown }).name : ''
  switch (name) {
    case 'QuotaExceededError':
      return new HubmeshError(
        'input/too-large',
        "The prompt is longer than the browser's model can read; chunk the documents.",
        { cause: error },
      )
    case 'NotAllowedError':
      return new HubmeshError(
        'model/fetch',
        'The browser may load its model only after a click of the user; call it from one.',
        { cause: error },
      )
    case 'NetworkError':
      return new HubmeshError(
        'model/fetch',
        'The browser could not download its model; try again when there is a connection.',
        { cause: error, retryable: true },
      )
    case 'NotSupportedError':
      return new HubmeshError(
        'model/incompatible',
        "The browser's model does not take such a prompt.",
        { cause: error },
      )
    default:
      return new HubmeshError(
        'remote/invalid',
        "The browser's model gave no answer; its own words are in the error's cause.",
        { cause: error },
      )
  }
}
