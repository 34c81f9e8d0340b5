/** The official Qdrant client: loading it, its settings, and what its errors mean. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest'
import { LIMITS } from '../../../base/limits.ts'
import { loadClient, readAddress, readTimeout } from './remote_options.ts'
import { remoteCall } from './remote_call.ts'
import type { Refusal } from './remote_call.ts'
import { unreadable } from './ranked_hits.ts'

export type QdrantApi = ReturnType<QdrantClient['api']>
export type QdrantFilter = Schemas['Filter']
type Init = { readonly signal: AbortSignal }

export interface QdrantConnection {
  /** Sends one request under the deadline and gives its `result`. */
  call<T>(
    signal: AbortSignal | undefined,
    send: (api: QdrantApi, init: Init) => Promise<{ readonly data: { readonly result?: T } }>,
  ): Promise<T>
}

export interface QdrantConnectionOptions {
  readonly url: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** Rejects with `input/invalid` and `store/unavailable`; nothing is sent yet. */
export async function qdrantConnection(
  options: QdrantConnectionOptions,
): Promise<QdrantConnection> {
  const url = readAddress(options.url),
    timeoutMs = readTimeout(options.timeoutMs ?? LIMITS.remoteTimeoutMs)
  const { QdrantClient } = await loadClient(
    '@qdrant/js-client-rest',
    () => import('@qdrant/js-client-rest'),
  )
  // The key goes in as a header, as the client prints a warning about keys over http, which is
  // right for a server on the same machine. Without a
  // timeout of its own the client leaves our signal alone.
  const headers = {
    ...options.headers,
    ...(options.apiKey === undefined ? {} : { 'api-key': options.apiKey }),
  }
  const client = new QdrantClient({
    url: url.origin,
    prefix: url.pathname.replace(/\/$/, ''),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    timeout: Infinity,
    checkCompatibility: false,
    headers,
  })
  return {
    call: (signal, send) =>
      remoteCall({ server: 'Qdrant', timeoutMs, signal, refusalOf }, async (own) => {
        const { data } = await send(client.api(), { signal: own })
        // A page that is not JSON comes as a string.
        if (
          typeof data !== 'object' ||
          data === null ||
          data.result === undefined ||
          data.result === null
        )
          throw unreadable('Qdrant', 'something that is not a result')
        return data.result
      }),
  }
}

/**
 * Errors of the client: ApiError has a status; one of its own names a 429 without it; the rest is
 * fetch's.
 */
function refusalOf(error: unknown): Refusal | null {
  if (typeof error !== 'object' || error === null) return null
  const { status, name } = error as { readonly status?: unknown; readonly name?: unknown }
  if (typeof status === 'number') return { status }
  if (name === 'QdrantClientResourceExhaustedError') return { status: 429 }
  // fetch rejects with a TypeError when there is no connection, and when the body breaks off.
  return name === 'TypeError' ? { status: undefined } : null
}
