/**
 * Owns how kept records lie in IndexedDB: in the store of the corpus record, a head of length and
 * checksum, and parts. Refuses: one that does not check.
 */
import { LIMITS } from '../../base/limits.ts'
import { crc32 } from '../../base/checksum.ts'
import type { Writer } from './commit.ts'
import type { ReadTransaction } from './read.ts'
import type { KeptRecord } from '../storage.ts'

const AREA = 'kept'

/**
 * Everything under one name: the head at ['kept', name], the parts at ['kept', name, 0], ['kept',
 * name, 1] …
 */
function rangeOf(name: string): IDBKeyRange {
  return IDBKeyRange.bound([AREA, name], [AREA, name, []])
}

/** Replaces the record; one without bytes is taken out. */
export function putKept(writer: Writer, { name, bytes }: KeptRecord): void {
  writer.delete('meta', rangeOf(name))
  if (bytes.length === 0) return
  writer.put('meta', [AREA, name], { length: bytes.length, check: crc32(bytes) })
  let index = 0
  for (let at = 0; at < bytes.length; at += LIMITS.vectorBlockBytes)
    writer.put('meta', [AREA, name, index++], bytes.slice(at, at + LIMITS.vectorBlockBytes).buffer)
}

/** The bytes; null where there is no record, undefined where it is damaged. */
export async function getKept(
  transaction: ReadTransaction,
  name: string,
): Promise<Uint8Array | null | undefined> {
  const store = transaction.objectStore('meta')
  const [head, parts] = await Promise.all([
    store.get([AREA, name]) as Promise<unknown>,
    store.getAll(IDBKeyRange.bound([AREA, name, 0], [AREA, name, []])) as Promise<unknown[]>,
  ])
  if (head === undefined && parts.length === 0) return null
  if (
    typeof head !== 'object' ||
    head === null ||
    !('length' in head) ||
    !('check' in head) ||
    !parts.every((part) => part instanceof ArrayBuffer)
  )
    return undefined
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(new Uint8Array(part), at)
    at += part.byteLength
  }
  return bytes.length === head.length && crc32(bytes) === head.check ? bytes : undefined
}
