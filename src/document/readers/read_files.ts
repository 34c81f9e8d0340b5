/** From dropped files to documents: readers by extension, paths, caps, rejections. */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { append } from '../../base/grown.ts'
import { isNode } from '../../base/platform.ts'
import type { DocumentInput, Progress, ReadWarning, Rejection } from '../../types.ts'
import { EXTENSIONS, READABLE_EXTENSIONS, type Format } from '../extensions.ts'
import type { ReadApart } from './apart/read_apart.ts'
import {
  shown,
  stemTitle,
  unreadable,
  type FileLike,
  type Reader,
  type ReaderContext,
  type ReadFilesResult,
  type ReadLimits,
} from './reader.ts'
import { extensionOf, filePath, openFile } from './source_file.ts'

type Load = () => Promise<Reader>

/** Loaded when a file of theirs is met: a page that adds text loads no parser. */
const READERS: Readonly<Record<Format, Load>> = {
  text: async () => (await import('./text.ts')).readText,
  markdown: async () => (await import('./text.ts')).readMarkdown,
  code: async () => (await import('./text.ts')).readCode,
  html: async () => (await import('./html.ts')).readHtml,
  json: async () => (await import('./json.ts')).readJson,
  lines: async () => (await import('./json.ts')).readJsonLines,
  table: async () => (await import('./csv.ts')).readCsv,
  xml: async () => (await import('./xml_file.ts')).readXml,
  pdf: async () => (await import('./pdf/pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  odt: async () => (await import('./odt.ts')).readOdt,
  epub: async () => (await import('./epub.ts')).readEpub,
  rtf: async () => (await import('./rtf.ts')).readRtf,
  notebook: async () => (await import('./notebook.ts')).readNotebook,
  mail: async () => (await import('./mail.ts')).readMail,
  mailbox: async () => (await import('./mail.ts')).readMailbox,
  subtitles: async () => (await import('./subtitles.ts')).readSubtitles,
  archive: async () => (await import('./archive.ts')).readArchiveFile,
}

/** Zipped, compressed or nested, so that a small file can be made to take long. */
const APART: ReadonlySet<Format> = new Set<Format>([
  ...(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'epub', 'archive'] as const),
  ...(['rtf', 'mail', 'mailbox', 'notebook', 'xml'] as const),
])

const FORMATS: ReadonlyMap<string, Format> = new Map(
  (Object.keys(EXTENSIONS) as Format[]).flatMap((format) =>
    EXTENSIONS[format].split(' ').map((extension) => [extension, format] as const),
  ),
)

/** What to do about files that people have and no reader reads. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ...['doc', 'dot', 'pages', 'wpd', 'wps'].map((e) => [e, 'save it as docx or pdf'] as const),
  ...['xls', 'ods', 'numbers'].map((e) => [e, 'save it as xlsx or csv'] as const),
  ...['ppt', 'odp', 'key'].map((e) => [e, 'save it as pptx or pdf'] as const),
  ...['mobi', 'azw3'].map((e) => [e, 'convert it to epub'] as const),
  ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'tif', 'tiff', 'heic', 'bmp'].map(
    (e) => [e, 'pictures have no text; run character recognition and add the text'] as const,
  ),
  ...['mp3', 'mp4', 'm4a', 'wav', 'mov', 'webm'].map(
    (e) => [e, 'add its transcript as txt, vtt or srt'] as const,
  ),
  ...['tar', 'gz', 'tgz', '7z', 'rar', 'bz2', 'xz'].map((e) => [e, 'unpack it first'] as const),
])

export interface ReadOptions {
  readonly signal?: AbortSignal
  readonly limits?: ReadLimits
}

/**
 * Reads one file into documents. Their ids are the file's normalised path, or `path#n` (n from 0)
 * for records that bring none; `metadata.path` is the path, and a document that says no title of
 * its own has that of the file's name. Throws `input/invalid` for unknown extensions, bytes that
 * are no text, files without a text and records that are none, `input/too-large` beyond the limits
 * of the format, and `aborted`.
 */
export async function readFile(
  file: FileLike,
  options: ReadOptions = {},
): Promise<DocumentInput[]> {
  return read(file, options, {
    reject: (_, error) => {
      throw error
    },
    warn: () => undefined,
  })
}

export type { ReadFilesResult } from './reader.ts'

export interface ReadFilesOptions extends ReadOptions {
  /** Called before the first file and after each; `done` and `total` count files. */
  readonly onProgress?: (progress: Progress) => void
  /** Reads zipped files, PDF and mail in a worker that can be ended; without it, in place. */
  readonly apart?: ReadApart
}

/**
 * Reads many, in order. A file or record that cannot be read is in `rejected`, and the others are
 * read; of two files of one path the later is `path (2)`. Throws `aborted` only.
 */
export async function readFiles(
  files: readonly FileLike[],
  options: ReadFilesOptions = {},
): Promise<ReadFilesResult> {
  const documents: DocumentInput[] = [],
    rejected: Rejection[] = [],
    warnings: ReadWarning[] = [],
    paths = new Map<string, number>()
  const sink: Parameters<typeof readWhere>[2] = {
    ...{ rejected, warnings },
    reject: (name, error) => void rejected.push({ name, code: error.code, reason: error.message }),
    warn: (name, message) => void warnings.push({ name, message }),
  }
  const totalBytes = files.reduce((sum, { size }) => sum + (size || 0), 0)
  for (let done = 0, bytes = 0; done <= files.length; done++) {
    throwIfAborted(options.signal)
    options.onProgress?.({
      phase: 'reading',
      done,
      total: files.length,
      bytes,
      totalBytes,
      rate: 0,
      secondsLeft: null,
    })
    const file = files[done]
    if (file === undefined) continue
    bytes += file.size || 0
    const path = filePath(file),
      times = (paths.get(path) ?? 0) + 1
    paths.set(path, times)
    try {
      const found = await readWhere(file, options, sink)
      for (const document of found) documents.push(times === 1 ? document : again(document, times))
    } catch (error) {
      if (!isHubmeshError(error) || error.code === 'aborted') throw error
      sink.reject(path || 'a file without a name', error)
    }
  }
  return { documents, rejected, warnings }
}

type Sink = Pick<ReaderContext, 'reject' | 'warn'>

/** In a worker what may be hostile, where there is one. */
async function readWhere(
  file: FileLike,
  options: ReadFilesOptions,
  sink: Sink & Omit<ReadFilesResult, 'documents'>,
): Promise<DocumentInput[]> {
  const { apart, signal, limits = {} } = options
  const path = filePath(file),
    format = FORMATS.get(extensionOf(path))
  if (apart === undefined || format === undefined || !APART.has(format) || hasOwnThread(format))
    return read(file, options, sink)
  const source = openFile(file),
    // A page sends the file itself; one of Node 20 would arrive empty.
    isBlob = !isNode() && file instanceof Blob
  const request = { path, file: isBlob ? file : await source.bytes(), limits }
  const found = await apart.read(request, signal)
  if (found === null) {
    const why = apart.reasonOnce()
    if (why !== null) sink.warn(path, why)
    return read(file, options, sink)
  }
  append(sink.rejected, found.rejected)
  append(sink.warnings, found.warnings)
  return found.documents
}

/** In Node a PDF is read in a thread of its own, which is watched for memory, too. */
function hasOwnThread(format: Format): boolean {
  return format === 'pdf' && isNode()
}

function again(document: DocumentInput, times: number): DocumentInput {
  return { ...document, id: `${document.id ?? ''} (${times})` }
}

async function read(file: FileLike, options: ReadOptions, sink: Sink): Promise<DocumentInput[]> {
  throwIfAborted(options.signal)
  const source = openFile(file)
  const { path } = source
  const extension = extensionOf(path)
  const format = FORMATS.get(extension)
  if (format === undefined) throw unknownKind(path, extension)
  const reader = await READERS[format]()
  let rejections = 0,
    charset: string | null = null
  const documents = await reader(source, {
    signal: options.signal,
    limits: options.limits ?? {},
    reject: (name, error) => {
      rejections++
      sink.reject(name, error)
    },
    warn: (name, message) => {
      charset = message
      sink.warn(name, message)
    },
    nested: (inner, bytes) =>
      read({ name: inner, size: bytes.length, bytes: () => Promise.resolve(bytes) }, options, sink),
  })
  throwIfAborted(options.signal)
  if (documents.length === 0 && rejections === 0)
    throw unreadable(path, 'the file holds no documents', 'leave it out')
  return documents.map((document) => ({
    ...document,
    title: document.title === undefined ? stemTitle(path) : document.title.trim(),
    metadata: {
      path,
      ...(charset === null ? {} : { warning: charset }),
      ...document.metadata,
    },
  }))
}

function unknownKind(path: string, extension: string): HubmeshError {
  const what =
    extension === ''
      ? 'the file has no extension'
      : `files ending in ${shown(extension)} cannot be read`
  return unreadable(
    path,
    what,
    REMEDIES.get(extension) ?? `readable are ${READABLE_EXTENSIONS.slice(0, 40).join(', ')} …`,
  )
}
