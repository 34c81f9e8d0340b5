/**
 * Owns adding: what `add` takes and how, its progress, and what became of it. Refuses: archives.
 */
import type { DocumentInput } from './documents.ts'

/** What `add` takes: one thing or many. */
export type AddInput = string | DocumentInput | File | readonly (string | DocumentInput | File)[]

export interface AddOptions {
  /**
   * What to do with a document whose id is taken by another text; default is the error
   * `input/conflict`.
   */
  readonly onConflict?: 'error' | 'replace'
  /**
   * `error` (default) refuses the whole call for one bad entry; `skip` reports it in `rejected` and
   * takes the rest.
   */
  readonly onInvalid?: 'error' | 'skip'
  /**
   * `keep` (default) leaves the documents that are not named; `remove` makes the corpus hold the
   * documents of this call and no others, in one switch however large: after a crash the corpus of
   * before is there, or the new one.
   */
  readonly others?: 'keep' | 'remove'
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

export type AddPhase = 'fetching' | 'reading' | 'text' | 'saving' | 'vectors'

export interface Progress {
  readonly phase: AddPhase
  readonly done: number
  readonly total: number
  /** Units a second over the last moments; 0 until known. */
  readonly rate: number
  /** Seconds to go at this rate; null until known. */
  readonly secondsLeft: number | null
}

/** A file or entry that could not be taken, and why; the others were. */
export interface Rejection {
  readonly name: string
  readonly code: string
  readonly reason: string
}

/** What was assumed about a file that was taken, such as its charset. */
export interface ReadWarning {
  /** Path of the file. */
  readonly name: string
  readonly message: string
}

export interface AddResult {
  readonly added: readonly string[]
  readonly unchanged: readonly string[]
  readonly replaced: readonly string[]
  readonly rejected: readonly Rejection[]
  /** Left out where nothing was assumed. */
  readonly warnings?: readonly ReadWarning[]
  /** Documents that the call took out; only with `others: 'remove'`. */
  readonly removed?: readonly string[]
  readonly generation: number
}
