/**
 * Owns a question's options: how much is asked for, from where, and of which documents. Refuses:
 * the answer.
 */

/** Data, not a function: fields of the document's metadata, all of which must hold. */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly [field: string]: FilterScalar | FilterCondition }
export type FilterScalar = string | number | boolean | null
export interface FilterCondition {
  readonly in?: readonly FilterScalar[]
  readonly gte?: number | string
  readonly lte?: number | string
  readonly not?: FilterScalar
}

export interface RetrieveOptions {
  /** Sources to return, 1 to 1000; default 10. */
  readonly topK?: number
  /** Hard bound of the context by the counter in use; default 4000. */
  readonly budgetTokens?: number
  /**
   * Fills the budget; default false: the context ends where passages are no longer about the
   * question.
   */
  readonly fill?: boolean
  readonly queryVector?: ArrayLike<number>
  /** Names to start from besides those of the question. */
  readonly seedEntities?: readonly string[]
  /** Replaces the names found in the question: an empty list turns them off. */
  readonly questionSeeds?: readonly string[]
  readonly excludeDocs?: readonly string[]
  readonly filter?: Filter
  /**
   * `auto` uses meaning as soon as the embedder is ready; `full` waits for it and for the vectors
   * that are stored; `text` never does.
   */
  readonly tier?: 'auto' | Tier
  /**
   * Milliseconds to wait after an addition until names of new documents are looked up in older ones,
   * 0 to 60,000; default 1000. Beyond it the answer is given with a warning.
   */
  readonly settleMs?: number
  readonly signal?: AbortSignal
}

export interface SearchOptions {
  readonly topK?: number
  readonly mode?: 'lexical' | 'dense' | 'hybrid'
  readonly queryVector?: ArrayLike<number>
  readonly excludeDocs?: readonly string[]
  readonly filter?: Filter
  readonly signal?: AbortSignal
}

export type Tier = 'text' | 'full'
export type TokenCounter = (text: string) => number
export type TokenCounterChoice = 'approx' | 'o200k' | 'cl100k' | TokenCounter
