/**
 * The way of documents to a server: admitted, of one length, in batches, with a word on how far it
 * got.
 */
import { admitAll } from '../../../document/admit.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../../base/errors.ts'
import type { DocumentInput } from '../../../types.ts'
import { toUnitVector } from '../../../vector/unit_vector.ts'
import type { VectorDocument } from '../vector_store.ts'
import type { VectorCache } from './vector_cache.ts'

export interface UpsertOptions {
  readonly signal?: AbortSignal
  /** Called after each confirmed batch. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/**
 * Admitted documents with unit vectors of `dims` components, or of the first one's where dims is 0.
 * Throws `input/*`.
 */
export function readyToSend(
  inputs: readonly DocumentInput[],
  dims: number,
  signal?: AbortSignal,
): VectorDocument[] {
  const { documents } = admitAll(inputs, signal ? { signal } : {})
  const length = dims || (documents[0]?.vector?.length ?? 0)
  return documents.map(({ id, title, text, metadata, vector }) => {
    if (!vector)
      throw new HubmeshError(
        'input/invalid',
        `Document '${id}' has no vector; give every document its vector before it goes to a server.`,
        { details: { id } },
      )
    if (vector.length !== length) {
      throw new HubmeshError(
        'input/invalid',
        `Document '${id}' has a vector of ${vector.length} components, the collection takes ` +
          `${length}; vectors of different models cannot be compared.`,
        { details: { id, length: vector.length, dims: length } },
      )
    }
    if (!isWellFormed(`${title}\n${text}\n${JSON.stringify(metadata)}`)) {
      throw new HubmeshError(
        'input/invalid',
        `Document '${id}' holds half of a surrogate pair, which no request can carry; pass well-formed Unicode.`,
        { details: { id } },
      )
    }
    return { id, title, text, metadata, vector: toUnitVector(vector, length) }
  })
}

/**
 * Sends batch after batch. Vectors are cached once their batch is confirmed, and those of a batch
 * that failed are forgotten, as it is unknown whether it arrived. The error of a failed batch tells
 * in its details how many documents are `confirmed` and how many there were `of`; sending them all
 * again is safe.
 */
export async function sendInBatches(
  documents: readonly VectorDocument[],
  batchSize: number,
  cache: VectorCache | null,
  options: UpsertOptions,
  send: (batch: readonly VectorDocument[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < documents.length; from += batchSize) {
    throwIfAborted(options.signal)
    const batch = documents.slice(from, from + batchSize)
    for (const { id } of batch) cache?.forget(id)
    try {
      await send(batch)
    } catch (error) {
      if (!isHubmeshError(error)) throw error
      const said = error as HubmeshError
      throw new HubmeshError(
        said.code,
        `${said.message} ${from} of ${documents.length} documents are confirmed.`,
        {
          cause: said.cause,
          retryable: said.retryable,
          details: { ...said.details, confirmed: from, of: documents.length },
        },
      )
    }
    for (const { id, vector } of batch) cache?.set(id, vector)
    options.onProgress?.({ done: from + batch.length, total: documents.length })
  }
}

function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const low = text.charCodeAt(i + 1)
    if (unit > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return false
    i++
  }
  return true
}
