/** A file before its reader has it: its path, its size, its bytes within the cap. */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { shown, unreadable, type FileLike, type SourceFile } from './reader.ts'

/** The path is checked, the size is capped; throws `input/invalid` and `input/too-large`. */
export function openFile(file: FileLike): SourceFile {
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

export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}
