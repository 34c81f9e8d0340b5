/**
 * A chat prompt that fits a model's window: what is left beside instructions, history, question and
 * answer goes to quotes.
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { approximateTokens, checkedCounter } from '../pack/token_counter.ts'
import type { Engine, RetrieveOptions, RetrieveResult, TokenCounter } from '../types.ts'
import type { ChatModel } from './chat_model.ts'
import { chatPrompt } from './chat_prompt.ts'
import type { ChatMessage, ChatPrompt, ChatPromptOptions } from './chat_prompt.ts'

export interface ChatBudgetOptions extends ChatPromptOptions {
  /**
   * Tokens of prompt and answer together; default the model's own, else LIMITS.chatWindowTokens.
   */
  readonly windowTokens?: number
  /** Tokens kept free for the answer; default LIMITS.chatAnswerTokens. */
  readonly answerTokens?: number
  /** Default: an upper bound of o200k and cl100k, with a fiftieth of the window kept free. */
  readonly countTokens?: TokenCounter
}

export interface PrepareChatOptions extends ChatBudgetOptions {
  /** Its `budgetTokens` is an upper bound here. */
  readonly retrieve?: Omit<RetrieveOptions, 'signal'>
  readonly model?: Pick<ChatModel, 'window' | 'countTokens'>
  readonly signal?: AbortSignal
}

export interface PreparedChat extends ChatPrompt {
  readonly result: RetrieveResult
  readonly windowTokens: number
  /** Tokens kept free for the answer: pass them on as `maxTokens`. */
  readonly answerTokens: number
  /** By the model's tokenizer where it has one, else by the counter. */
  readonly promptTokens: number
  /** Budget of the packed context. */
  readonly budgetTokens: number
}

/**
 * Tokens left for a context beside `question`: the window minus the answer's reserve, instructions,
 * history and the frame of each message; may be negative. Throws `input/invalid` for a window or
 * reserve that is no whole number of at least 1.
 */
export function contextBudget(question: string, options: ChatBudgetOptions = {}): number {
  const { allowed, count } = roomOf(options)
  return allowed - count(emptyPrompt(question, options))
}

/**
 * Retrieves under the budget of the model's window. Where the model has its own tokenizer, the
 * context is packed smaller until it agrees. Rejects with `input/too-large` where the window has no
 * room for quotes, and as `retrieve` does.
 */
export async function prepareChat(
  engine: Pick<Engine, 'retrieve'>,
  question: string,
  options: PrepareChatOptions = {},
): Promise<PreparedChat> {
  const { model, signal, retrieve = {} } = options
  const on = signal ? { signal } : {}
  const windowTokens = options.windowTokens ?? (await model?.window(on)) ?? LIMITS.chatWindowTokens
  const { allowed, answerTokens, count } = roomOf({ ...options, windowTokens })
  const measure = async (messages: readonly ChatMessage[]): Promise<number> =>
    model?.countTokens ? await model.countTokens(messages, on) : count(messages)
  const frame = await measure(emptyPrompt(question, options)),
    room = allowed - frame
  let budget = Math.min(room, retrieve.budgetTokens ?? LIMITS.budgetTokens)
  for (
    let fit = 0;
    fit < LIMITS.chatFits &&
    budget >= Math.min(LIMITS.chatContextTokens, retrieve.budgetTokens ?? Infinity);
    fit++
  ) {
    throwIfAborted(signal)
    const result = await engine.retrieve(question, {
      ...(options.history ? { history: options.history } : {}),
      ...retrieve,
      ...on,
      budgetTokens: budget,
    })
    const prompt = chatPrompt(question, result, options),
      promptTokens = await measure(prompt.messages)
    if (promptTokens <= allowed)
      return { ...prompt, result, windowTokens, answerTokens, promptTokens, budgetTokens: budget }
    // The model counts more than the engine: shrink by as much and a little more.
    budget = Math.min(
      budget - 1,
      Math.floor((0.95 * budget * room) / Math.max(1, promptTokens - frame)),
    )
  }
  throw new HubmeshError(
    'input/too-large',
    `The model's window of ${windowTokens} tokens leaves ${Math.max(0, room)} for quotes ` +
      `beside ${answerTokens} for the answer and ${frame} for instructions, history and ` +
      'question; shorten those, or use a model with a larger window.',
    {
      details: { windowTokens, answerTokens, frameTokens: frame },
    },
  )
}

function roomOf({
  windowTokens = LIMITS.chatWindowTokens,
  answerTokens = LIMITS.chatAnswerTokens,
  countTokens,
}: ChatBudgetOptions): {
  allowed: number
  answerTokens: number
  count: (messages: readonly ChatMessage[]) => number
} {
  for (const [field, value] of [
    ['windowTokens', windowTokens],
    ['answerTokens', answerTokens],
  ] as const) {
    if (value !== Infinity && (!Number.isSafeInteger(value) || value < 1))
      throw new HubmeshError(
        'input/invalid',
        `${field} is ${String(value)}; give a whole number of tokens from 1.`,
        { details: { field } },
      )
  }
  const window = Math.min(windowTokens, LIMITS.budgetTokens),
    counter = countTokens === undefined ? approximateTokens : checkedCounter(countTokens)
  const count = (messages: readonly ChatMessage[]): number =>
    messages.reduce((sum, { content }) => sum + counter(content) + LIMITS.chatMessageTokens, 0)
  const margin = countTokens === undefined ? Math.ceil(window * LIMITS.chatMarginShare) : 0
  return { allowed: window - margin - answerTokens, answerTokens, count }
}

/** All that surrounds the quotes; the longest form of the line above them. */
function emptyPrompt(question: string, options: ChatPromptOptions): readonly ChatMessage[] {
  const { messages } = chatPrompt(question, { context: '', blocks: [] }, options),
    last = messages.at(-1)!
  return [...messages.slice(0, -1), { ...last, content: `Quotes 1 to 9999: ……\n\n${last.content}` }]
}
