/**
 * A mark in the origin's private files that a write is under way, found again after the browser was
 * killed. Without private files every start counts as one after a kill.
 */
import { LIMITS } from '../../base/limits.ts'

const FOLDER = 'hubmesh-writing'

interface AccessHandle {
  write(bytes: Uint8Array, options: { readonly at: number }): number
}

type MarkFile = FileSystemFileHandle & { createSyncAccessHandle?(): Promise<AccessHandle> }

export interface WriteMark {
  /** A write is under way from now on. */
  raise(): void
  /**
   * Nobody does any more; believed a while later, because the browser tidies up behind a
   * transaction.
   */
  lower(): void
}

const NOBODYS: WriteMark = { raise: () => undefined, lower: () => undefined }

/**
 * The mark of this page or worker; its file stays locked as long as that lives. It is raised at
 * first.
 */
export async function ownMark(): Promise<WriteMark> {
  try {
    const folder = await (
      await navigator.storage.getDirectory()
    ).getDirectoryHandle(FOLDER, { create: true })
    const file: MarkFile = await folder.getFileHandle(crypto.randomUUID(), { create: true })
    if (file.createSyncAccessHandle === undefined || typeof document !== 'undefined') {
      // A page has no handle that writes at once: its mark is there as long as the file is.
      const writable = await file.createWritable()
      await writable.write(Uint8Array.of(1))
      await writable.close()
      return NOBODYS
    }
    const handle = await file.createSyncAccessHandle()
    const set = (value: number): void => {
      handle.write(Uint8Array.of(value), { at: 0 })
    }
    set(1)
    return lateToLower(set)
  } catch {
    return NOBODYS
  }
}

/** Exported for its test. */
export function lateToLower(
  set: (value: 0 | 1) => void,
  idleMs: number = LIMITS.storeMarkMs,
): WriteMark {
  let raised = true,
    writers = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  return {
    raise() {
      writers++
      if (timer !== null) clearTimeout(timer)
      timer = null
      if (!raised) set(1)
      raised = true
    },
    lower() {
      if (--writers > 0) return
      timer = setTimeout(() => {
        timer = null
        raised = false
        set(0)
      }, idleMs)
      ;(timer as { unref?: () => void }).unref?.()
    },
  }
}

/**
 * Takes away the marks of pages and workers that are gone; true where one of them was raised, or
 * nobody can say.
 */
export async function takeDeadMarks(): Promise<boolean> {
  let raised = false
  try {
    const folder = await (
      await navigator.storage.getDirectory()
    ).getDirectoryHandle(FOLDER, { create: true })
    const names: string[] = []
    for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys())
      names.push(name)
    for (const name of names) {
      try {
        const file = await (await folder.getFileHandle(name)).getFile()
        const [value] = new Uint8Array(await file.arrayBuffer())
        await folder.removeEntry(name) // refused while its owner lives
        raised ||= value === 1
      } catch {
        continue
      }
    }
    return raised
  } catch {
    return true
  }
}
