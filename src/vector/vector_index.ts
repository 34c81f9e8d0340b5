/** Owns the contract of vector search over numbered rows. Refuses: ids, documents, storage. */

export interface VectorHit {
  readonly row: number
  /** Cosine in [-1, 1]. */
  readonly score: number
}

/**
 * Unit vectors under small whole numbers (rows 0 … 2^31 - 2, reused after removal). Every answer is
 * ordered by score, ties by row.
 */
export interface VectorIndex {
  readonly kind: 'exact' | 'hnsw'
  readonly dims: number
  /** Rows that hold a vector. */
  readonly size: number
  /**
   * Adds or replaces. Throws `input/invalid` on another length, a non-finite component or a zero
   * vector; normalises to unit length.
   */
  set(row: number, vector: ArrayLike<number>): void
  remove(row: number): void
  has(row: number): boolean
  /** The stored unit vector, or null. */
  get(row: number): Float32Array | null
  /** The k nearest rows. `accept`, where given, is asked before a row may be an answer. */
  search(query: ArrayLike<number>, k: number, accept?: (row: number) => boolean): VectorHit[]
  /**
   * Cosines of all rows up to `rows` into a fresh array, NaN where a row has none; only `exact`
   * can, others give null.
   */
  scores(query: ArrayLike<number>, rows: number): Float32Array | null
  /** Bytes the index holds. */
  readonly bytes: number
  close(): void
}
