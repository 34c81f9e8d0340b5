/** The one unit of storage: an immutable segment of a head and a body, plain or encrypted. */
import { HubmeshError } from '../../base/errors.ts'
import { crc32 } from '../../base/checksum.ts'
import { SEAL_TAG_BYTES, type Sealer } from '../encryption/sealer.ts'

/** Documents, vectors, kept records, and data that can be derived from them. */
export type SegmentKind = 'd' | 'v' | 'k' | 'x'

/** What a manifest says of a segment. */
export interface SegmentEntry {
  /** Unique for ever: kind and 96 random bits. */
  readonly name: string
  /** Bytes of head and body as stored. */
  readonly head: number
  readonly body: number
  /** CRC-32 of the head, which holds those of the body; encrypted, the two GCM tags. In hex. */
  readonly check: string
}

/** Bytes as stored. */
export interface Segment {
  readonly entry: SegmentEntry
  readonly head: Uint8Array
  readonly body: Uint8Array
}

export type Parts = Pick<Segment, 'head' | 'body'>

export const segmentBytes = ({ head, body }: SegmentEntry): number => head + body

export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** Random, so that no two writers ever choose the same; never shown and never ranked by. */
export function randomName(bytes = 12): string {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)))
}

export async function makeSegment(
  kind: SegmentKind,
  parts: Parts,
  sealer: Sealer | null,
): Promise<Segment> {
  const name = `${kind}-${randomName()}`
  const head = sealer === null ? parts.head : await sealer.seal(`head ${name}`, parts.head)
  const body = sealer === null ? parts.body : await sealer.seal(`body ${name}`, parts.body)
  const check = sealer === null ? plainCheck(head) : tag(head) + tag(body)
  return { entry: { name, head: head.length, body: body.length, check }, head, body }
}

/** The head in the clear. Throws `store/corrupt` unless it is the one that the manifest names. */
export async function openHead(
  entry: SegmentEntry,
  head: Uint8Array,
  sealer: Sealer | null,
): Promise<Uint8Array> {
  if (head.length !== entry.head) throw damaged('its head is cut')
  const check = sealer === null ? plainCheck(head) : tag(head)
  if (!entry.check.startsWith(check)) throw damaged('its checksum does not match')
  return sealer === null ? head : await sealer.open(`head ${entry.name}`, head)
}

/** The body in the clear; of a plain one only the length is checked: its head has the checksums. */
export async function openBody(
  entry: SegmentEntry,
  body: Uint8Array,
  sealer: Sealer | null,
): Promise<Uint8Array> {
  if (body.length !== entry.body) throw damaged('its body is cut')
  if (sealer === null) return body
  if (!entry.check.endsWith(tag(body))) throw damaged('its checksum does not match')
  return await sealer.open(`body ${entry.name}`, body)
}

/** A head for a body that is one piece: its CRC-32. */
export function wholeHead(body: Uint8Array): Uint8Array {
  const head = new Uint8Array(4)
  new DataView(head.buffer).setUint32(0, crc32(body), true)
  return head
}

export function isWhole(head: Uint8Array, body: Uint8Array): boolean {
  return (
    head.length === 4 &&
    new DataView(head.buffer, head.byteOffset, 4).getUint32(0, true) === crc32(body)
  )
}

export function damaged(reason: string): HubmeshError {
  return new HubmeshError('store/corrupt', `A segment cannot be read: ${reason}.`)
}

const plainCheck = (head: Uint8Array): string => crc32(head).toString(16).padStart(8, '0')
const tag = (sealed: Uint8Array): string => hex(sealed.subarray(-SEAL_TAG_BYTES))
