/** Reading of vector blocks as 0.1 stored them: header, rows, then whose they are. */
import { ByteReader } from '../../base/bytes.ts'
import { crc32 } from '../../base/checksum.ts'
import { damaged } from '../segments/segment.ts'
import { decodeKeys, viewRows, type VectorHead } from '../segments/vector_segment.ts'
import type { VectorRow } from '../storage.ts'

const MAGIC = 0x56424d48,
  VERSION = 1,
  HEADER = 24,
  CHECK_AT = 20

/** Throws `store/corrupt` unless every byte is as it was written. */
export function decodeLegacyBlock(value: unknown): {
  readonly head: VectorHead
  readonly rows: VectorRow[]
} {
  const bytes =
    value instanceof Uint8Array
      ? value
      : value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : null
  if (bytes === null || bytes.length < HEADER) throw damaged('it is no block')
  const fields = new DataView(bytes.buffer, bytes.byteOffset, HEADER)
  const [magic, version, dims, count, keysLength] = [0, 4, 8, 12, 16].map((at) =>
    fields.getUint32(at, true),
  ) as [number, number, number, number, number]
  const keysAt = HEADER + count * dims * 4
  const check = crc32(bytes.subarray(HEADER), crc32(bytes.subarray(0, CHECK_AT)))
  if (
    magic !== MAGIC ||
    version !== VERSION ||
    keysAt + keysLength !== bytes.length ||
    fields.getUint32(CHECK_AT, true) !== check
  )
    throw damaged('its checksum does not match')
  const head = decodeKeys(new ByteReader(bytes.subarray(keysAt), 'store/corrupt'), 0)
  if (head.documentOf.length !== count || head.dims !== dims)
    throw damaged('its keys do not fit its header')
  return { head, rows: viewRows(head, bytes.subarray(HEADER, keysAt)) }
}
