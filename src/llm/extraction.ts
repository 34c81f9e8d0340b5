/** The plain data that an extraction is: what stands in which text, and what came of each. */
import type { Span } from '../types.ts'

export interface ExtractedEntity {
  /** Canonical form: that of the linker, where there is one. */
  readonly id: string
  /** The longest way it is written. */
  readonly label: string
  /** What the model called it most often, `PERSON`; null where it said nothing. */
  readonly type: string | null
  /** Every way it is written, in order of code units. */
  readonly names: readonly string[]
  /** In order of code units. */
  readonly documentIds: readonly string[]
}

/** `text.slice(start, end)` is the name. One of each name and document: the first place. */
export interface ExtractedMention extends Span {
  readonly documentId: string
  readonly name: string
  readonly entityId: string
}

/** Both names stand in `text.slice(start, end)`, and that in the sentence. */
export interface ExtractedRelation extends Span {
  /** As it is written in the text. */
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly subjectId: string
  readonly objectId: string
  readonly documentId: string
  readonly sentence: Span & { readonly text: string }
}

export interface ExtractionFailure {
  readonly documentId: string
  /**
   * `call`: no answer; `unreadable`: an answer without triples in it, such as a refusal; `cut`: it
   * broke off, and what came before was kept.
   */
  readonly reason: 'call' | 'unreadable' | 'cut'
  /** Code of the error, for `call`. */
  readonly code: string | null
  readonly attempts: number
  readonly message: string
}

export interface ExtractionCounts {
  readonly documents: number
  /** Different texts that had to be asked for. */
  readonly asked: number
  /** Documents answered by the cache. */
  readonly cached: number
  readonly failed: number
  readonly relations: number
  /** Relations that were dropped because a name of theirs does not stand in the text. */
  readonly notInText: number
  /** Names without a relation that were dropped for the same reason. */
  readonly namesNotInText: number
  /** Entries of answers that are no triple or no name. */
  readonly malformed: number
}

export interface LLMEstimate {
  readonly documents: number
  /** Calls to come: different texts that the cache does not hold. */
  readonly calls: number
  readonly cached: number
  /** Tokens of all prompts to come, by the counter given. */
  readonly promptTokens: number
  /** Tokens of the longest prompt: to be held against the model's window. */
  readonly longestPromptTokens: number
}

export interface LLMExtraction {
  readonly documentIds: readonly string[]
  readonly entities: readonly ExtractedEntity[]
  readonly mentions: readonly ExtractedMention[]
  readonly relations: readonly ExtractedRelation[]
  readonly failures: readonly ExtractionFailure[]
  readonly counts: ExtractionCounts
  readonly estimate: LLMEstimate
}
