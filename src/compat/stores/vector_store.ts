/** The contract of a store of whole documents and their vectors, as the Planner reads it. */
import type { Filter, Metadata } from '../../types.ts'

/**
 * A document with its vector: what goes into a store and comes out of it unchanged, but for the
 * vector's length, which becomes 1.
 */
export interface VectorDocument {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  readonly vector: Float32Array
}

export interface VectorStoreHit {
  readonly id: string
  /** Cosine in [-1, 1]. */
  readonly score: number
}

export interface VectorSearchOptions {
  /** Only documents whose metadata it lets through are ranked. */
  readonly filter?: Filter
  readonly signal?: AbortSignal
}

/**
 * In memory or behind a network: every method is asynchronous, and answers are ordered by score,
 * ties by id (UTF-16 code units).
 */
export interface VectorStore {
  /** Components of every vector; 0 while the store is empty. */
  readonly dim: number
  /**
   * Grows with every write through this object, so that a planner reads vectors again; left out:
   * the store never changes. Writes of others do not show.
   */
  readonly mutationCounter?: number
  /**
   * The k documents nearest to a vector. Rejects with `input/invalid` for a vector of another
   * length or without direction, or a filter of another shape.
   */
  search(
    vector: ArrayLike<number>,
    k: number,
    options?: VectorSearchOptions,
  ): Promise<readonly VectorStoreHit[]>
  /** Null where no document has the id. */
  get(id: string): Promise<VectorDocument | null>
  /** In the order of the ids, null where there is none. */
  getMany(ids: readonly string[]): Promise<readonly (VectorDocument | null)[]>
  /**
   * The k documents nearest to one of the store: never itself, exactly k where there are as many
   * others. Empty for an unknown id.
   */
  neighbors(id: string, k?: number): Promise<readonly VectorStoreHit[]>
  /** Every id once, in order of UTF-16 code units. */
  allIds(): Promise<readonly string[]>
  /** The unit vector; null where no document has the id. */
  vectorOf(id: string): Promise<Float32Array | null>
  close(): Promise<void>
}
