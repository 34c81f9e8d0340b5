/** How a segment lies in IndexedDB: its head at [name, 0], its body in parts at [name, 1] … */
import { LIMITS } from '../../base/limits.ts'
import type { Parts, Segment } from '../segments/segment.ts'
import type { Writer } from './commit.ts'

/** Head and parts of one segment. */
export function rangeOf(name: string): IDBKeyRange {
  return IDBKeyRange.bound([name], [name, []])
}

/** Bodies lie in parts: larger values cross process borders slowly and fail in some engines. */
export function putSegment(writer: Writer, { entry, head, body }: Segment): void {
  writer.put('segments', [entry.name, 0], bufferOf(head))
  for (let at = 0, i = 1; at < body.length; at += LIMITS.storePartBytes, i++)
    writer.put('segments', [entry.name, i], bufferOf(body.subarray(at, at + LIMITS.storePartBytes)))
}

/** A view would store its whole buffer. */
function bufferOf(bytes: Uint8Array): ArrayBufferLike {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
}

export function partsOf(values: readonly unknown[]): Parts | null {
  if (values.length === 0) return null
  const buffers = values.map((value) =>
    value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(),
  )
  const [head, ...parts] = buffers as [Uint8Array, ...Uint8Array[]]
  if (parts.length === 1) return { head, body: parts[0]! }
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    body.set(part, at)
    at += part.length
  }
  return { head, body }
}
