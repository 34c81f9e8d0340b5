/** The files of a folder, by its handle, its files or its path. */
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { READABLE_EXTENSIONS } from '../../document/extensions.ts'
import { filePath } from '../../document/readers/read_files.ts'
import type { FileLike } from '../../document/readers/reader.ts'
import type { SyncSource } from '../../types.ts'

/** A file of a folder; `path` begins with the folder's name. */
export interface FolderFile {
  readonly path: string
  readonly size: number
  /** ms since 1970. */
  readonly modified: number
  open(): Promise<FileLike>
}

export interface FolderListing {
  readonly root: string
  readonly files: readonly FolderFile[]
  /** Paths of files that no reader reads. */
  readonly skipped: readonly string[]
}

/** Lists a folder by its path; given by the platform that has paths. */
export type OpenFolder = (path: string, signal?: AbortSignal) => Promise<FolderListing>

/** Lists what was given in place of a path. Rejects with `input/invalid` for anything else. */
export async function listSource(
  source: SyncSource,
  openFolder: OpenFolder | undefined,
  signal?: AbortSignal,
): Promise<FolderListing> {
  if (typeof source === 'string') {
    if (openFolder !== undefined) return openFolder(source, signal)
    throw invalidSource('a path, which a page cannot open')
  }
  if (Array.isArray(source)) return listFiles(source as readonly File[])
  const handle = source as FileSystemDirectoryHandle
  if ((handle as FileSystemDirectoryHandle | null)?.kind !== 'directory')
    throw invalidSource('neither a folder nor files')
  const files: FolderFile[] = [],
    skipped: string[] = []
  await listHandle(handle, `${handle.name}/`, 0, { files, skipped, signal })
  return { root: handle.name, files: files.sort(byPath), skipped: skipped.sort() }
}

/** Files of one chosen folder, whose paths begin with its name. */
function listFiles(given: readonly File[]): FolderListing {
  const files: FolderFile[] = [],
    skipped: string[] = [],
    roots = new Set<string>()
  for (const file of given) {
    const path = filePath(file)
    if (!path.includes('/'))
      throw invalidSource(
        `files without a folder, such as ${JSON.stringify(path.slice(0, 80))}; choose a folder, or use update()`,
      )
    roots.add(path.slice(0, path.indexOf('/')))
    if (isHidden(path)) continue
    if (!isReadable(path)) skipped.push(path)
    else files.push(fileOf(path, file))
  }
  if (roots.size !== 1) throw invalidSource(`files of ${roots.size} folders; sync each by itself`)
  return { root: [...roots][0]!, files: files.sort(byPath), skipped: skipped.sort() }
}

/** The types of the platform leave out that it can be listed. */
type IterableFolder = FileSystemDirectoryHandle & {
  values(): AsyncIterable<FileSystemDirectoryHandle | FileSystemFileHandle>
}

async function listHandle(
  folder: FileSystemDirectoryHandle,
  prefix: string,
  depth: number,
  into: {
    readonly files: FolderFile[]
    readonly skipped: string[]
    readonly signal?: AbortSignal | undefined
  },
): Promise<void> {
  if (depth > LIMITS.syncDepth)
    throw invalidSource(`a folder with more than ${LIMITS.syncDepth} folders inside each other`)
  try {
    for await (const entry of (folder as IterableFolder).values()) {
      throwIfAborted(into.signal)
      const path = prefix + entry.name
      if (isHidden(path)) continue
      if (entry.kind === 'directory') await listHandle(entry, `${path}/`, depth + 1, into)
      else if (!isReadable(path)) into.skipped.push(path)
      else into.files.push(fileOf(path, await entry.getFile()))
      if (into.files.length > LIMITS.syncFiles)
        throw invalidSource(`a folder of more than ${LIMITS.syncFiles} files; choose one inside it`)
    }
  } catch (cause) {
    if (cause instanceof HubmeshError) throw cause
    throw new HubmeshError(
      'input/invalid',
      `The folder ${JSON.stringify(prefix.slice(0, 120))} cannot be listed; allow it to be read, or ` +
        'choose it again. Nothing was removed.',
      { cause },
    )
  }
}

function fileOf(path: string, file: File): FolderFile {
  return {
    path,
    size: file.size,
    modified: file.lastModified,
    open: () =>
      Promise.resolve({
        name: path,
        size: file.size,
        arrayBuffer: () => file.arrayBuffer(),
        stream: () => file.stream(),
      }),
  }
}

function byPath(a: FolderFile, b: FolderFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** Hidden files and the packages of a project are no documents. */
function isHidden(path: string): boolean {
  return path
    .split('/')
    .slice(1)
    .some((part) => part.startsWith('.') || part === 'node_modules')
}

function isReadable(path: string): boolean {
  const dot = path.lastIndexOf('.')
  return (
    dot > path.lastIndexOf('/') + 1 &&
    READABLE_EXTENSIONS.includes(path.slice(dot + 1).toLowerCase())
  )
}

function invalidSource(what: string): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `sync() was given ${what}. Pass a folder handle of showDirectoryPicker(), the files of a chosen ` +
      'folder, or, in Node, the path of a folder.',
    { details: { field: 'source' } },
  )
}
