/** The unit vectors of the documents a question is compared with, read from a store in batches. */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { cosineOfUnits, toUnitVector } from '../../vector/unit_vector.ts'
import type { PlannerStore } from './result.ts'

/** Vectors by document id; a document that is not in the store or has no vector is not in it. */
export type DocumentVectors = ReadonlyMap<string, Float32Array>

/**
 * Rejects with `input/invalid` for a vector that is not finite, is zero, or has another length than
 * the rest.
 */
export async function readVectors(
  store: PlannerStore,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<DocumentVectors> {
  const vectors = new Map<string, Float32Array>()
  let dims = 0
  for (let from = 0; from < ids.length; from += LIMITS.readPageRecords) {
    throwIfAborted(signal)
    for (const document of await store.getMany(ids.slice(from, from + LIMITS.readPageRecords))) {
      if (!document?.vector) continue
      dims ||= document.vector.length
      try {
        vectors.set(document.id, toUnitVector(document.vector, dims))
      } catch (error) {
        if (!isHubmeshError(error)) throw error
        throw new HubmeshError(
          error.code,
          `The vector of document '${document.id}' cannot be used: ${error.message}`,
          { cause: error, details: { id: document.id } },
        )
      }
    }
  }
  return vectors
}

/**
 * Cosine of the question and each of the ids that has a vector, in [-1, 1]; none without a
 * question's vector.
 */
export function cosines(
  question: Float32Array | null,
  ids: Iterable<string>,
  vectors: DocumentVectors,
): Map<string, number> {
  const out = new Map<string, number>()
  if (!question) return out
  for (const id of ids) {
    const vector = vectors.get(id)
    if (!vector) continue
    if (vector.length !== question.length)
      throw new HubmeshError(
        'input/invalid',
        `The question's vector has ${question.length} components and the documents' ` +
          `${vector.length}; use the model the documents were embedded with.`,
      )
    out.set(id, cosineOfUnits(question, 0, vector, 0, question.length))
  }
  return out
}
