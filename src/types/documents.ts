/** Documents as given, admitted, shown and listed, and spans of their text. */

/** A JSON value: what metadata may hold. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Labels of a document, for filters, facets and sorting. */
export type Metadata = { readonly [key: string]: Json }

/**
 * A document as a caller hands it over. A bare string is a document without title and id. Fields of
 * other names are kept as metadata.
 */
export interface DocumentInput {
  /**
   * Unique in the corpus. Left out, it is derived from title and text, so the same content is the
   * same document.
   */
  readonly id?: string
  readonly title?: string
  readonly text: string
  /** JSON values; a Date is kept as its ISO text, which filters compare with dates. */
  readonly metadata?: Metadata
  /**
   * A vector of the whole document, made by the corpus' own embedder; only for documents of a
   * single passage.
   */
  readonly vector?: ArrayLike<number>
}

/** Half-open range of UTF-16 offsets: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An admitted document: every field checked, id settled, text exactly as the user gave it. */
export interface AdmittedDocument {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  /**
   * Hex SHA-256 of title and text, with lone surrogates kept apart: the identity of the content.
   */
  readonly hash: string
  readonly vector?: Float32Array
}

/** What is ranked, packed and embedded: a span of one document. */
export interface PassageRef {
  readonly documentId: string
  /** Position of the passage in its document, from 0. */
  readonly index: number
  /** Offsets into the document's text. */
  readonly start: number
  readonly end: number
}

/** A stored document as `getDocument` gives it. */
export interface DocumentView {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  readonly passages: readonly Span[]
}

export interface DocumentListing {
  readonly total: number
  readonly documents: readonly {
    readonly id: string
    readonly title: string
    readonly chars: number
    readonly passages: number
    readonly passagesWithVectors: number
  }[]
}
