/** Input, options, progress and result of `add`. */
import type { DocumentInput } from './documents.ts'

/** A text, a document, or a file of which documents are read. */
export type AddItem = string | DocumentInput | File

/** What `add` takes: one thing or many. */
export type AddInput = AddItem | readonly AddItem[]

/**
 * What comes one by one: a cursor over a database, a crawl. Kept in batches of some hundred, each
 * one switch; nothing is pulled while a batch is being kept.
 */
export type AddStream = AsyncIterable<AddItem> | ReadableStream<AddItem>

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
  /** Files while reading, else documents; of a stream those that came so far. */
  readonly done: number
  readonly total: number
  /** Of the files, while they are read. */
  readonly bytes?: number
  readonly totalBytes?: number
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

/**
 * A folder to keep a corpus in step with: a handle of the File System Access API, the files of a
 * chosen folder (`<input webkitdirectory>`), or, in Node, its path.
 */
export type SyncSource = FileSystemDirectoryHandle | readonly File[] | string

export interface SyncOptions {
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** What a sync did, by ids of documents. */
export interface SyncResult {
  readonly added: readonly string[]
  readonly replaced: readonly string[]
  readonly removed: readonly string[]
  /** Documents that were as their file is, most of them without reading it. */
  readonly unchanged: readonly string[]
  /** Files and entries that cannot be read; what the corpus has of them stays. */
  readonly rejected: readonly Rejection[]
  readonly warnings: readonly ReadWarning[]
  /** Files that are of no readable kind. */
  readonly skipped: readonly string[]
  readonly files: number
  /** Files that were read: new ones, changed ones, and those that could not be read before. */
  readonly filesRead: number
  readonly generation: number
}
