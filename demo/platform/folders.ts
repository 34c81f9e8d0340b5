/** Folders that a person lets the page read again (File System Access). */
import { isLeftAside } from './intake.ts'

interface FileHandle {
  readonly kind: 'file'
  readonly name: string
  getFile(): Promise<File>
}
export interface FolderHandle {
  readonly kind: 'directory'
  readonly name: string
  values(): AsyncIterable<FileHandle | FolderHandle>
}

type Picker = (options: { readonly mode: 'read' }) => Promise<FolderHandle>

const picker = (): Picker | undefined =>
  (globalThis as { readonly showDirectoryPicker?: Picker }).showDirectoryPicker

export function canSync(): boolean {
  return picker() !== undefined
}

/** Null where the person chose none. */
export async function chooseFolder(): Promise<FolderHandle | null> {
  try {
    return (await picker()?.({ mode: 'read' })) ?? null
  } catch {
    return null
  }
}

/** Every file under its path inside the folder, hidden and tool files left aside. */
export async function filesOfFolder(folder: FolderHandle): Promise<readonly File[]> {
  const files: File[] = []
  const walk = async (at: FolderHandle, path: string): Promise<void> => {
    for await (const entry of at.values()) {
      const name = `${path}${entry.name}`
      if (isLeftAside(name)) continue
      if (entry.kind === 'directory') await walk(entry, `${name}/`)
      else {
        const file = await entry.getFile()
        files.push(new File([file], name, { type: file.type, lastModified: file.lastModified }))
      }
    }
  }
  await walk(folder, `${folder.name}/`)
  return files
}
