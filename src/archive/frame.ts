/**
 * Frames of an archive: a header, then frames, each bound to all before it by a running CRC-32.
 *
 * Header: eight bytes that a text transfer would break, version u32, CRC-32 of both u32. Frame: tag
 * of four ASCII characters, payload length u32, payload, CRC-32 u32 over tag, length and payload
 * begun with the CRC before; so a frame that is changed, missing, doubled or moved does not check.
 * Everything little-endian.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { crc32 } from '../base/checksum.ts'
import type { ByteSource } from './byte_source.ts'

/** 2 added the index (TEXT); archives of version 1 are read as before. */
export const ARCHIVE_VERSION = 2
const OLDEST_VERSION = 1
const MAGIC = Uint8Array.of(0x89, 0x48, 0x4d, 0x53, 0x48, 0x0d, 0x0a, 0x1a)
const HEADER = 16

export type FrameTag = 'META' | 'KEPT' | 'DOCS' | 'TEXT' | 'VF32' | 'VI08' | 'DONE'
const TAGS: readonly string[] = [
  'META',
  'KEPT',
  'DOCS',
  'TEXT',
  'VF32',
  'VI08',
  'DONE',
] satisfies readonly FrameTag[]

export interface Frame {
  readonly tag: FrameTag
  readonly payload: Uint8Array
}

export function invalid(reason: string): HubmeshError {
  return new HubmeshError(
    'archive/invalid',
    `This is not a whole hubmesh archive: ${reason}. Get the file again from where it was made.`,
  )
}

/** Gives header and frames as bytes; keeps the running checksum. */
export class FrameWriter {
  private crc = 0

  header(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(HEADER)
    bytes.set(MAGIC)
    const view = new DataView(bytes.buffer)
    view.setUint32(8, ARCHIVE_VERSION, true)
    this.crc = crc32(bytes.subarray(0, 12))
    view.setUint32(12, this.crc, true)
    return bytes
  }

  frame(tag: FrameTag, payload: Uint8Array): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(8 + payload.length + 4)
    for (let i = 0; i < 4; i++) bytes[i] = tag.charCodeAt(i)
    const view = new DataView(bytes.buffer)
    view.setUint32(4, payload.length, true)
    bytes.set(payload, 8)
    this.crc = crc32(bytes.subarray(0, 8 + payload.length), this.crc)
    view.setUint32(8 + payload.length, this.crc, true)
    return bytes
  }
}

/** Frames in order, each checked, up to and with DONE, after which nothing may follow. */
export async function* readFrames(source: ByteSource): AsyncGenerator<Frame> {
  const head = await source.take(HEADER)
  if (!MAGIC.every((byte, i) => head[i] === byte)) throw invalid('it does not begin like one')
  const view = new DataView(head.buffer, head.byteOffset, HEADER)
  let crc = crc32(head.subarray(0, 12))
  if (view.getUint32(12, true) !== crc) throw invalid('its header does not match its checksum')
  const version = view.getUint32(8, true)
  if (version < OLDEST_VERSION || version > ARCHIVE_VERSION)
    throw new HubmeshError(
      'archive/version',
      `This archive has version ${version}; this version of hubmesh reads versions ` +
        `${OLDEST_VERSION} to ${ARCHIVE_VERSION}. Update hubmesh, or export the corpus again.`,
      { details: { version } },
    )
  for (;;) {
    const start = await source.take(8)
    const length = new DataView(start.buffer, start.byteOffset, 8).getUint32(4, true)
    const tag = String.fromCharCode(...start.subarray(0, 4))
    if (!TAGS.includes(tag)) throw invalid('a section has an unknown name')
    if (length > LIMITS.archiveFrameBytes)
      throw new HubmeshError(
        'archive/too-large',
        `A section of this archive claims ${length} bytes; at most ${LIMITS.archiveFrameBytes} are read.`,
        { details: { bytes: length } },
      )
    const prefix = crc32(start, crc)
    const rest = await source.take(length + 4)
    const payload = rest.subarray(0, length)
    crc = crc32(payload, prefix)
    if (new DataView(rest.buffer, rest.byteOffset + length, 4).getUint32(0, true) !== crc)
      throw invalid('a section does not match its checksum')
    yield { tag: tag as FrameTag, payload }
    if (tag !== 'DONE') continue
    if (!(await source.atEnd())) throw invalid('bytes follow its end')
    return
  }
}
