/** One request to a foreign server: its deadline, its cancelling, and the names of its failures. */
import { onAbort, orAborted } from '../../../base/signals.ts'
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../../../base/errors.ts'

/**
 * What a driver could read out of its client's error; undefined where there was no answer at all.
 */
export interface Refusal {
  readonly status: number | undefined
}

export interface RemoteCallOptions {
  /** As it stands in messages: "Qdrant", "Chroma". */
  readonly server: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /**
   * Reads the status of an answer out of what the client threw; null where it was a fault of the
   * answer's form.
   */
  readonly refusalOf: (error: unknown) => Refusal | null
}

/**
 * Runs a request under a signal that fires at the deadline or when the caller cancels; a client
 * that ignores it is left behind. Rejects with `aborted`, `remote/timeout`, `remote/auth` (401,
 * 403), `remote/unavailable` (no connection, cut off, 408, 429, 5xx) or `remote/invalid` (anything
 * else).
 */
export async function remoteCall<T>(
  options: RemoteCallOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { server, timeoutMs, signal } = options
  throwIfAborted(signal)
  const controller = new AbortController()
  let late = false
  const unlisten = onAbort(signal, () => {
    controller.abort(signal?.reason)
  })
  const timer = setTimeout(() => {
    late = true
    controller.abort()
  }, timeoutMs)
  try {
    return await orAborted(run(controller.signal), controller.signal)
  } catch (error) {
    if (signal?.aborted) throw abortedError(signal)
    if (late)
      throw new HubmeshError(
        'remote/timeout',
        `${server} gave no answer within ${timeoutMs} ms; raise timeoutMs, send smaller ` +
          'batches, or look at the server.',
        { details: { timeoutMs }, retryable: true, cause: error },
      )
    if (isHubmeshError(error)) throw error
    throw named(server, options.refusalOf(error), error)
  } finally {
    clearTimeout(timer)
    unlisten()
  }
}

function named(server: string, refusal: Refusal | null, cause: unknown): HubmeshError {
  if (refusal === null)
    return new HubmeshError(
      'remote/invalid',
      `${server} gave an answer that cannot be read; check that the address is that of a ${server} server.`,
      { cause },
    )
  const { status } = refusal
  if (status === undefined)
    return new HubmeshError(
      'remote/unavailable',
      `${server} cannot be reached or broke off the connection; check the address and whether it runs.`,
      { cause, retryable: true },
    )
  const details = { status }
  if (status === 401 || status === 403)
    return new HubmeshError(
      'remote/auth',
      `${server} refused the key (status ${status}); check apiKey and its rights.`,
      { cause, details },
    )
  if (status === 408 || status === 429 || status >= 500)
    return new HubmeshError(
      'remote/unavailable',
      `${server} could not serve the request (status ${status}); try again later.`,
      { cause, details, retryable: true },
    )
  return new HubmeshError(
    'remote/invalid',
    `${server} refused the request (status ${status}); its own words are in the error's cause.`,
    { cause, details },
  )
}
