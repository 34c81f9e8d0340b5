/**
 * Owns how derived snapshots lie in IndexedDB: a head that names generation, length and checksum,
 * and parts. Refuses: one that does not check.
 */
import { LIMITS } from '../../base/limits.ts'
import { crc32 } from '../../base/checksum.ts'
import type { Writer } from './commit.ts'
import type { ReadTransaction } from './read.ts'

interface Head {
  readonly generation: number
  readonly length: number
  readonly check: number
}

/** Everything under one name: the head at [name], the parts at [name, 0], [name, 1] … */
function rangeOf(name: string): IDBKeyRange {
  return IDBKeyRange.bound([name], [name, []])
}

export function putDerived(
  writer: Writer,
  name: string,
  generation: number,
  bytes: Uint8Array,
): void {
  writer.delete('derived', rangeOf(name))
  writer.put('derived', [name], {
    generation,
    length: bytes.length,
    check: crc32(bytes),
  } satisfies Head)
  let index = 0
  for (let at = 0; at < bytes.length; at += LIMITS.vectorBlockBytes)
    writer.put('derived', [name, index++], bytes.slice(at, at + LIMITS.vectorBlockBytes).buffer)
}

/** The bytes, or null when missing, damaged or of another generation. */
export async function getDerived(
  transaction: ReadTransaction,
  name: string,
  generation: number,
): Promise<Uint8Array | null> {
  const store = transaction.objectStore('derived')
  const head = decodeHead((await store.get([name])) as unknown)
  if (head === null || head.generation !== generation) return null
  const parts: unknown[] = (await store.getAll(
    IDBKeyRange.bound([name, 0], [name, []]),
  )) as unknown[]
  let length = 0
  for (const part of parts) length += part instanceof ArrayBuffer ? part.byteLength : Number.NaN
  if (length !== head.length) return null
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts as ArrayBuffer[]) {
    bytes.set(new Uint8Array(part), at)
    at += part.byteLength
  }
  return crc32(bytes) === head.check ? bytes : null
}

function decodeHead(value: unknown): Head | null {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('generation' in value) ||
    !('length' in value) ||
    !('check' in value)
  )
    return null
  const { generation, length, check } = value
  return typeof generation === 'number' && typeof length === 'number' && typeof check === 'number'
    ? { generation, length, check }
    : null
}
