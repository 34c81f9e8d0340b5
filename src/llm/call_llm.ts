/**
 * One answer of a model: its deadline, further attempts, and the rest that a server asked
 * everybody for.
 */
import { onAbort, orAborted } from '../base/signals.ts'
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { LLM } from './llm.ts'

export interface LLMCallerOptions {
  readonly llm: LLM
  readonly attempts: number
  readonly timeoutMs: number
  /** Resolves after so many milliseconds, or rejects when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly onWait: (ms: number, attempt: number) => void
  readonly signal?: AbortSignal | undefined
}

/** Why a text has no answer. */
export interface CallFailure {
  readonly code: string
  readonly attempts: number
  readonly message: string
}

/**
 * Shares a 429's rest among all calls under way: asking on from the others would only lengthen it.
 */
export class LLMCaller {
  private readonly options: LLMCallerOptions
  private rest: Promise<void> | null = null

  constructor(options: LLMCallerOptions) {
    this.options = options
  }

  /**
   * The answer, or why there is none. Rejects with `aborted` and `remote/auth`, after which no
   * other call would fare better.
   */
  async ask(prompt: string): Promise<string | CallFailure> {
    const { attempts, signal } = this.options
    for (let attempt = 1; ; attempt++) {
      while (this.rest) await this.rest
      throwIfAborted(signal)
      try {
        return await this.once(prompt)
      } catch (error) {
        if (signal?.aborted) throw abortedError(signal)
        const { status, code, retryable, waitMs } = readFailure(error)
        if (code === 'remote/auth')
          throw isHubmeshError(error)
            ? error
            : new HubmeshError(
                'remote/auth',
                `The language model refused the key (status ${status}); check it and its rights.`,
                { cause: error },
              )
        if (!retryable || attempt >= attempts)
          return { code, attempts: attempt, message: messageOf(error) }
        await this.pause(
          Math.min(waitMs ?? LIMITS.llmBackoffMs * 2 ** (attempt - 1), LIMITS.llmBackoffMaxMs),
          attempt,
          status === 429,
        )
      }
    }
  }

  private async pause(ms: number, attempt: number, shared: boolean): Promise<void> {
    this.options.onWait(ms, attempt)
    const waited = this.options.wait(ms, this.options.signal)
    if (!shared) {
      await waited
      return
    }
    const rest: Promise<void> = Promise.all([this.rest, waited])
      .then(() => undefined)
      .finally(() => {
        if (this.rest === rest) this.rest = null
      })
    this.rest = rest
    await rest
  }

  private async once(prompt: string): Promise<string> {
    const { llm, timeoutMs, signal } = this.options
    const controller = new AbortController()
    const unlisten = onAbort(signal, () => {
      controller.abort(signal?.reason)
    })
    const timer = setTimeout(() => {
      controller.abort()
    }, timeoutMs)
    const late = (): HubmeshError =>
      new HubmeshError(
        'remote/timeout',
        `The language model gave no answer within ${timeoutMs} ms; raise timeoutMs or send shorter texts.`,
        { details: { timeoutMs }, retryable: true },
      )
    try {
      const answer: unknown = await orAborted(
        llm(prompt, { signal: controller.signal }),
        controller.signal,
        late,
      )
      if (typeof answer !== 'string')
        throw new HubmeshError(
          'remote/invalid',
          `The language model's function gave ${answer === null ? 'null' : typeof answer}, not a string.`,
        )
      return answer
    } finally {
      clearTimeout(timer)
      unlisten()
    }
  }
}

interface Failure {
  readonly status: number | null
  readonly code: string
  readonly retryable: boolean
  readonly waitMs: number | null
}

/** Errors of ours and of the usual clients: `status`, `headers` (Headers or a plain object). */
function readFailure(error: unknown): Failure {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly status?: unknown
    readonly headers?: unknown
    readonly details?: { readonly status?: unknown; readonly retryAfterMs?: unknown } | undefined
    readonly retryable?: unknown
  }
  const said = isHubmeshError(error) ? fields.details?.status : fields.status,
    status = typeof said === 'number' ? said : null
  const wait = fields.details?.retryAfterMs,
    header = retryAfter(fields.headers)
  const waitMs = typeof wait === 'number' && wait >= 0 ? wait : header
  if (isHubmeshError(error))
    return { status, code: error.code, retryable: fields.retryable === true, waitMs }
  if (status === 401 || status === 403)
    return { status, code: 'remote/auth', retryable: false, waitMs }
  const again = status === 408 || status === 429 || (status !== null && status >= 500)
  return {
    status,
    code: again ? 'remote/unavailable' : 'remote/invalid',
    retryable: again || fields.retryable === true,
    waitMs,
  }
}

function retryAfter(headers: unknown): number | null {
  if (typeof headers !== 'object' || headers === null) return null
  const get = (name: string): unknown =>
    headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name]
  return retryAfterMs(get('retry-after'), get('date'))
}

/**
 * Milliseconds that a Retry-After asks for (RFC 9110, 10.2.3): seconds, or a time, counted from the
 * answer's own Date. Null for anything else.
 */
export function retryAfterMs(value: unknown, date: unknown): number | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const wanted = Date.parse(value),
    from = typeof date === 'string' ? Date.parse(date) : NaN
  return Number.isFinite(wanted) && Number.isFinite(from) ? Math.max(0, wanted - from) : null
}

/** What may be shown: our own messages hold no text of documents; those of others might. */
function messageOf(error: unknown): string {
  return isHubmeshError(error)
    ? error.message
    : `The language model's function failed${error instanceof Error ? ` with ${error.name}` : ''}.`
}
