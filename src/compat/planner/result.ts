/** What a planner takes and gives. Types only. */
import type { Embedder } from '../../embed/embedder.ts'
import type { VectorStore, VectorStoreHit } from '../stores/vector_store.ts'
import type { Metadata } from '../../types.ts'
import type { PlannerPath } from './paths.ts'

/** A vector of one text. */
export type EmbedFunction = (
  text: string,
  options: { readonly signal?: AbortSignal },
) => ArrayLike<number> | Promise<ArrayLike<number>>
export type PlannerEmbed = Embedder | EmbedFunction

/** A document as a planner reads it; one without a vector is ranked by the graph alone. */
export interface PlannerDocument {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  readonly vector: ArrayLike<number> | null
}

/** What a planner needs of a store; every VectorStore is one. */
export interface PlannerStore extends Pick<VectorStore, 'search'> {
  getMany(ids: readonly string[]): Promise<readonly (PlannerDocument | null)[]>
  neighbors(id: string, k?: number): Promise<readonly VectorStoreHit[]>
  /**
   * Changes with every write, so that vectors are read again; left out: the store never changes.
   */
  readonly mutationCounter?: number
}

export interface PlannerRetrieveOptions {
  /** Sources at most, 1 to LIMITS.topK; default 10. */
  readonly topK?: number
  /** Tokens of the context at most; default 4000. */
  readonly budgetTokens?: number
  /** The question's vector, instead of embedding it. */
  readonly queryVector?: ArrayLike<number>
  /**
   * KG mode: names to begin at beside the question's own, for instance those read in an earlier
   * hop.
   */
  readonly seedEntities?: readonly string[]
  /**
   * Ids of documents that take no part: neither in the walk, nor in the ranges, nor in the answer.
   */
  readonly excludeDocs?: readonly string[]
  readonly signal?: AbortSignal
}

export interface PlannerSource {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  /**
   * Position among all documents by score, from 0; numbers are missing where a near-duplicate was
   * left out.
   */
  readonly rank: number
  /**
   * As hubmesh 0.4.2 gives it: the cosine, but in kNN mode beyond the first pass the relevance in
   * [0, 1]; 0 without a vector. See `cosine`.
   */
  readonly similarity: number
  /** Cosine of question and document in [-1, 1]; null where either has no vector. */
  readonly cosine: number | null
  /** Mass of the walk. */
  readonly pprScore: number
  /** In [0, 1], rounded to 1e-9. */
  readonly compositeScore: number
  /** Number of its block `[n]` in the context; null where it did not fit the budget. */
  readonly block: number | null
}

/** A document of a rank better than the last source's that is no source. */
export interface PlannerOmission {
  readonly id: string
  readonly rank: number
  /** `duplicate`: the same text as a source; `redundant`: nearly the same vector. */
  readonly reason: 'duplicate' | 'redundant'
}

export interface KgDebug {
  readonly mode: 'kg'
  readonly queryMentions: readonly string[]
  /** The first ten nodes the walk began at. */
  readonly pprSeeds: readonly string[]
  /** Those of them that `seedEntities` gave, the first ten. */
  readonly injectedSeeds: readonly string[]
  readonly excludedDocs: number
  readonly kgNodes: number
  readonly kgEdges: number
  readonly warnings: readonly string[]
}

export interface KnnDebug {
  readonly mode: 'knn'
  readonly subgraphNodes: number
  readonly subgraphEdges: number
  /** 0 where none were looked for. */
  readonly communities: number
  /** Documents in the anchor; all of the subgraph without one. */
  readonly anchorSize: number
  readonly pprSeeds: readonly string[]
  readonly excludedDocs: number
  readonly warnings: readonly string[]
}

export interface PlannerResult {
  /** Empty where the question was a vector. */
  readonly query: string
  /**
   * `[n] text` blocks with an empty line in between; never more tokens than the budget. Text of
   * documents: untrusted.
   */
  readonly context: string
  /** Best first, at most topK, whatever the budget. */
  readonly sources: readonly PlannerSource[]
  readonly omitted: readonly PlannerOmission[]
  /** At most min(5, topK), best first. */
  readonly reasoning: readonly PlannerPath[]
  readonly debug: KgDebug | KnnDebug
}
