/** From dropped files to documents: readers by extension, paths, caps, rejections. */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { DocumentInput, Progress, ReadWarning, Rejection } from '../../types.ts'
import { EXTENSIONS, READABLE_EXTENSIONS, type Format } from '../extensions.ts'
import {
  shown,
  stemTitle,
  unreadable,
  type FileLike,
  type Reader,
  type ReaderContext,
  type ReadLimits,
  type SourceFile,
} from './reader.ts'

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

export interface ReadFilesOptions extends ReadOptions {
  /** Called before the first file and after each; `done` and `total` count files. */
  readonly onProgress?: (progress: Progress) => void
}

export interface ReadFilesResult {
  readonly documents: DocumentInput[]
  readonly rejected: Rejection[]
  readonly warnings: ReadWarning[]
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
  const sink: Sink = {
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
      const found = await read(file, options, sink)
      for (const document of found) documents.push(times === 1 ? document : again(document, times))
    } catch (error) {
      if (!isHubmeshError(error) || error.code === 'aborted') throw error
      sink.reject(path || 'a file without a name', error)
    }
  }
  return { documents, rejected, warnings }
}

type Sink = Pick<ReaderContext, 'reject' | 'warn'>

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

function openFile(file: FileLike): SourceFile {
  const path = filePath(file)
  if (path === '') throw unreadable(String(file.name), 'the file has no name', 'give it one')
  const tooLarge = (size: number): HubmeshError =>
    new HubmeshError(
      'input/too-large',
      `${shown(path)}: the file has ${size} bytes, at most ${LIMITS.fileBytes} are read; split it.`,
      { details: { file: path.slice(0, 200), size, limit: LIMITS.fileBytes } },
    )
  if (file.size > LIMITS.fileBytes) throw tooLarge(file.size)
  const whole = async (): Promise<Uint8Array> => {
    const bytes = await guarded(path, async () =>
      file.arrayBuffer !== undefined
        ? new Uint8Array(await file.arrayBuffer())
        : await file.bytes?.(),
    )
    if (bytes === undefined)
      throw unreadable(path, 'the file gives no bytes', 'pass a File, or an object with bytes()')
    // What counts is what came, not what was said.
    if (bytes.length > LIMITS.fileBytes) throw tooLarge(bytes.length)
    return bytes
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (file.stream === undefined) {
      yield await whole()
      return
    }
    const reader = file.stream().getReader()
    let size = 0
    try {
      for (;;) {
        const { done, value } = await guarded(path, () => reader.read())
        if (done) return
        size += value.length
        if (size > LIMITS.fileBytes) throw tooLarge(size)
        if (value.length > 0) yield value
      }
    } finally {
      await reader.cancel().catch(() => undefined)
    }
  }
  return { path, size: file.size, bytes: whole, pieces }
}

/** A file can vanish or lose its permission between drop and read. */
async function guarded<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw new HubmeshError(
      'input/invalid',
      `${shown(path)}: the file cannot be read any more; add it again.`,
      { cause, details: { file: path.slice(0, 200) } },
    )
  }
}

/**
 * A file's path as an id: relative, parted by `/`. `.` and `..` are dropped and mean nothing: an id
 * is a name, and never opens a file.
 */
export function filePath(file: Pick<FileLike, 'name' | 'webkitRelativePath'>): string {
  const raw =
    file.webkitRelativePath !== undefined && file.webkitRelativePath !== ''
      ? file.webkitRelativePath
      : String(file.name)
  return raw
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/')
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}
