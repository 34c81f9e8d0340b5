/** Retries with exponential back-off. */
import { onAbort } from './signals.ts'
import { abortedError, throwIfAborted } from './errors.ts'

export interface BackoffOptions {
  /** Failures in a row after which there is no further attempt. */
  readonly attempts: number
  /** Wait after the first failure, milliseconds; doubled each time. */
  readonly baseMs: number
  readonly maxMs?: number
}

/** Counts failures in a row and remembers the first. */
export class Backoff {
  private failures = 0
  /** What failed first since the last success. */
  cause: unknown = null

  constructor(private readonly options: BackoffOptions) {}

  get count(): number {
    return this.failures
  }

  /** One more failure: milliseconds until the next attempt, or null where there is none left. */
  fail(error: unknown): number | null {
    const { attempts, baseMs, maxMs = Infinity } = this.options
    if (this.failures === 0) this.cause = error
    this.failures++
    return this.failures < attempts ? Math.min(baseMs * 2 ** (this.failures - 1), maxMs) : null
  }

  succeed(): void {
    this.failures = 0
    this.cause = null
  }
}

export interface RetryOptions extends BackoffOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Whether an error is worth another attempt: false is thrown at once; a number is the wait that
   * the other side asked for, milliseconds.
   */
  readonly retryable: (error: unknown) => boolean | number
  readonly onWait?: (ms: number, failures: number) => void
  /** Default `sleep`; tests give their own. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Runs `work` until it succeeds; rejects with its last error, or with `aborted`. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const backoff = new Backoff(options),
    { signal, retryable, wait = sleep } = options
  for (;;) {
    throwIfAborted(signal)
    try {
      return await work()
    } catch (error) {
      const again = retryable(error),
        delay = again === false ? null : backoff.fail(error)
      if (delay === null) throw error
      const ms = typeof again === 'number' ? Math.min(again, options.maxMs ?? Infinity) : delay
      options.onWait?.(ms, backoff.count)
      await wait(ms, signal)
    }
  }
}

/** Resolves after so many milliseconds; rejects with `aborted`. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedError(signal))
      return
    }
    const unlisten = onAbort(signal, () => {
      clearTimeout(timer)
      reject(abortedError(signal))
    })
    const timer = setTimeout(() => {
      unlisten()
      resolve()
    }, ms)
  })
}
