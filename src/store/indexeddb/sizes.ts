/**
 * Owns how many bytes a corpus in IndexedDB takes, as its values count: the browser tells the sum
 * of an origin and no more. Refuses: the disk, on which a browser packs them.
 */
import type { CorpusRecord } from './corpus_record.ts'
import type { DocumentPart } from './documents.ts'
import type { Reader } from './read.ts'
import { LIMITS } from '../../base/limits.ts'

/**
 * The record of a document with the bytes of itself and its parts, so that its going can be counted
 * without reading them.
 */
export function sized<R extends object>(
  record: R,
  parts: readonly DocumentPart[],
): R & { readonly bytes: number } {
  let bytes = 0
  for (const value of [...Object.values(record), ...parts.map((part) => part.value)] as unknown[])
    bytes += sizeOf(value)
  return { ...record, bytes }
}

/** Strings as UTF-16, buffers as they are, anything else as a number. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8
}

/** Bytes of the documents under these keys. */
export async function storedBytes(reader: Reader, keys: readonly string[]): Promise<number> {
  let sum = 0
  for (let from = 0; from < keys.length; from += LIMITS.readPageRecords) {
    const some = keys.slice(from, from + LIMITS.readPageRecords)
    const values = await reader(
      ['documents'],
      async (transaction) =>
        await Promise.all(
          some.map((key) => transaction.objectStore('documents').get(key) as Promise<unknown>),
        ),
    )
    for (const value of values)
      sum +=
        typeof value === 'object' &&
        value !== null &&
        'bytes' in value &&
        typeof value.bytes === 'number'
          ? value.bytes
          : 0
  }
  return sum
}

/**
 * The corpus record's count after a change; none where an older version of this package began the
 * corpus without counting.
 */
export function counted(record: CorpusRecord, change: number): { readonly bytes?: number } {
  if (record.bytes === undefined && record.generation > 0) return {}
  return { bytes: Math.max(0, (record.bytes ?? 0) + change) }
}
