/** Files of a corpus folder: written for its owner alone, flushed before they count. Node only. */
import { HubmeshError } from '../../base/errors.ts'
import { nodeBuiltin } from './node_builtin.ts'
import { randomName } from '../segments/segment.ts'

const { link, lstat, mkdir, open, readdir, rename, rm, stat, statfs } =
  nodeBuiltin('node:fs/promises')
const { constants } = nodeBuiltin('node:fs')
export const { dirname, join, resolve } = nodeBuiltin('node:path')

/** Readable by their owner only: other users of the machine must not read a corpus. */
const FILE_MODE = 0o600,
  FOLDER_MODE = 0o700
/** A link in place of a file is not followed; Windows has no such flag. */
const NO_FOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0

/** The errno name of a file system error, or ''. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : ''
}

/** Names for what a file system reports. */
export function fileError(
  error: unknown,
  path: string,
  neededBytes: number | null = null,
  availableBytes: number | null = null,
): HubmeshError {
  if (error instanceof HubmeshError) return error
  const code = codeOf(error) || (error instanceof Error ? error.name : '')
  const details = { path, error: code }
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HubmeshError(
      'store/quota',
      `The disk has no room to write ${path}: ${neededBytes ?? 'an unknown number of'} bytes ` +
        `are needed and ${availableBytes ?? 'an unknown number of'} are free. Nothing of this ` +
        'call was kept.',
      { cause: error, details: { ...details, neededBytes, availableBytes } },
    )
  const remedy =
    code === 'ELOOP'
      ? 'It is a symbolic link, which is not followed: name the folder it points to.'
      : 'Check that the folder exists and that this program may use it.'
  return new HubmeshError(
    'store/unavailable',
    `${path} cannot be read or written (${code}). ${remedy}`,
    { cause: error, details },
  )
}

/** The file's bytes, or null where there is none; `last`: no more than so many at its end. */
export async function readBytes(path: string, last?: number): Promise<Uint8Array | null> {
  try {
    const file = await open(path, constants.O_RDONLY | NO_FOLLOW)
    try {
      if (last === undefined) return await file.readFile()
      const { size } = await file.stat(),
        length = Math.min(last, size)
      const { bytesRead, buffer } = await file.read(
        new Uint8Array(length),
        0,
        length,
        size - length,
      )
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw fileError(error, path)
  }
}

/** Bytes that this program may still write to the disk of a folder; null where it is unknown. */
async function freeOn(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Writes a new file and flushes it to the disk. Takes it away again where that fails. */
export async function writeDurably(
  path: string,
  parts: readonly (Uint8Array | string)[],
  needed?: number,
): Promise<void> {
  try {
    const file = await open(path, 'wx', FILE_MODE)
    try {
      for (const part of parts) await file.writeFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined)
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    throw fileError(error, path, Math.max(needed ?? 0, bytes), await freeOn(dirname(path)))
  }
}

/**
 * Creates a file exclusively: false where the name is taken. What it
 * holds is on the disk before the name is there.
 */
export async function createExclusively(
  directory: string,
  name: string,
  text: string,
  needed?: number,
): Promise<boolean> {
  const draft = join(directory, `${name}.${randomName()}.tmp`)
  await writeDurably(draft, [text], needed)
  try {
    await link(draft, join(directory, name))
    await syncDirectory(directory)
    return true
  } catch (error) {
    // ENOENT: a newer writer has swept our draft away
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false
    throw fileError(error, join(directory, name), needed, await freeOn(directory))
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
}

/** Replaces a file as one step: readers see the old bytes or the new. */
export async function replaceDurably(
  directory: string,
  name: string,
  bytes: Uint8Array | string,
  needed?: number,
): Promise<void> {
  const path = join(directory, name),
    draft = `${path}.${randomName()}.tmp`
  await writeDurably(draft, [bytes], needed)
  try {
    await rename(draft, path)
  } catch (error) {
    throw fileError(error, path)
  }
  await syncDirectory(directory)
}

/** Makes the names in a folder durable, where the system can flush one (Windows need not). */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(codeOf(error)))
      throw fileError(error, directory)
  }
}

/** Makes a folder and those above it, and flushes the names of all that are new. */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    const first = await mkdir(directory, { recursive: true, mode: FOLDER_MODE })
    if (first === undefined) return
    for (let made = directory; ; made = dirname(made)) {
      await syncDirectory(dirname(made))
      if (made === first || made === dirname(made)) return
    }
  } catch (error) {
    throw fileError(error, directory)
  }
}

/** Throws `store/unavailable` for a symbolic link: it would lead the files elsewhere. */
export async function refuseLink(directory: string): Promise<void> {
  try {
    if (!(await lstat(directory)).isSymbolicLink()) return
  } catch {
    return // there is none, or what follows says what is wrong
  }
  throw fileError({ code: 'ELOOP' }, directory)
}

/** Names in a folder; none where there is no folder. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw fileError(error, directory)
  }
}

export async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}

export async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true, recursive: true })
  } catch (error) {
    throw fileError(error, path)
  }
}
