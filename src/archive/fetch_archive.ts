/**
 * Fetches an archive as a stream: one request, same origin unless the caller says otherwise,
 * progress in bytes. Rejects what is plainly no archive: an error's page, a web page in its place.
 */
import { isPlace, originOf } from '../base/addresses.ts'
import { abortedError, HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

export interface FetchArchiveOptions {
  /** The origin that needs no permission; null where there is none, as in Node. */
  readonly origin: string | null
  /** True lets the request go to another origin, without credentials. */
  readonly crossOrigin?: boolean
  readonly signal?: AbortSignal
  /** Bytes that have come, and those announced; null where the server does not say. */
  readonly onProgress?: (loaded: number, total: number | null) => void
  /** Stands in for the host's, for tests. */
  readonly fetch?: typeof fetch
}

/**
 * The archive at an absolute http(s) address, as it arrives. Rejects with `input/invalid` (an
 * address that may not be asked), `remote/unavailable` (no answer, or one with an error's status,
 * in `details.status`), `archive/invalid` (a web page), `archive/too-large` or `aborted`; the
 * stream breaks off with `archive/invalid` where fewer bytes come than were announced.
 */
export async function fetchArchive(
  address: URL,
  options: FetchArchiveOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { origin, crossOrigin = false, signal, onProgress } = options
  throwIfAborted(signal)
  checkAddress(address, origin, crossOrigin)
  const shown = shownAddress(address)
  const response = await (options.fetch ?? fetch)(address, {
    ...(origin === null
      ? {}
      : crossOrigin && originOf(address) !== origin
        ? { mode: 'cors' as const, credentials: 'omit' as const }
        : { mode: 'same-origin' as const, credentials: 'same-origin' as const }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw abortedError(signal)
    throw new HubmeshError(
      'remote/unavailable',
      `No archive could be fetched from ${shown}: the server did not answer, forwarded to ` +
        'another origin, or a policy of the page (connect-src) forbids it.',
      { cause: error, details: { address: shown }, retryable: true },
    )
  })
  try {
    return checked(response, shown, onProgress)
  } catch (error) {
    await response.body?.cancel().catch(() => undefined)
    throw error
  }
}

function checkAddress(address: URL, origin: string | null, crossOrigin: boolean): void {
  if (!isPlace(address))
    throw new HubmeshError(
      'input/invalid',
      `An archive is not fetched from ${address.protocol} addresses. Pass a file as a Blob.`,
      { details: { field: 'archive' } },
    )
  if (origin !== null && originOf(address) !== origin && !crossOrigin) {
    throw new HubmeshError(
      'input/invalid',
      `The archive lies at ${originOf(address)}, which is not the page's own origin. Pass { ` +
        'crossOrigin: true } if it is to be asked.',
      { details: { field: 'archive', origin: originOf(address) } },
    )
  }
}

function checked(
  response: Response,
  shown: string,
  onProgress: FetchArchiveOptions['onProgress'],
): ReadableStream<Uint8Array> {
  const { status, headers, body } = response
  if (!response.ok || body === null) {
    throw new HubmeshError(
      'remote/unavailable',
      `No archive is at ${shown}: the server answered with status ${status}. Check the address.`,
      { details: { address: shown, status }, retryable: status >= 500 || status === 429 },
    )
  }
  if (/^\s*(text\/html|application\/xhtml\+xml)/i.test(headers.get('content-type') ?? '')) {
    throw new HubmeshError(
      'archive/invalid',
      `At ${shown} is a web page, not an archive: many servers answer so where they have no ` +
        'such file. Check the address.',
      { details: { address: shown } },
    )
  }
  // A compressed answer announces its bytes on the way, not those that are read here.
  const announced =
    headers.get('content-encoding') === null ? Number(headers.get('content-length') ?? NaN) : NaN
  const total = Number.isSafeInteger(announced) && announced >= 0 ? announced : null
  if (total !== null && total > LIMITS.archiveBytes)
    throw new HubmeshError(
      'archive/too-large',
      `The archive at ${shown} has ${total} bytes; at most ${LIMITS.archiveBytes} are read.`,
      { details: { bytes: total } },
    )
  let loaded = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.length
        onProgress?.(loaded, total)
        controller.enqueue(chunk)
      },
    }),
  )
}

/** Without what may be secret: user, password, query. */
function shownAddress(address: URL): string {
  return `${originOf(address)}${address.pathname}`.slice(0, 300)
}
