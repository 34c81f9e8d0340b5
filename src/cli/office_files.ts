/** Owns pdf and docx files on the command line, through unpdf (pdf.js) and mammoth where they are installed beside the package. Refuses: pages, scanned text, and files that unpack to more than they may. */
import { readZip } from '../corpora/zip.ts'
import type { FileLike } from '../document/readers/reader.ts'
import { readFile, readFiles, type ReadFilesResult } from '../document/readers/read_files.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { DocumentInput, Rejection } from '../types.ts'

type OfficeReader = (file: FileLike, bytes: Uint8Array, mostBytes: number) => Promise<DocumentInput>

const READERS: ReadonlyMap<string, OfficeReader> = new Map([['pdf', readPdf], ['docx', readDocx]])

export const OFFICE_EXTENSIONS: readonly string[] = [...READERS.keys()]

export interface ReadAllOptions {
  readonly signal?: AbortSignal
  /** Bytes of a pdf or docx file, packed and unpacked; default LIMITS.fileBytes. */
  readonly mostBytes?: number
}

/** As readFiles, and pdf and docx files too: one document each. */
export async function readAllFiles(files: readonly FileLike[], options: ReadAllOptions = {}): Promise<ReadFilesResult> {
  const documents: DocumentInput[] = [], rejected: Rejection[] = []
  const mostBytes = options.mostBytes ?? LIMITS.fileBytes, plain = files.filter((file) => !READERS.has(extensionOf(file.name)))
  const read = await readFiles(plain, options.signal ? { signal: options.signal } : {})
  documents.push(...read.documents)
  rejected.push(...read.rejected)
  for (const file of files) {
    const reader = READERS.get(extensionOf(file.name))
    if (reader === undefined) continue
    throwIfAborted(options.signal)
    try {
      if (file.size > mostBytes) throw new HubmeshError('input/too-large', `The file has ${file.size} bytes, at most ${mostBytes} are read.`)
      documents.push(await reader(file, (await file.bytes?.()) ?? new Uint8Array(), mostBytes))
    } catch (error) {
      if (isHubmeshError(error) && error.code === 'aborted') throw error
      // what a parser throws may quote the file, so it is left out
      rejected.push({ name: file.name, code: isHubmeshError(error) ? error.code : 'input/invalid', reason: isHubmeshError(error) ? error.message : 'The file cannot be read; it may be damaged or locked with a password.' })
    }
  }
  return { documents, rejected }
}

/** The text of the pages, an empty line between them. */
async function readPdf(file: FileLike, bytes: Uint8Array): Promise<DocumentInput> {
  const { extractText, getDocumentProxy } = await installed('unpdf', () => import('unpdf'))
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  try {
    const { text, totalPages } = await extractText(pdf, { mergePages: false })
    const joined = text.map((page) => page.trim()).filter((page) => page !== '').join('\n\n')
    if (joined === '') throw new HubmeshError('input/invalid', `The ${totalPages} pages hold no text; they may be pictures of it.`)
    return { id: file.name, title: '', text: joined, metadata: { pages: totalPages } }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Headings, lists and tables come through as in a page of HTML. */
async function readDocx(file: FileLike, bytes: Uint8Array, mostBytes: number): Promise<DocumentInput> {
  // The parser unpacks without a limit, so what it will read is unpacked here first, up to ours.
  const parts = await readZip(bytes, ['word/document.xml', 'word/styles.xml', 'word/numbering.xml', 'word/footnotes.xml'], { mostBytes, mostMembers: 10_000 })
  if (!parts.has('word/document.xml')) throw new HubmeshError('input/invalid', 'The file is no Word document.')
  const mammoth = await installed('mammoth', () => import('mammoth')), convert = 'default' in mammoth ? (mammoth.default as typeof mammoth) : mammoth
  const { value } = await convert.convertToHtml({ buffer: Buffer.from(bytes) }, { externalFileAccess: false, convertImage: convert.images.imgElement(() => Promise.resolve({ src: '' })) })
  const html = new TextEncoder().encode(`<body>${value}</body>`)
  const [document] = await readFile({ name: 'document.html', size: html.length, bytes: () => Promise.resolve(html) })
  return { ...document!, id: file.name }
}

/** A parser that is not among the dependencies: few need it, and it is large. */
async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new HubmeshError('input/invalid', `Reading this kind of file needs the package ${name}: npm install ${name}`, { cause })
  }
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
