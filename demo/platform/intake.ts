/**
 * Turns a drop or a choice into a list of files. Whether a file can be read is decided by the
 * engine.
 */
import type { Rejection } from '../../src/index.ts'

/** What a drop held. */
export interface Intake {
  readonly files: readonly File[]
  /** Hidden files and folders of tools, which are left aside. */
  readonly leftAside: number
  /** What the browser did not let the page open. */
  readonly unreadable: readonly Rejection[]
  /** The name of the one dropped folder, where it was one. */
  readonly folder: string | null
}

/** Archives of whole corpora, by their ending. */
export function isArchive(file: Pick<File, 'name'>): boolean {
  return file.name.toLowerCase().endsWith('.hubmesh')
}

/** Folders that hold no documents of a person. */
const TOOL_FOLDERS = new Set(['node_modules', '__pycache__', '__MACOSX'])
const TOOL_FILES = new Set(['Thumbs.db', 'desktop.ini'])

/** True for paths with a hidden or a tool's part. */
export function isLeftAside(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '')
  return (
    parts.some((part) => part.startsWith('.') || TOOL_FOLDERS.has(part)) ||
    TOOL_FILES.has(parts.at(-1) ?? '')
  )
}

/**
 * Files looked at before the page gets a turn: to rename a file the browser asks the disk for its
 * size, and waits.
 */
const AT_ONCE = 16

/** Collects files in batches, and says how many there are so far. */
class Collection {
  private readonly files: File[] = []
  private readonly unreadable: Rejection[] = []
  private readonly found: (files: number) => void
  private readonly signal: AbortSignal | undefined
  private leftAside = 0

  constructor(found: (files: number) => void, signal: AbortSignal | undefined) {
    this.found = found
    this.signal = signal
  }

  leaveAside(): void {
    this.leftAside++
  }

  refuse(name: string, error: unknown): void {
    const { name: kind, message } = error as Partial<DOMException>
    this.unreadable.push({
      name,
      code: 'input/invalid',
      reason: `the browser cannot open it (${kind ?? 'unknown'}${message ? `: ${message}` : ''})`,
    })
  }

  /**
   * Takes the file under its path inside the folder, so that two files of one name stay two
   * documents.
   */
  async take(file: File, path: string): Promise<void> {
    this.files.push(
      path === file.name
        ? file
        : new File([file], path, { type: file.type, lastModified: file.lastModified }),
    )
    if (this.files.length % AT_ONCE !== 0) return
    this.found(this.files.length)
    await turn()
    this.signal?.throwIfAborted()
  }

  close(folder: string | null): Intake {
    return { files: this.files, leftAside: this.leftAside, unreadable: this.unreadable, folder }
  }
}

/** The page's turn; a timer would wait four milliseconds each time. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/**
 * Files of an input element; a folder's come with their paths. Rejects with the signal's reason.
 */
export async function intakeOfInput(
  list: readonly File[],
  found: (files: number) => void,
  signal?: AbortSignal,
): Promise<Intake> {
  const collection = new Collection(found, signal)
  for (const file of list) {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath
    if (isLeftAside(path)) collection.leaveAside()
    else await collection.take(file, path)
  }
  const first = list[0]?.webkitRelativePath ?? ''
  return collection.close(first === '' ? null : (first.split('/')[0] ?? null))
}

/**
 * Files of a drop, folders walked to their ends; what cannot be opened is named, and keeps nothing
 * else from being taken. Entries must be taken before the first await: the list is emptied when the
 * event handler returns. Rejects with the signal's reason.
 */
export async function intakeOfDrop(
  transfer: DataTransfer,
  found: (files: number) => void,
  signal?: AbortSignal,
): Promise<Intake> {
  const entries: FileSystemEntry[] = [],
    // WebKit opens no entry of a file that is not on the disk, but gives the file.
    given = new Map<FileSystemEntry, File>()
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    if (!entry) continue
    entries.push(entry)
    const file = entry.isFile ? item.getAsFile() : null
    if (file) given.set(entry, file)
  }
  if (entries.length === 0) return intakeOfInput([...transfer.files], found, signal)
  const collection = new Collection(found, signal),
    queue = [...entries]
  while (queue.length > 0) {
    // The browser opens several at once in about half the time; what they give is taken in their
    // order.
    const opened = await Promise.all(
      queue.splice(0, AT_ONCE).map(async (entry) => {
        const path = entry.fullPath.replace(/^\//, '')
        if (isLeftAside(path)) return { path }
        try {
          return entry.isDirectory
            ? { path, children: await childrenOf(entry as FileSystemDirectoryEntry) }
            : { path, file: given.get(entry) ?? (await fileOf(entry as FileSystemFileEntry)) }
        } catch (error) {
          return { path, error }
        }
      }),
    )
    signal?.throwIfAborted()
    for (const { path, ...came } of opened) {
      if ('file' in came) await collection.take(came.file, path)
      else if ('children' in came) for (const child of came.children) queue.push(child)
      else if ('error' in came) collection.refuse(path, came.error)
      else collection.leaveAside()
    }
  }
  const only = entries.length === 1 ? entries[0] : undefined
  return collection.close(only?.isDirectory ? only.name : null)
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
}

/** A reader gives at most 100 entries a call and an empty list at the end. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (some.length === 0) return all
    all.push(...some)
  }
}
