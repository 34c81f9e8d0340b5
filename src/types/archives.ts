/** What an archive is read from, and what import and export report. */
import type { AddOptions } from './adding.ts'

/** A file, its bytes, a stream of them, an answer of `fetch`, or the address of one. */
export type ArchiveSource = Blob | Uint8Array | ReadableStream<Uint8Array> | Response | URL | string

export interface ImportOptions extends AddOptions {
  /**
   * True lets an address on another origin be asked, without credentials; the page's policy must
   * allow it too.
   */
  readonly crossOrigin?: boolean
}

export interface ExportOptions {
  /**
   * `f32` (default) keeps every bit; `int8` takes a quarter of the room, a component being off by
   * at most half a 127th of its row's largest; `none` leaves them out.
   */
  readonly vectors?: 'f32' | 'int8' | 'none'
  /**
   * True adds the index of words and names, so that an empty corpus that imports the archive need
   * not read its documents; it is made anew, which takes as long as adding them.
   */
  readonly index?: boolean
  readonly signal?: AbortSignal
}
