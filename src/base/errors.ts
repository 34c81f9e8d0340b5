/**
 * The one error class and its closed list of codes. No message holds text of documents or
 * questions; one about a name that a caller gave may hold names of the corpus.
 */

/**
 * Every way the engine can fail. Codes are API: compare `error.code`, never `instanceof`, across a
 * worker port.
 */
export const ERROR_CODES = [
  'input/invalid',
  'input/too-large',
  'input/conflict',
  'store/unavailable',
  'store/blocked',
  'store/newer-schema',
  'store/closed',
  'store/quota',
  'store/corrupt',
  'store/evicted',
  'store/indeterminate',
  'store/locked',
  'writer/not-leader',
  'writer/lost',
  'worker/start-failed',
  'worker/crashed',
  'worker/timeout',
  'model/fetch',
  'model/integrity',
  'model/incompatible',
  'model/memory',
  'model/device-lost',
  'index/stale',
  'index/corrupt',
  'archive/version',
  'archive/too-large',
  'archive/invalid',
  'corpus/not-found',
  'remote/unavailable',
  'remote/auth',
  'remote/timeout',
  'remote/invalid',
  'aborted',
  'bug/invariant',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/**
 * Facts about a failure that survive structured cloning: sizes, ids, field names. Never document
 * text.
 */
export type ErrorDetails = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | readonly number[]>
>

export interface HubmeshErrorOptions {
  readonly cause?: unknown
  readonly details?: ErrorDetails
  /** True where the same call may succeed later without a change by the caller. */
  readonly retryable?: boolean
}

/**
 * The only error the package throws. The message says what happened, with which value, and what to
 * do.
 */
export class HubmeshError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: HubmeshErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HubmeshError'
    this.code = code
    this.details = options.details ?? {}
    this.retryable = options.retryable ?? false
  }
}

/** Recognises a HubmeshError also after it crossed a port or a realm. */
export function isHubmeshError(value: unknown): value is HubmeshError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    'message' in value &&
    (ERROR_CODES as readonly unknown[]).includes((value as { code: unknown }).code)
  )
}

/**
 * Throws `aborted` when the signal has fired; call it at every boundary of a long piece of work.
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal)
}

/** The error a cancelled call rejects with. */
export function abortedError(signal?: AbortSignal): HubmeshError {
  return new HubmeshError(
    'aborted',
    'The call was cancelled by its AbortSignal; nothing partial was kept.',
    { cause: signal?.reason },
  )
}

/** States something that can only be false through a fault of our own. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition)
    throw new HubmeshError(
      'bug/invariant',
      `${message} This is a fault of hubmesh; please report it.`,
    )
}
