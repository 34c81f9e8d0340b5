/** What a file and a reader of files are. */
import { HubmeshError } from '../../base/errors.ts'
import type { DocumentInput } from '../../types.ts'

/**
 * A file as readers take it: a browser's File, or anything with a name, a size in bytes and a way
 * to its bytes.
 */
export interface FileLike {
  readonly name: string
  readonly size: number
  /** Path inside the dropped or chosen folder; browsers fill it in. */
  readonly webkitRelativePath?: string
  bytes?(): Promise<Uint8Array>
  arrayBuffer?(): Promise<ArrayBuffer>
  /** Where there, long files of lines are read piece by piece. */
  stream?(): ReadableStream<Uint8Array>
}

/** A file ready to be read: path checked, size checked, bytes capped. */
export interface SourceFile {
  /** Normalised path: the id of its document, or the start of its documents' ids. */
  readonly path: string
  readonly size: number
  bytes(): Promise<Uint8Array>
  /** The same bytes in pieces. */
  pieces(): AsyncIterable<Uint8Array>
}

export interface ReaderContext {
  readonly signal: AbortSignal | undefined
  /** Takes an entry of the file that could not be read; without it, it is thrown. */
  reject(name: string, error: HubmeshError): void
}

/** Turns one file into documents; an empty list is an error of the file. */
export type Reader = (file: SourceFile, context: ReaderContext) => Promise<DocumentInput[]>

/** A file, or an entry of one, that cannot be read: names it, never quotes it. */
export function unreadable(
  path: string,
  what: string,
  remedy: string,
  details: Readonly<Record<string, string | number>> = {},
): HubmeshError {
  return new HubmeshError('input/invalid', `${shown(path)}: ${what}; ${remedy}.`, {
    details: { file: path.slice(0, 200), ...details },
  })
}

/** A path for messages: quoted, and cut where it is long. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 120 ? `…${path.slice(-120)}` : path)
}
