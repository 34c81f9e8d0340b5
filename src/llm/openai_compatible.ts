/**
 * A language model behind an endpoint that speaks OpenAI's chat completions, as most servers do.
 */
import { abortedError, HubmeshError } from '../base/errors.ts'
import { retryAfterMs } from './call_llm.ts'
import type { LLM } from './llm.ts'

export interface OpenAICompatibleOptions {
  /** The API's base, `http://127.0.0.1:11434/v1`, or the whole address of its chat completions. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default 0. Null leaves it out, for models that take none. */
  readonly temperature?: number | null
  /** Tokens of an answer at most; left to the server by default. */
  readonly maxTokens?: number
  /**
   * Asks for an answer that is JSON (`response_format`); default false, as some servers refuse it.
   */
  readonly json?: boolean
  /** More fields of the request's body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Default the global fetch. */
  readonly fetch?: typeof fetch
}

/**
 * One user message, one answer. Throws `input/invalid` for an address that is none. The function
 * rejects with `remote/auth` (401, 403), `remote/unavailable` (no connection, 408, 429, 5xx;
 * `details.retryAfterMs` where the server said it), `remote/invalid` (anything else, and refusals),
 * `aborted`.
 */
export function openAICompatible(options: OpenAICompatibleOptions): LLM {
  const address = addressOf(options.url),
    { temperature = 0, maxTokens, json = false } = options
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const headers = {
    'content-type': 'application/json',
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  }
  return async (prompt, { signal }) => {
    const body = JSON.stringify({
      model: options.model,
      messages: [{ role: 'user', content: prompt }],
      stream: false,
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(json ? { response_format: { type: 'json_object' } } : {}),
      ...options.body,
    })
    let response: Response, text: string
    try {
      response = await send(address, { method: 'POST', headers, body, signal })
      text = await response.text()
    } catch (cause) {
      if (signal.aborted) throw abortedError(signal)
      throw new HubmeshError(
        'remote/unavailable',
        "The language model's server cannot be reached or broke off the connection; check the " +
          'address and whether it runs.',
        { cause, retryable: true },
      )
    }
    if (!response.ok) throw refused(response, text)
    return contentOf(text)
  }
}

/**
 * The address of an endpoint, the chat completions by default. Throws `input/invalid` for one that
 * is none.
 */
export function addressOf(
  value: string,
  endpoint = '/chat/completions',
  model = 'language model',
): string {
  let url: URL | null = null
  try {
    url = new URL(value)
  } catch {
    // Told below.
  }
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new HubmeshError(
      'input/invalid',
      `The address of the ${model} is '${String(value).slice(0, 200)}'; pass one that ` +
        'begins with http:// or https://.',
      { details: { field: 'url' } },
    )
  const path = url.pathname.replace(/\/$/, '')
  url.pathname = path.endsWith(endpoint) ? path : `${path}${endpoint}`
  return url.href
}

/** The error of an answer that is none. */
export function refused(response: Response, text: string, model = 'language model'): HubmeshError {
  const { status } = response,
    cause = new Error(text.slice(0, 500))
  if (status === 401 || status === 403)
    return new HubmeshError(
      'remote/auth',
      `The ${model}'s server refused the key (status ${status}); check apiKey and its rights.`,
      { cause, details: { status } },
    )
  if (status !== 408 && status !== 429 && status < 500)
    return new HubmeshError(
      'remote/invalid',
      `The ${model}'s server refused the request (status ${status}); its own words are in the error's cause.`,
      { cause, details: { status } },
    )
  const wait = retryAfterMs(response.headers.get('retry-after'), response.headers.get('date'))
  return new HubmeshError(
    'remote/unavailable',
    `The ${model}'s server could not answer (status ${status}); try again later.`,
    {
      cause,
      retryable: true,
      details: wait === null ? { status } : { status, retryAfterMs: wait },
    },
  )
}

/**
 * The first choice's text. An answer that was cut off for its length is given as it is: what it
 * holds may still be read.
 */
export function contentOf(text: string): string {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (cause) {
    throw new HubmeshError(
      'remote/invalid',
      "The language model's server gave an answer that is no JSON; check that its address ends " +
        'before /chat/completions.',
      { cause },
    )
  }
  const choices = field(answer, 'choices'),
    message = field(Array.isArray(choices) ? choices[0] : null, 'message')
  const content = field(message, 'content'),
    refusal = field(message, 'refusal')
  if (typeof content === 'string') return content
  // Some servers give a list of parts.
  if (Array.isArray(content))
    return content
      .map((part) => {
        const said = field(part, 'text')
        return typeof said === 'string' ? said : ''
      })
      .join('')
  if (typeof refusal === 'string')
    throw new HubmeshError('remote/invalid', 'The language model refused to answer.', {
      details: { refused: true },
    })
  throw new HubmeshError(
    'remote/invalid',
    "The language model's server gave an answer without a message; check that it speaks chat completions.",
  )
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}
