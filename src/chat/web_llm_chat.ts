/**
 * Chat with a model that web-llm runs in the page (https://github.com/mlc-ai/web-llm); the caller
 * hands over a loaded engine.
 */
import { onAbort } from '../base/signals.ts'
import { abortedError } from '../base/errors.ts'
import { namedWebLLM, type WebLlmEngine } from '../llm/web_llm.ts'
import type { ChatEnd, ChatModel } from './chat_model.ts'
import { deltaOf } from './openai_chat.ts'

export interface WebLlmChatOptions {
  /**
   * The engine's `context_window_size`; default LIMITS.chatWindowTokens, which most models of
   * web-llm have.
   */
  readonly windowTokens?: number
  /** Default 0. */
  readonly temperature?: number
}

/** Rejects with `model/device-lost` (the GPU went away), `remote/invalid` or `aborted`. */
export function webLlmChat(engine: WebLlmEngine, options: WebLlmChatOptions = {}): ChatModel {
  const { temperature = 0 } = options
  return {
    window: () => Promise.resolve(options.windowTokens ?? null),
    async *stream(messages, { signal, maxTokens } = {}) {
      if (signal?.aborted) throw abortedError(signal)
      let end: ChatEnd = 'stop',
        whole = false
      const unlisten = onAbort(signal, () => {
        engine.interruptGenerate()
      })
      try {
        const chunks = (await engine.chat.completions.create({
          messages,
          temperature,
          stream: true,
          ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
        })) as AsyncIterable<unknown>
        for await (const chunk of chunks) {
          // An interrupted engine ends its stream as if it were done.
          if (signal?.aborted) throw abortedError(signal)
          const said = deltaOf(chunk)
          end = said.end ?? end
          if (said.text !== '') yield said.text
        }
        if (signal?.aborted) throw abortedError(signal)
        whole = true
        return end
      } catch (error) {
        if (signal?.aborted) throw abortedError(signal)
        throw namedWebLLM(error)
      } finally {
        unlisten()
        if (!whole) engine.interruptGenerate()
      }
    },
  }
}
