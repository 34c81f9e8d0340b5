/**
 * Chat with an endpoint that speaks OpenAI's chat completions, streamed as server-sent events. No
 * retries, no tools.
 */
import { createParser } from 'eventsource-parser'
import { abortedError, HubmeshError, isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { addressOf, contentOf, refused } from '../llm/openai_compatible.ts'
import type { OpenAICompatibleOptions } from '../llm/openai_compatible.ts'
import type { ChatEnd, ChatModel } from './chat_model.ts'

export interface OpenAIChatOptions extends Omit<OpenAICompatibleOptions, 'json' | 'maxTokens'> {
  /** Tokens of prompt and answer together; default LIMITS.chatWindowTokens. */
  readonly windowTokens?: number
}

/**
 * Throws `input/invalid` for an invalid address. Streams reject with the codes of
 * `openAICompatible`.
 */
export function openAIChat(options: OpenAIChatOptions): ChatModel {
  const address = addressOf(options.url),
    { temperature = 0 } = options
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  }
  return {
    window: () => Promise.resolve(options.windowTokens ?? null),
    async *stream(messages, { signal, maxTokens } = {}) {
      const body = JSON.stringify({
        model: options.model,
        messages,
        stream: true,
        ...(temperature === null ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
        ...options.body,
      })
      try {
        const response = await send(address, {
          method: 'POST',
          headers,
          body,
          ...(signal ? { signal } : {}),
        })
        if (!response.ok) throw refused(response, await response.text())
        if (
          response.body !== null &&
          (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
        )
          return yield* deltasOf(response.body)
        // Some servers do not stream.
        yield contentOf(await response.text())
        return 'stop'
      } catch (cause) {
        if (signal?.aborted) throw abortedError(signal)
        if (isHubmeshError(cause)) throw cause
        throw new HubmeshError(
          'remote/unavailable',
          "The language model's server cannot be reached or broke off the connection; check " +
            'the address, whether it runs, and whether it allows this page (CORS).',
          { cause, retryable: true },
        )
      }
    },
  }
}

/** Texts of `choices[0].delta.content`; the stream must end by `[DONE]` or a finish reason. */
async function* deltasOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, ChatEnd, undefined> {
  const pending: string[] = []
  let end: ChatEnd | null = null,
    over = false,
    failure: HubmeshError | null = null
  const parser = createParser({
    maxBufferSize: LIMITS.llmReplyChars,
    onEvent: ({ data }) => {
      if (data === '[DONE]') {
        over = true
        return
      }
      const said = chunkOf(data)
      if (said instanceof HubmeshError) {
        failure ??= said
        return
      }
      if (said.text !== '') pending.push(said.text)
      end = said.end ?? end
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded')
        failure ??= new HubmeshError(
          'remote/invalid',
          `The language model's server sent an event of over ${LIMITS.llmReplyChars} characters.`,
        )
    },
  })
  const reader = body.getReader(),
    decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      yield* pending.splice(0)
      if (failure !== null) throw failure as HubmeshError
      if (over || done) break
    }
    if (!over && end === null)
      throw new HubmeshError(
        'remote/unavailable',
        "The language model's server broke off in the middle of its answer; ask again.",
        { retryable: true },
      )
    return end ?? 'stop'
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function chunkOf(
  data: string,
): { readonly text: string; readonly end: ChatEnd | null } | HubmeshError {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    return new HubmeshError(
      'remote/invalid',
      "The language model's server sent an event that is no JSON; check that it speaks chat completions.",
      { cause },
    )
  }
  if (typeof chunk === 'object' && chunk !== null && 'error' in chunk && chunk.error)
    return new HubmeshError(
      'remote/unavailable',
      "The language model's server failed while it answered; its own words are in the error's cause.",
      { cause: new Error(JSON.stringify(chunk.error).slice(0, 500)), retryable: true },
    )
  return deltaOf(chunk)
}

/** Text and end of one chunk of a streamed completion. */
export function deltaOf(chunk: unknown): { readonly text: string; readonly end: ChatEnd | null } {
  const { choices } = (typeof chunk === 'object' && chunk !== null ? chunk : {}) as {
    readonly choices?: readonly {
      readonly delta?: { readonly content?: unknown } | null
      readonly finish_reason?: unknown
    }[]
  }
  const choice = Array.isArray(choices)
    ? (choices[0] as
        | {
            readonly delta?: { readonly content?: unknown } | null
            readonly finish_reason?: unknown
          }
        | undefined)
    : undefined
  const content = choice?.delta?.content,
    finish = choice?.finish_reason
  return {
    text: typeof content === 'string' ? content : '',
    end: finish === 'length' ? 'length' : typeof finish === 'string' ? 'stop' : null,
  }
}
