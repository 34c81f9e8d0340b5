/** Folders that a person lets the page read again (File System Access). */

type Picker = (options: { readonly mode: 'read' }) => Promise<FileSystemDirectoryHandle>

const picker = (): Picker | undefined =>
  (globalThis as { readonly showDirectoryPicker?: Picker }).showDirectoryPicker

/** Whether the browser lets the page keep a folder; elsewhere it is chosen anew each time. */
export function keepsFolders(): boolean {
  return picker() !== undefined
}

/** Null where the person chose none. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return (await picker()?.({ mode: 'read' })) ?? null
  } catch {
    return null
  }
}

/** A folder to keep in step with: the browser's handle, or the files of one that was chosen. */
export type Folder = FileSystemDirectoryHandle | readonly File[]

export function nameOfFolder(folder: Folder): string {
  return 'name' in folder
    ? folder.name
    : (folder[0]?.webkitRelativePath.split('/')[0] ?? folder[0]?.name ?? '')
}
