/**
 * Bounded zip of a few members (PKWARE APPNOTE 6.3.10). Sizes are those of what comes out, never
 * those claimed; no encryption, no ZIP64.
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { crc32 } from '../base/checksum.ts'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_BYTES = 22
/**
 * A comment behind the end record is this long at most, so the record is looked for no further
 * back.
 */
const MOST_COMMENT = 65_535
/** Members looked at unless told otherwise; a corpus has two. */
const MOST_MEMBERS = 64
const UTF8_NAMES = 0x0800
/** 1980-01-01, the first day a zip can name: the same content gives the same bytes. */
const FIRST_DAY = 0x21

interface Member {
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly headerAt: number
}

/**
 * The members of those names, unpacked; a name that is not there is left out. A function takes
 * those it says yes to, in the order of the file. Throws `archive/invalid`, `archive/too-large`,
 * `aborted`.
 */
export async function readZip(
  bytes: Uint8Array,
  names: readonly string[] | ((name: string) => boolean),
  options: {
    readonly mostBytes: number
    readonly mostMembers?: number
    readonly signal?: AbortSignal
  },
): Promise<Map<string, Uint8Array>> {
  const members = directoryOf(bytes, options.mostMembers ?? MOST_MEMBERS),
    out = new Map<string, Uint8Array>()
  let left = options.mostBytes
  for (const name of typeof names === 'function' ? [...members.keys()].filter(names) : names) {
    const member = members.get(name)
    if (member === undefined) continue
    const packed = packedBytes(bytes, member)
    const content = member.method === 0 ? packed : await inflate(packed, left, options.signal)
    if (content.length > left) throw tooLarge(options.mostBytes)
    left -= content.length
    if (crc32(content) !== member.crc) throw invalid('a member is not as it was written')
    out.set(name, content)
  }
  return out
}

function directoryOf(bytes: Uint8Array, mostMembers: number): Map<string, Member> {
  const view = viewOf(bytes)
  let end = bytes.length - END_BYTES
  while (
    end >= 0 &&
    end >= bytes.length - END_BYTES - MOST_COMMENT &&
    view.getUint32(end, true) !== END
  )
    end--
  if (end < 0 || view.getUint32(end, true) !== END)
    throw invalid('it does not end as a zip file does')
  const count = view.getUint16(end + 10, true)
  if (count > mostMembers) throw invalid(`it has ${count} members, more than ${mostMembers}`)
  const members = new Map<string, Member>()
  let at = view.getUint32(end + 16, true)
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL)
      throw invalid('its list of members is damaged')
    const flags = view.getUint16(at + 8, true),
      nameBytes = view.getUint16(at + 28, true)
    const next = at + 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (next > end) throw invalid('its list of members is damaged')
    if ((flags & 1) !== 0) throw invalid('a member is encrypted')
    const name = new TextDecoder('utf-8').decode(bytes.subarray(at + 46, at + 46 + nameBytes))
    if (members.has(name)) throw invalid('two members have one name')
    members.set(name, {
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      headerAt: view.getUint32(at + 42, true),
    })
    at = next
  }
  return members
}

function packedBytes(bytes: Uint8Array, { method, packedBytes, headerAt }: Member): Uint8Array {
  const view = viewOf(bytes)
  if (method !== 0 && method !== 8)
    throw invalid('a member is packed in another way than by deflate')
  if (headerAt + 30 > bytes.length || view.getUint32(headerAt, true) !== LOCAL)
    throw invalid('a member is not where the list says')
  const from =
    headerAt + 30 + view.getUint16(headerAt + 26, true) + view.getUint16(headerAt + 28, true)
  if (from + packedBytes > bytes.length) throw invalid('a member ends behind the file')
  return bytes.subarray(from, from + packedBytes)
}

/** RFC 1951; stops as soon as more than `mostBytes` came out. */
async function inflate(
  packed: Uint8Array,
  mostBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const reader = new Blob([packed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      throwIfAborted(signal)
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      if (length > mostBytes) throw tooLarge(mostBytes)
      pieces.push(value)
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined)
    throw error instanceof HubmeshError ? error : invalid('a member cannot be unpacked', error)
  }
  return concat(pieces, length)
}

/**
 * A zip of the members as they are, not deflated. Throws `archive/too-large` beyond what zip can
 * count without ZIP64.
 */
export function writeZip(members: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder(),
    pieces: Uint8Array[] = [],
    directory: Uint8Array[] = []
  let at = 0
  for (const [name, content] of members) {
    const nameBytes = encoder.encode(name),
      crc = crc32(content)
    if (at + content.length > 0xffff_ffff - MOST_COMMENT) throw tooLarge(0xffff_ffff)
    const fields = (view: DataView, from: number): void => {
      view.setUint16(from, 20, true)
      view.setUint16(from + 2, UTF8_NAMES, true)
      view.setUint16(from + 8, FIRST_DAY, true)
      view.setUint32(from + 10, crc, true)
      view.setUint32(from + 14, content.length, true)
      view.setUint32(from + 18, content.length, true)
      view.setUint16(from + 22, nameBytes.length, true)
    }
    const local = new Uint8Array(30),
      central = new Uint8Array(46),
      localView = viewOf(local),
      centralView = viewOf(central)
    localView.setUint32(0, LOCAL, true)
    fields(localView, 4)
    centralView.setUint32(0, CENTRAL, true)
    centralView.setUint16(4, 20, true)
    fields(centralView, 6)
    centralView.setUint32(42, at, true)
    pieces.push(local, nameBytes, content)
    directory.push(central, nameBytes)
    at += 30 + nameBytes.length + content.length
  }
  const directoryBytes = directory.reduce((sum, piece) => sum + piece.length, 0),
    end = new Uint8Array(END_BYTES),
    view = viewOf(end)
  view.setUint32(0, END, true)
  view.setUint16(8, members.size, true)
  view.setUint16(10, members.size, true)
  view.setUint32(12, directoryBytes, true)
  view.setUint32(16, at, true)
  return concat([...pieces, ...directory, end], at + directoryBytes + END_BYTES)
}

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.length
  }
  return out
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function invalid(what: string, cause?: unknown): HubmeshError {
  return new HubmeshError(
    'archive/invalid',
    `This is not a whole zip file: ${what}. Get it again from where it was made.`,
    { cause },
  )
}

function tooLarge(mostBytes: number): HubmeshError {
  return new HubmeshError(
    'archive/too-large',
    `This zip file holds more than ${mostBytes} bytes, which is the most that is read.`,
    { details: { limit: mostBytes } },
  )
}
