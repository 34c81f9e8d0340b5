/** Options of a question: budget, tier, and which documents count. */
import type { Metadata } from './documents.ts'

/** Fields of metadata by dotted path: `year`, `place.town`; any string where they are not typed. */
export type MetadataPath<M extends object> = string extends keyof M
  ? string
  : {
      [K in keyof M & string]: NonNullable<M[K]> extends readonly unknown[] | Date
        ? K
        : NonNullable<M[K]> extends object
          ? K | `${K}.${MetadataPath<NonNullable<M[K]>>}`
          : K
    }[keyof M & string]

/**
 * Data, not a function: conditions on fields of the document's metadata, all of which must hold. A
 * list in the metadata matches where one of its members does.
 */
export type Filter<M extends object = Metadata> =
  | { readonly and: readonly Filter<M>[] }
  | { readonly or: readonly Filter<M>[] }
  | { readonly not: Filter<M> }
  | { readonly [field in MetadataPath<M>]?: FilterScalar | FilterCondition }
/** A date stands for its ISO text, `2024-05-01T00:00:00.000Z`, and is compared with such texts. */
export type FilterScalar = string | number | boolean | null | Date
type Ordered = number | string | Date
export interface FilterCondition {
  readonly eq?: FilterScalar
  /** Also true where the field is missing, unless the value is null; as `not` and `nin`. */
  readonly ne?: FilterScalar
  readonly not?: FilterScalar
  readonly in?: readonly FilterScalar[]
  readonly nin?: readonly FilterScalar[]
  readonly gt?: Ordered
  readonly gte?: Ordered
  readonly lt?: Ordered
  readonly lte?: Ordered
  /** Both ends included. */
  readonly between?: readonly [Ordered, Ordered]
  /** A part of a text, or a member of a list. */
  readonly contains?: FilterScalar
  readonly startsWith?: string
  /** Whether the field is there; null counts as there. */
  readonly exists?: boolean
}

export interface RetrieveOptions<M extends object = Metadata> {
  /** Sources to return, 1 to 1000; default 10. */
  readonly topK?: number
  /**
   * Passages of one document at most, 1 to 1000, among sources and context, chosen from the best
   * 1000; default unbounded: on sets with several passages a document every bound lost recall.
   * The Python planner's own order is not bounded.
   */
  readonly perDocument?: number
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
  readonly filter?: Filter<M>
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
  /**
   * What was said before, oldest first. A question that leans on it ("and where was he born?") is
   * completed by the names and words it lacks; one that stands alone is left as it is.
   */
  readonly history?: readonly HistoryEntry[]
  readonly signal?: AbortSignal
}

/** An earlier question or answer, or a message of a chat. */
export type HistoryEntry = string | { readonly role: string; readonly content: string }

/** A field of the metadata to order by: least first, or greatest first with `desc`. */
export interface SortField<F extends string = string> {
  readonly field: F
  /** Default `asc`. */
  readonly order?: 'asc' | 'desc'
}

export interface SearchOptions<M extends object = Metadata> {
  /** Sources to return, 1 to 1000; default 10. */
  readonly topK?: number
  /**
   * Passages of one document at most, 1 to 1000, among sources and context, chosen from the best
   * 1000; default unbounded: on sets with several passages a document every bound lost recall.
   * The Python planner's own order is not bounded.
   */
  readonly perDocument?: number
  /** Sources to pass over, for the next page; default 0, with `topK` 1000 at most. */
  readonly offset?: number
  /**
   * Orders the best 1000 passages by fields of the metadata, the first field first, instead of by
   * score. Numbers come before texts, texts by their code units, a missing field or a list last;
   * what is equal stays in the order of the score.
   */
  readonly sort?: readonly SortField<MetadataPath<M> & string>[]
  readonly mode?: 'lexical' | 'dense' | 'hybrid'
  readonly queryVector?: ArrayLike<number>
  readonly excludeDocs?: readonly string[]
  readonly filter?: Filter<M>
  readonly signal?: AbortSignal
}

export type Tier = 'text' | 'full'
export type TokenCounter = (text: string) => number
export type TokenCounterChoice = 'approx' | 'o200k' | 'cl100k' | TokenCounter

export interface FacetOptions<M extends object = Metadata> {
  /** Counts only documents with a word of this question; all without it. */
  readonly query?: string
  readonly filter?: Filter<M>
  readonly excludeDocs?: readonly string[]
  /** Values a field, those of most documents first, 1 to 1000; default 20. */
  readonly limit?: number
}

/** How many documents have which value of a field; a list counts once for each of its members. */
export interface Suggestion {
  /** As the corpus writes it. */
  readonly text: string
  /** A title or another name of the graph, or a word. */
  readonly kind: 'title' | 'name' | 'word'
  /** Passages that have it. */
  readonly passages: number
}

export interface Facet {
  readonly field: string
  readonly values: readonly {
    readonly value: string | number | boolean | null
    readonly documents: number
  }[]
  /** Different values, those beyond `limit` included. */
  readonly total: number
}
