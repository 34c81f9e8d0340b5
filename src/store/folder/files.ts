/**
 * Owns how files are written so that a crash leaves the old or the new, and the lock by which one
 * process writes. Node only. Refuses: what lies in them.
 */
import { HubmeshError } from '../../base/errors.ts'
import { nameOf } from '../indexeddb/errors.ts'
import { nodeBuiltin } from '../../base/node_builtin.ts'

const { link, mkdir, open, readFile, readdir, rename, rm, stat, statfs, writeFile } =
  nodeBuiltin('node:fs/promises')
export const { dirname, join, resolve } = nodeBuiltin('node:path')

/** The errno name of a file system error, or ''. */
function codeOf(error: unknown): string {
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
  const code = codeOf(error)
  const details = { path, error: code || nameOf(error) }
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HubmeshError(
      'store/quota',
      `The disk has no room to write ${path}: ${neededBytes ?? 'an unknown number of'} bytes ` +
        `are needed and ${availableBytes ?? 'an unknown number of'} are free. Nothing of this ` +
        'call was kept.',
      { cause: error, details: { ...details, neededBytes, availableBytes } },
    )
  return new HubmeshError(
    'store/unavailable',
    `${path} cannot be read or written (${code || nameOf(error)}). Check that the folder ` +
      'exists and that this program may use it.',
    { cause: error, details },
  )
}

/** The file's bytes, or null where there is none. */
export async function readBytes(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw fileError(error, path)
  }
}

/**
 * Bytes that this program may still write to the disk of a folder; null where the system does not
 * say.
 */
async function freeOn(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Writes and flushes to the disk before it resolves. */
export async function writeDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  try {
    const file = await open(path, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fileError(error, path, bytes.length, await freeOn(dirname(path)))
  }
}

/** Replaces a file as one step: readers see the old bytes or the new. */
export async function replaceDurably(
  directory: string,
  name: string,
  bytes: Uint8Array | string,
): Promise<void> {
  const path = join(directory, name)
  const next = `${path}.next`
  await writeDurably(next, bytes)
  try {
    await rename(next, path)
  } catch (error) {
    throw fileError(error, path)
  }
  await syncDirectory(directory)
}

/**
 * Makes the names in a folder durable, where the system allows a folder to be flushed (Windows does
 * not, and needs not).
 */
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

export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
  } catch (error) {
    throw fileError(error, directory)
  }
}

/** Names in a folder; none where there is no folder. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
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

/** Locks held by this process: a lock file with our own number is ours only if it is here. */
const held = new Set<string>()

/**
 * Takes the lock file of a folder. Rejects with `writer/not-leader` while another live process, or
 * another storage of this one, has it. Gives the release.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'LOCK')
  if (held.has(path)) throw taken(path, process.pid)
  held.add(path)
  const mine = `${path}.${process.pid}`
  try {
    await writeFile(mine, String(process.pid))
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        await link(mine, path) // fails where the name exists: only one process can make it
        await rm(mine, { force: true })
        return async () => {
          held.delete(path)
          await removeFile(path)
        }
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw fileError(error, path)
      }
      const owner = await ownerOf(path)
      if (owner !== null && owner !== process.pid && isAlive(owner)) throw taken(path, owner)
      await moveAside(path, owner)
    }
    throw taken(path, null)
  } catch (error) {
    held.delete(path)
    await rm(mine, { force: true })
    throw fileError(error, path)
  }
}

async function ownerOf(path: string): Promise<number | null> {
  const bytes = await readBytes(path)
  const pid = bytes === null ? Number.NaN : Number(new TextDecoder().decode(bytes))
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}

/** Takes a dead owner's lock away; gives it back if it turns out to be somebody else's by now. */
async function moveAside(path: string, owner: number | null): Promise<void> {
  const aside = `${path}.stale.${process.pid}`
  try {
    await rename(path, aside)
    if ((await ownerOf(aside)) !== owner) await link(aside, path)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw fileError(error, path)
  }
  await rm(aside, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function taken(path: string, owner: number | null): HubmeshError {
  return new HubmeshError(
    'writer/not-leader',
    `Another program${owner === null ? '' : ` (process ${owner})`} writes to this corpus: ` +
      `${path} is taken. Close it there; if no such program runs, delete that file.`,
    { details: { path, owner }, retryable: true },
  )
}
