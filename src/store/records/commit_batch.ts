/** Checks what is to be committed, the same for every storage. */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { checkStorable } from './document_codec.ts'
import type { Commit, KeptRecord, StoredDocument } from '../storage.ts'

export interface SettledCommit {
  readonly put: readonly StoredDocument[]
  readonly remove: readonly string[]
  readonly keep: readonly KeptRecord[]
}

/**
 * Checks every document, keeps the last of several with one id, and lets a put win over a removal
 * of the same id.
 */
export function settleCommit(commit: Commit): SettledCommit {
  const put = new Map<string, StoredDocument>()
  for (const document of commit.put) {
    checkStorable(document)
    put.delete(document.id)
    put.set(document.id, document)
  }
  for (const id of commit.remove) {
    if (typeof id !== 'string')
      throw new HubmeshError('input/invalid', `An id to remove is a ${typeof id}; ids are strings.`)
  }
  const keep = commit.keep ?? []
  for (const { name, bytes } of keep) {
    if (!/^[a-z]{1,32}$/.test(name))
      throw new HubmeshError(
        'bug/invariant',
        'A kept record has a name of other things than small letters. This is a fault of hubmesh; please report it.',
      )
    if (bytes.length > LIMITS.keptBytes)
      throw new HubmeshError(
        'input/too-large',
        `What is kept beside the documents under "${name}" has ${bytes.length} bytes; at most ` +
          `${LIMITS.keptBytes} are taken. Give fewer relations.`,
        { details: { name, bytes: bytes.length, limit: LIMITS.keptBytes } },
      )
  }
  return {
    put: [...put.values()],
    remove: [...new Set(commit.remove)].filter((id) => !put.has(id)),
    keep,
  }
}

/** True where the vectors of an older version still fit the new one: same text, same passages. */
export function keepsVectors(
  older: { readonly hash: string; readonly passages: ArrayLike<number> | null } | null,
  newer: StoredDocument,
): boolean {
  const offsets = older?.passages ?? null
  if (older?.hash !== newer.hash || offsets === null || offsets.length !== newer.passages.length)
    return false
  return newer.passages.every((offset, i) => offset === offsets[i])
}
