/** From dropped files to documents: readers by extension, paths, caps, rejections. */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { DocumentInput, Progress, Rejection } from '../../types.ts'
import { shown, unreadable, type FileLike, type Reader, type SourceFile } from './reader.ts'

/**
 * Readers by extension, loaded when a file of theirs is met, so that a page that adds text loads no
 * parser.
 */
const READERS: ReadonlyMap<string, () => Promise<Reader>> = new Map([
  ['txt', async () => (await import('./text.ts')).readText],
  ['text', async () => (await import('./text.ts')).readText],
  ['md', async () => (await import('./text.ts')).readMarkdown],
  ['markdown', async () => (await import('./text.ts')).readMarkdown],
  ['html', async () => (await import('./html.ts')).readHtml],
  ['htm', async () => (await import('./html.ts')).readHtml],
  ['json', async () => (await import('./json.ts')).readJson],
  ['jsonl', async () => (await import('./json.ts')).readJsonLines],
  ['ndjson', async () => (await import('./json.ts')).readJsonLines],
  ['csv', async () => (await import('./csv.ts')).readCsv],
  ['tsv', async () => (await import('./csv.ts')).readCsv],
])

/** Extensions that can be read, without the dot. */
export const READABLE_EXTENSIONS: readonly string[] = [...READERS.keys()]

export interface ReadOptions {
  readonly signal?: AbortSignal
}

/**
 * Reads one file into documents. Their ids are the file's normalised path, or `path#n` (n from 0)
 * for records that bring none. Throws `input/invalid` for unknown extensions, bytes that are no
 * text, files without a text and records that are none, `input/too-large` beyond 256 MiB, and
 * `aborted`.
 */
export async function readFile(
  file: FileLike,
  options: ReadOptions = {},
): Promise<DocumentInput[]> {
  return read(file, options, (_, error) => {
    throw error
  })
}

export interface ReadFilesOptions extends ReadOptions {
  /** Called before the first file and after each; `done` and `total` count files. */
  readonly onProgress?: (progress: Progress) => void
}

export interface ReadFilesResult {
  readonly documents: DocumentInput[]
  readonly rejected: Rejection[]
}

/**
 * Reads many, in order. A file or record that cannot be read is in `rejected`, and the others are
 * read. Throws `aborted` only.
 */
export async function readFiles(
  files: readonly FileLike[],
  options: ReadFilesOptions = {},
): Promise<ReadFilesResult> {
  const documents: DocumentInput[] = []
  const rejected: Rejection[] = []
  const reject = (name: string, error: HubmeshError): void =>
    void rejected.push({ name, code: error.code, reason: error.message })
  for (let done = 0; done <= files.length; done++) {
    throwIfAborted(options.signal)
    options.onProgress?.({
      phase: 'reading',
      done,
      total: files.length,
      rate: 0,
      secondsLeft: null,
    })
    const file = files[done]
    if (file === undefined) continue
    try {
      for (const document of await read(file, options, reject)) documents.push(document)
    } catch (error) {
      if (!isHubmeshError(error) || error.code === 'aborted') throw error
      reject(filePath(file) || 'a file without a name', error)
    }
  }
  return { documents, rejected }
}

async function read(
  file: FileLike,
  options: ReadOptions,
  reject: (name: string, error: HubmeshError) => void,
): Promise<DocumentInput[]> {
  throwIfAborted(options.signal)
  const source = openFile(file)
  const extension = extensionOf(source.path)
  const load = READERS.get(extension)
  if (load === undefined) {
    const what =
      extension === ''
        ? 'the file has no extension'
        : `files ending in ${shown(extension)} cannot be read`
    throw unreadable(source.path, what, `readable are ${READABLE_EXTENSIONS.join(', ')}`)
  }
  const reader = await load()
  let rejections = 0
  const documents = await reader(source, {
    signal: options.signal,
    reject: (name, error) => {
      rejections++
      reject(name, error)
    },
  })
  throwIfAborted(options.signal)
  if (documents.length === 0 && rejections === 0)
    throw unreadable(source.path, 'the file holds no documents', 'leave it out')
  return documents
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
