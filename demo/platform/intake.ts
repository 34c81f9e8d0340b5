/** Owns how a drop or a choice becomes a list of files. Refuses: reading contents; whether a file can be taken is the engine's to say. */

/** What a drop held. */
export interface Intake {
  readonly files: readonly File[]
  /** Hidden files and folders of tools, which are left aside. */
  readonly leftAside: number
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
  return parts.some((part) => part.startsWith('.') || TOOL_FOLDERS.has(part)) || TOOL_FILES.has(parts.at(-1) ?? '')
}

/** The file under its path inside the folder, so that two files of one name stay two documents. */
function named(file: File, path: string): File {
  return path === file.name ? file : new File([file], path, { type: file.type, lastModified: file.lastModified })
}

/** Files of an input element; a folder's come with their paths. */
export function intakeOfInput(list: FileList): Intake {
  const files: File[] = []
  let leftAside = 0
  for (const file of list) {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath
    if (isLeftAside(path)) leftAside++
    else files.push(named(file, path))
  }
  const first = list[0]?.webkitRelativePath ?? ''
  return { files, leftAside, folder: first === '' ? null : (first.split('/')[0] ?? null) }
}

/**
 * Files of a drop, folders walked to their ends. Entries must be taken before the first await: the list is emptied when
 * the event handler returns.
 */
export async function intakeOfDrop(transfer: DataTransfer, signal?: AbortSignal): Promise<Intake> {
  const entries: FileSystemEntry[] = []
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    if (entry) entries.push(entry)
  }
  const loose = entries.length === 0 ? [...transfer.files] : []
  const files: File[] = loose.filter((file) => !isLeftAside(file.name))
  let leftAside = loose.length - files.length
  const queue = [...entries]
  for (let at = 0; at < queue.length; at++) {
    signal?.throwIfAborted()
    const entry = queue[at]!
    const path = entry.fullPath.replace(/^\//, '')
    if (isLeftAside(path)) leftAside++
    else if (entry.isDirectory) queue.push(...(await childrenOf(entry as FileSystemDirectoryEntry)))
    else files.push(named(await fileOf(entry as FileSystemFileEntry), path))
  }
  const only = entries.length === 1 ? entries[0] : undefined
  return { files, leftAside, folder: only?.isDirectory ? only.name : null }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => { entry.file(resolve, reject) })
}

/** A reader gives at most 100 entries a call and an empty list at the end. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject) })
    if (some.length === 0) return all
    all.push(...some)
  }
}
