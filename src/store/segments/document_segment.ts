/** How documents lie in a segment: a head that says who is there, and a body of encoded documents. */
import { LIMITS } from '../../base/limits.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { crc32 } from '../../base/checksum.ts'
import { decodeFields, encodeFields } from '../records/document_codec.ts'
import type { StoredDocument } from '../storage.ts'
import type { Parts } from './segment.ts'

/** Who lies in a segment, in order of id (UTF-16 code units). */
export interface DocumentHead {
  readonly ids: readonly string[]
  readonly hashes: readonly string[]
  /** Numbers of passages. */
  readonly passages: Uint32Array
  /** Of each document's bytes: where they end in the body, and their CRC-32. */
  readonly ends: Uint32Array
  readonly checks: Uint32Array
}

/** One document as it lies in a body. */
export interface Item {
  readonly id: string
  readonly hash: string
  readonly passages: number
  readonly check: number
  readonly bytes: Uint8Array
}

export function encodeItem(document: StoredDocument): Item {
  const bytes = encodeFields(document)
  return {
    id: document.id,
    hash: document.hash,
    passages: document.passages.length / 2,
    check: crc32(bytes),
    bytes,
  }
}

/** Sorts the items by id. */
export function packDocuments(items: readonly Item[]): Parts {
  const sorted = [...items].sort((a, b) => compareIds(a.id, b.id))
  const head = new ByteWriter(64 + sorted.length * 100)
  head.varint(sorted.length)
  // One text for all ids and one for all hashes: a decoder's call costs more than a short string.
  head.text(sorted.map(({ id }) => id).join(''))
  head.text(sorted.map(({ hash }) => hash).join(''))
  let length = 0
  for (const { id, hash, passages, check, bytes } of sorted) {
    head.varint(id.length)
    head.varint(hash.length)
    head.varint(passages)
    head.varint(bytes.length)
    head.u32(check)
    length += bytes.length
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const { bytes } of sorted) {
    body.set(bytes, at)
    at += bytes.length
  }
  return { head: head.finish(), body }
}

/** Throws `store/corrupt` for a head that says what cannot be. */
export function decodeDocumentHead(bytes: Uint8Array): DocumentHead {
  const input = new ByteReader(bytes, 'store/corrupt')
  const count = input.count(8),
    ids = input.text(count * LIMITS.idChars),
    hashes = input.text(count * LIMITS.idChars)
  const head = {
    ids: [] as string[],
    hashes: [] as string[],
    passages: new Uint32Array(count),
    ends: new Uint32Array(count),
    checks: new Uint32Array(count),
  }
  let idAt = 0,
    hashAt = 0,
    end = 0
  for (let i = 0; i < count; i++) {
    head.ids.push(ids.slice(idAt, (idAt += input.varint())))
    head.hashes.push(hashes.slice(hashAt, (hashAt += input.varint())))
    head.passages[i] = input.varint()
    end += input.varint()
    head.ends[i] = end
    head.checks[i] = input.u32()
    if (i > 0 && !(head.ids[i - 1]! < head.ids[i]!)) throw input.fault('its ids are not in order')
  }
  if (idAt !== ids.length || hashAt !== hashes.length || end > 2 ** 32 - 1)
    throw input.fault('its lengths do not fit')
  input.end()
  return head
}

/** Index of an id; -1 where it is not there. */
export function indexOf(head: DocumentHead, id: string): number {
  let low = 0,
    high = head.ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (head.ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return head.ids[low] === id ? low : -1
}

/** The bytes of one document, unchecked. */
export function itemAt(head: DocumentHead, body: Uint8Array, i: number): Item {
  return {
    id: head.ids[i]!,
    hash: head.hashes[i]!,
    passages: head.passages[i]!,
    check: head.checks[i]!,
    bytes: body.subarray(i === 0 ? 0 : head.ends[i - 1], head.ends[i]),
  }
}

/** Throws `store/corrupt` where its bytes are not those that were written. */
export function decodeItem({ id, hash, passages, check, bytes }: Item): StoredDocument {
  const input = new ByteReader(bytes, 'store/corrupt')
  if (crc32(bytes) !== check) throw input.fault('its checksum does not match')
  const document = decodeFields(input, id, hash)
  if (document.passages.length !== passages * 2) throw input.fault('its passages are not all there')
  return document
}
