/**
 * The text tier in an archive. One made by other rules than this version's is left out and built
 * anew by its reader.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts'
import { INDEX_RULES } from '../lexical/index_rules.ts'
import { packColumns, unpackColumns } from './packed_columns.ts'

/** The rules as a number, then the packed columns. */
export function encodeIndex(index: Uint8Array): Uint8Array {
  const packed = packColumns(index),
    out = new ByteWriter(packed.length + 8)
  out.varint(INDEX_RULES)
  out.raw(packed)
  return out.finish()
}

/** The text tier's bytes, or null where they are of other rules. Throws `archive/invalid`. */
export function decodeIndex(payload: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const input = new ByteReader(payload, 'archive/invalid')
  if (input.varint() !== INDEX_RULES) return null
  const index = unpackColumns(input)
  input.end()
  return index
}
