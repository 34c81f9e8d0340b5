/** Owns what tells embedders apart. Refuses: embedding, see embed/embedder.ts. */

/** Identity of an embedder: vectors of two identities must never be compared. */
export interface EmbedderIdentity {
  readonly model: string
  readonly revision: string
  readonly dtype: string
  readonly dims: number
  readonly pooling: string
}
