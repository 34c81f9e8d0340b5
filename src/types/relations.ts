/** Relations as a caller gives and lists them. */
import type { Span } from './documents.ts'

/** A relation of two names that a document states; the relations of `buildEntityKGLLM` are such. */
export interface RelationInput {
  readonly documentId: string
  /** Letter by letter as it stands in the text. */
  readonly subject: string
  /** At most 100 characters; how it is called is the caller's. */
  readonly predicate: string
  readonly object: string
  /** Range of the text in which both stand; left out, their nearest mentions are taken. */
  readonly start?: number
  readonly end?: number
}

/** A list, or an extraction of `buildEntityKGLLM`. */
export type RelationsInput =
  readonly RelationInput[] | { readonly relations: readonly RelationInput[] }

export interface RelationsOptions {
  /** A name at either end, or one that was merged with it. */
  readonly name?: string
  readonly documentId?: string
  /** From 0; default 0. */
  readonly offset?: number
  /** 1 to 10,000; default 100. */
  readonly limit?: number
}

export interface AddRelationsResult {
  readonly added: number
  /** Those that were there already. */
  readonly known: number
  /** `at` is the place in the list that was given. */
  readonly rejected: readonly {
    readonly at: number
    readonly reason: 'unknown-document' | 'not-in-text'
  }[]
  readonly generation: number
}

/**
 * A relation that was given, with its exact places: `text.slice(subject.start, subject.end)` is the
 * subject.
 */
export interface Relation {
  readonly documentId: string
  readonly subject: Span & { readonly text: string }
  readonly predicate: string
  readonly object: Span & { readonly text: string }
  readonly sentence: Span & { readonly text: string }
}

export interface RelationListing {
  readonly total: number
  readonly relations: readonly Relation[]
}
