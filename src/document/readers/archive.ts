/** Zip files: what can be read in them, as files of a folder of that name. */
import { append } from '../../base/grown.ts'
import type { DocumentInput } from '../../types.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { readZip } from '../zip.ts'
import { shown, unreadable, type Reader } from './reader.ts'

export const readArchiveFile: Reader = async (file, context) => {
  const { signal, limits } = context
  const members = await readZip(await file.bytes(), isWanted, {
    mostBytes: limits.mostUnpackedBytes ?? LIMITS.fileBytes,
    mostMembers: LIMITS.officeMembers,
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (!isHubmeshError(error) || error.code === 'aborted') throw error
    throw new HubmeshError('input/invalid', `${shown(file.path)}: ${error.message}`, {
      cause: error,
      details: { file: file.path.slice(0, 200) },
    })
  })
  const out: DocumentInput[] = []
  for (const [name, bytes] of members) {
    throwIfAborted(signal)
    const path = `${file.path}/${name}`
    try {
      if (/\.zip$/i.test(name))
        throw unreadable(path, 'a zip inside a zip is not opened', 'unpack it first')
      append(out, await context.nested(path, bytes))
    } catch (error) {
      if (!isHubmeshError(error) || error.code === 'aborted') throw error
      context.reject(path, error)
    }
  }
  return out
}

/** Files that a person put there: no folders, no hidden files, nothing of a system. */
function isWanted(name: string): boolean {
  return !name.endsWith('/') && !/(?:^|\/)(?:\.(?!\.?\/)|__MACOSX\/|node_modules\/)/.test(name)
}
