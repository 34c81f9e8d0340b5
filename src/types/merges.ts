/** Names that a user merged, and candidates for a merge. */
import type { Span } from './documents.ts'

/**
 * Names that a user made one. Kept with the corpus as digests: it holds no text of a document that
 * is gone.
 */
export interface NameMerge {
  /** 16 hex digits, the same for the same names; `undoMerge` takes it. */
  readonly id: string
  /**
   * What the names are known by now, and how that is written; null while the corpus holds none of
   * them.
   */
  readonly name: string | null
  readonly label: string | null
  /** Those of its names that the corpus holds, in order of UTF-16 code units. */
  readonly names: readonly string[]
  /**
   * The one of them by which the others were to be known; null where none was given, or the corpus
   * does not hold it.
   */
  readonly into: string | null
  /** Its other names: no document holds them now, and they join again when one does. */
  readonly absent: number
  /** Passages that mention one of the names, or of those they were merged with by other merges. */
  readonly passages: number
}

export interface MergeNamesOptions {
  /**
   * The name by which the others shall be known, one of them or another; default the longest that
   * the corpus holds.
   */
  readonly into?: string
  readonly signal?: AbortSignal
}

export interface SuggestMergesOptions {
  /** 1 to 200; default 20. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Why two names may be one. */
export interface MergeReason {
  /**
   * `acronym`: the first letters of the other's words. `spelling`: one word a slip apart.
   * `joining`: the same letters, parted otherwise (Jean-Paul, Jean Paul). `initials`: given names
   * shortened. `part`: the one longer name of the corpus that ends or begins with it. `neighbours`:
   * they stand beside the same names, and not in one passage. `meaning`: cosine of the two names by
   * the corpus' own embedder.
   */
  readonly kind: 'acronym' | 'spelling' | 'joining' | 'initials' | 'part' | 'neighbours' | 'meaning'
  /** How strong, in (0, 1]. */
  readonly value: number
}

/**
 * Where one of the names stands. `text` is that of the document, or of its title where `inTitle`.
 */
export interface NamePlace extends Span {
  readonly documentId: string
  readonly text: string
  readonly inTitle: boolean
  readonly sentence: Span & { readonly text: string }
}

/** Two names that may be one, with what speaks for it. A person decides. */
export interface MergeSuggestion {
  /** The one they would be known by first. */
  readonly names: readonly [SuggestedName, SuggestedName]
  /** In (0, 1]; only the order means something. */
  readonly score: number
  readonly reasons: readonly MergeReason[]
  /** Names that stand beside both, by how rare they are; at most five. */
  readonly shared: readonly string[]
}

export interface SuggestedName {
  readonly name: string
  readonly label: string
  readonly passages: number
  /** Up to three places, those beside a shared name first. */
  readonly places: readonly NamePlace[]
}
