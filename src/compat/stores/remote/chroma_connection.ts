/**
 * The official Chroma client: loading it, a collection's handle for each request, and what its
 * errors mean.
 */
import type { ChromaClient, Collection } from 'chromadb'
import { LIMITS } from '../../../base/limits.ts'
import { loadClient, readAddress, readTimeout } from './remote_options.ts'
import { remoteCall } from './remote_call.ts'
import type { Refusal } from './remote_call.ts'

export interface ChromaConnection {
  /** Sends requests of the client under one deadline. */
  client<T>(signal: AbortSignal | undefined, send: (client: ChromaClient) => Promise<T>): Promise<T>
  /** The same with the collection of this id. */
  collection<T>(
    signal: AbortSignal | undefined,
    id: string,
    send: (collection: Collection) => Promise<T>,
  ): Promise<T>
}

export interface ChromaConnectionOptions {
  readonly url: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly tenant?: string
  readonly database?: string
  readonly timeoutMs?: number
}

/** Rejects with `input/invalid` and `store/unavailable`; nothing is sent yet. */
export async function chromaConnection(
  options: ChromaConnectionOptions,
): Promise<ChromaConnection> {
  const url = readAddress(options.url),
    timeoutMs = readTimeout(options.timeoutMs ?? LIMITS.remoteTimeoutMs)
  const { ChromaClient } = await loadClient('chromadb', () => import('chromadb'))
  const ssl = url.protocol === 'https:'
  const headers = {
    ...options.headers,
    ...(options.apiKey === undefined ? {} : { 'x-chroma-token': options.apiKey }),
  }
  // A client takes its signal when it is made, and costs nothing before its first request: so each
  // call has one of its own.
  const open = (signal: AbortSignal): ChromaClient =>
    new ChromaClient({
      host: url.hostname,
      port: url.port === '' ? (ssl ? 443 : 80) : Number(url.port),
      ssl,
      headers,
      tenant: options.tenant ?? 'default_tenant',
      database: options.database ?? 'default_database',
      fetchOptions: { signal },
    })
  const client: ChromaConnection['client'] = (signal, send) =>
    remoteCall(
      { server: 'Chroma', timeoutMs, signal, refusalOf },
      async (own) => await send(open(own)),
    )
  return {
    client,
    collection: (signal, id, send) => client(signal, (made) => send(made.collection(id))),
  }
}

/** Status of each error class of the client, by the name that it gives its errors. */
const STATUS = new Map([
  ['ChromaAuthError', 401],
  ['ChromaUnauthorizedError', 401],
  ['ChromaForbiddenError', 403],
  ['ChromaNotFoundError', 404],
  ['ChromaUniqueError', 409],
  ['ChromaClientError', 400],
  ['ChromaQuotaExceededError', 429],
  ['ChromaRateLimitError', 429],
  ['ChromaServerError', 500],
])

function refusalOf(error: unknown): Refusal | null {
  const name =
    typeof error === 'object' && error !== null
      ? (error as { readonly name?: unknown }).name
      : undefined
  const status = STATUS.get(String(name))
  if (status !== undefined) return { status }
  // The body of an answer that breaks off is a TypeError of fetch's, and so is no error of
  // Chroma's.
  return name === 'ChromaConnectionError' || name === 'TypeError' ? { status: undefined } : null
}
