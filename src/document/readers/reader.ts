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

/** What reading one file may take, beyond its own size. */
export interface ReadLimits {
  /** Bytes that the text of a zipped file unpacks to; default LIMITS.officeBytes. */
  readonly mostUnpackedBytes?: number
  /** Bytes the process may grow by while a pdf is read; default LIMITS.officeMemoryBytes. */
  readonly mostMemoryBytes?: number
  /** Time a pdf may take, ms; default LIMITS.officeMs. */
  readonly mostMs?: number
}

export interface ReaderContext {
  readonly signal: AbortSignal | undefined
  readonly limits: ReadLimits
  /** Takes an entry of the file that could not be read; without it, it is thrown. */
  reject(name: string, error: HubmeshError): void
  /** Takes what was assumed about a file that was read, such as its charset. */
  warn(path: string, message: string): void
  /** Reads a file found inside this one, an entry of a zip or an attachment. */
  nested(path: string, bytes: Uint8Array): Promise<DocumentInput[]>
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

/** One document of the whole file; refuses a text without a visible character. */
export function oneDocument(
  path: string,
  title: string,
  text: string,
  metadata: DocumentInput['metadata'] = {},
): DocumentInput[] {
  if (!/\S/.test(text)) throw unreadable(path, 'the file holds no text', 'leave it out')
  return [
    {
      id: path,
      text,
      ...(title === '' ? {} : { title }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    },
  ]
}

/** Stems that name no content: their folder goes in front. */
const GENERIC = new Set(['readme', 'index', 'main', 'page', 'document', 'untitled', 'changelog'])

/** `notes/fire_safety-plan.txt` -> `fire safety plan`: the title of a file that says none. */
export function stemTitle(path: string): string {
  const parts = path.split('/'),
    name = parts.at(-1) ?? '',
    dot = name.lastIndexOf('.'),
    stem = dot > 0 ? name.slice(0, dot) : name,
    folder = parts.at(-2) ?? ''
  const words = GENERIC.has(stem.toLowerCase()) && folder !== '' ? `${folder} ${stem}` : stem
  return (words.includes(' ') ? words : words.replace(/[_-]+/g, ' ')).trim().slice(0, 300)
}
