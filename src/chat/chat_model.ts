/** The one form in which a chat model is used: messages in, text as it comes. */
import type { ChatMessage } from './chat_prompt.ts'

export interface ChatCallOptions {
  readonly signal?: AbortSignal
  readonly maxTokens?: number
}

/** By itself, or at a limit of its length. */
export type ChatEnd = 'stop' | 'length'

/** Rejects with a HubmeshError (`remote/*`, `model/*`, `input/too-large`, `aborted`). */
export interface ChatModel {
  /** Tokens of prompt and answer together; null where unknown. */
  window(options?: { readonly signal?: AbortSignal }): Promise<number | null>
  /** Tokens of a prompt by the model's own tokenizer, where it has one. */
  readonly countTokens?: (
    messages: readonly ChatMessage[],
    options?: { readonly signal?: AbortSignal },
  ) => Promise<number>
  /** Pieces of the answer, in order. */
  stream(
    messages: readonly ChatMessage[],
    options?: ChatCallOptions,
  ): AsyncGenerator<string, ChatEnd, undefined>
}
