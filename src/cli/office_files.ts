/** pdf and docx on the command line, by unpdf (pdf.js) and mammoth where they are installed. */
import { readZip, writeZip } from '../registry/zip.ts'
import type { FileLike } from '../document/readers/reader.ts'
import { readFile, readFiles, type ReadFilesResult } from '../document/readers/read_files.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { DocumentInput, Rejection } from '../types.ts'
import { readInWorker } from './office_worker.ts'

type OfficeReader = (
  file: FileLike,
  bytes: Uint8Array,
  options: ReadAllOptions,
) => Promise<DocumentInput>

const READERS: ReadonlyMap<string, OfficeReader> = new Map([
  ['pdf', readPdf],
  ['docx', readDocx],
])

export const OFFICE_EXTENSIONS: readonly string[] = [...READERS.keys()]

export interface ReadAllOptions {
  readonly signal?: AbortSignal
  /** Bytes of a pdf or docx file, packed and unpacked; default LIMITS.fileBytes. */
  readonly mostBytes?: number
  /**
   * Memory and time that reading one of them may take; default LIMITS.officeMemoryBytes and
   * officeMs.
   */
  readonly mostMemoryBytes?: number
  readonly mostMs?: number
}

/** As readFiles, and pdf and docx files too: one document each. */
export async function readAllFiles(
  files: readonly FileLike[],
  options: ReadAllOptions = {},
): Promise<ReadFilesResult> {
  const documents: DocumentInput[] = [],
    rejected: Rejection[] = []
  const mostBytes = options.mostBytes ?? LIMITS.fileBytes,
    plain = files.filter((file) => !READERS.has(extensionOf(file.name)))
  const read = await readFiles(plain, options.signal ? { signal: options.signal } : {})
  documents.push(...read.documents)
  rejected.push(...read.rejected)
  for (const file of files) {
    const reader = READERS.get(extensionOf(file.name))
    if (reader === undefined) continue
    throwIfAborted(options.signal)
    try {
      if (file.size > mostBytes)
        throw new HubmeshError(
          'input/too-large',
          `The file has ${file.size} bytes, at most ${mostBytes} are read.`,
        )
      documents.push(await reader(file, (await file.bytes?.()) ?? new Uint8Array(), options))
    } catch (error) {
      if (isHubmeshError(error) && error.code === 'aborted') throw error
      // what a parser throws may quote the file, so it is left out
      rejected.push({
        name: file.name,
        code: isHubmeshError(error) ? error.code : 'input/invalid',
        reason: isHubmeshError(error)
          ? error.message
          : 'The file cannot be read; it may be damaged or locked with a password.',
      })
    }
  }
  return { documents, rejected }
}

/** The text of the pages, an empty line between them. */
async function readPdf(
  file: FileLike,
  bytes: Uint8Array,
  { signal, ...limits }: ReadAllOptions,
): Promise<DocumentInput> {
  const { parts } = await readInWorker('pdf', installed('unpdf'), bytes, { ...limits, signal })
  const joined = parts
    .map((page) => page.trim())
    .filter((page) => page !== '')
    .join('\n\n')
  if (joined === '')
    throw new HubmeshError(
      'input/invalid',
      `The ${parts.length} pages hold no text; they may be pictures of it.`,
    )
  return { id: file.name, title: '', text: joined, metadata: { pages: parts.length } }
}

/** Headings, lists and tables come through as in a page of HTML. */
async function readDocx(
  file: FileLike,
  bytes: Uint8Array,
  { signal, ...limits }: ReadAllOptions,
): Promise<DocumentInput> {
  // The parser unpacks whatever the file's own lists point at, without a limit; so all that is not
  // a picture is unpacked here, up to ours, and it gets that.
  const mostBytes = Math.min(limits.mostBytes ?? LIMITS.officeBytes, LIMITS.officeBytes)
  const members = await readZip(bytes, (name) => /\.(?:xml|rels)$/i.test(name), {
    mostBytes,
    mostMembers: LIMITS.officeMembers,
    ...(signal ? { signal } : {}),
  })
  if (!members.has('word/document.xml'))
    throw new HubmeshError('input/invalid', 'The file is no Word document.')
  const { parts } = await readInWorker('docx', installed('mammoth'), writeZip(members), {
    ...limits,
    signal,
  })
  const html = new TextEncoder().encode(`<body>${parts.join('')}</body>`)
  const [document] = await readFile({
    name: 'document.html',
    size: html.length,
    bytes: () => Promise.resolve(html),
  })
  return { ...document!, id: file.name }
}

/** Where a parser is that is not among the dependencies: few need it, and it is large. */
function installed(name: string): string {
  try {
    return import.meta.resolve(name)
  } catch (cause) {
    throw new HubmeshError(
      'input/invalid',
      `Reading this kind of file needs the package ${name}: npm install ${name}`,
      { cause },
    )
  }
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
