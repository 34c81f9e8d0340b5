/** Vector search over numbered rows. */

export interface VectorHit {
  readonly row: number
  /** Cosine in [-1, 1]. */
  readonly score: number
}

/**
 * Unit vectors by row (0 … 2^31 - 2, reused after removal). Answers are ordered by score, ties by
 * row.
 */
export interface VectorIndex {
  readonly kind: 'exact' | 'hnsw'
  readonly dims: number
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
  /** The k nearest rows that `accept` takes. */
  search(query: ArrayLike<number>, k: number, accept?: (row: number) => boolean): VectorHit[]
  /**
   * Cosines of all rows up to `rows`, NaN where a row has none; null where the index is not exact.
   */
  scores(query: ArrayLike<number>, rows: number): Float32Array | null
  readonly bytes: number
  close(): void
}
