/**
 * Chat with the model inside Chrome, by its Prompt API
 * (https://webmachinelearning.github.io/prompt-api/).
 */
import { onAbort } from '../base/signals.ts'
import { abortedError, HubmeshError } from '../base/errors.ts'
import { named, openSession } from '../llm/chrome_prompt_api.ts'
import type { ChatEnd, ChatModel } from './chat_model.ts'
import { forPromptApi } from './chat_prompt.ts'
import type { ChatMessage } from './chat_prompt.ts'

/** Older Chromes say inputQuota and measureInputUsage. */
export interface PromptApi {
  availability(options?: object): Promise<string>
  create(options?: object): Promise<PromptApiSession>
}

export interface PromptApiSession {
  readonly contextWindow?: number
  readonly inputQuota?: number
  readonly contextUsage?: number
  readonly inputUsage?: number
  measureContextUsage?(input: string, options?: object): Promise<number>
  measureInputUsage?(input: string, options?: object): Promise<number>
  promptStreaming(input: string, options?: object): ReadableStream<string>
  destroy(): void
}

export interface PromptApiChatOptions {
  /** Called with [0, 1] while the browser downloads its model. */
  readonly onDownload?: (share: number) => void
  /** BCP 47 codes; default `['en']`. */
  readonly languages?: readonly string[]
  /** Default the global `LanguageModel`. */
  readonly languageModel?: PromptApi
}

/**
 * Every call opens a session of its own; the first must follow a user's click where the browser has
 * to download its model. Rejects with `model/incompatible`, `model/fetch`, `input/too-large`,
 * `remote/invalid` or `aborted`.
 */
export function promptApiChat(options: PromptApiChatOptions = {}): ChatModel {
  const inSession = async <T>(
    initialPrompts: readonly ChatMessage[],
    signal: AbortSignal | undefined,
    use: (session: PromptApiSession) => Promise<T>,
  ): Promise<T> => {
    let session: PromptApiSession | null = null
    try {
      session = await open(options, initialPrompts, signal)
      return await use(session)
    } catch (error) {
      if (signal?.aborted) throw abortedError(signal)
      throw named(error)
    } finally {
      session?.destroy()
    }
  }
  return {
    window: ({ signal } = {}) =>
      inSession([], signal, (session) => {
        const tokens = session.contextWindow ?? session.inputQuota
        return Promise.resolve(
          tokens === undefined || !Number.isFinite(tokens) ? null : Math.floor(tokens),
        )
      }),
    countTokens: (messages, { signal } = {}) => {
      const { initialPrompts, prompt } = forPromptApi({ messages })
      return inSession(initialPrompts, signal, async (session) => {
        const measured = await (session.measureContextUsage?.(prompt, signal ? { signal } : {}) ??
          session.measureInputUsage?.(prompt, signal ? { signal } : {}))
        if (measured === undefined)
          throw new HubmeshError(
            'model/incompatible',
            "The browser's model cannot count tokens; use a newer version of the browser.",
          )
        return Math.ceil(measured + (session.contextUsage ?? session.inputUsage ?? 0))
      })
    },
    stream: (messages, { signal } = {}) => streamed(options, messages, signal),
  }
}

async function* streamed(
  options: PromptApiChatOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
): AsyncGenerator<string, ChatEnd, undefined> {
  const { initialPrompts, prompt } = forPromptApi({ messages })
  let session: PromptApiSession | null = null
  try {
    session = await open(options, initialPrompts, signal)
    const reader = session.promptStreaming(prompt, signal ? { signal } : {}).getReader()
    const unlisten = onAbort(signal, () => {
      void reader.cancel().catch(() => undefined)
    })
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (signal?.aborted) throw abortedError(signal)
        if (done) return 'stop'
        yield value
      }
    } finally {
      unlisten()
      await reader.cancel().catch(() => undefined)
    }
  } catch (error) {
    if (signal?.aborted) throw abortedError(signal)
    throw named(error)
  } finally {
    session?.destroy()
  }
}

function open(
  options: PromptApiChatOptions,
  initialPrompts: readonly ChatMessage[],
  signal: AbortSignal | undefined,
): Promise<PromptApiSession> {
  return openSession(options, {
    ...(initialPrompts.length > 0 ? { initialPrompts } : {}),
    ...(signal ? { signal } : {}),
  })
}
