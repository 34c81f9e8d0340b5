/** Bytes to text, strictly: nothing is lost or guessed. */
import { unreadable } from './reader.ts'

/** Bytes looked at for signs of a binary file. */
const SNIFFED = 65_536
/**
 * Share of control characters, beyond tabs and line ends, from which a file is taken for binary.
 */
const CONTROL_SHARE = 0.05

/**
 * Decodes a file: UTF-8, strictly, or UTF-16 where a byte-order mark says so; the mark is not part
 * of the text. Throws `input/invalid` naming the file and the first bad byte's offset, or that it
 * is binary or empty.
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  if (bytes.length === 0) throw unreadable(path, 'the file is empty', 'leave it out')
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  if (utf16 === null) refuseBinary(bytes, path)
  let text: string
  try {
    text = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    if (utf16 !== null)
      throw unreadable(path, 'the file begins as UTF-16 but is not well-formed', 'save it as UTF-8')
    throw invalidUtf8(path, invalidUtf8Offset(bytes))
  }
  if (!/\S/.test(text))
    throw unreadable(
      path,
      `the file holds only white space (${text.length} characters)`,
      'leave it out',
    )
  return text
}

/** The error for a file whose byte at `offset` is not UTF-8. */
export function invalidUtf8(path: string, offset: number): Error {
  return unreadable(path, `byte ${offset} is not valid UTF-8`, 'save the file as UTF-8', { offset })
}

/** Throws where the first bytes are not those of a text. */
export function refuseBinary(bytes: Uint8Array, path: string): void {
  const looked = Math.min(bytes.length, SNIFFED)
  let controls = 0
  for (let i = 0; i < looked; i++) {
    const byte = bytes[i]!
    if (byte === 0)
      throw unreadable(
        path,
        `byte ${i} is NUL, so the file is binary or UTF-16 without a byte-order mark`,
        'save it as UTF-8 text',
        { offset: i },
      )
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27)
      controls++
  }
  if (controls > looked * CONTROL_SHARE)
    throw unreadable(
      path,
      `${controls} of the first ${looked} bytes are control characters, so the file is binary`,
      'add text files only',
    )
}

/**
 * Gives the offset of the first byte that is not well-formed UTF-8 (Unicode 15, table 3-7), or the
 * length where all are.
 */
export function invalidUtf8Offset(bytes: Uint8Array): number {
  let i = 0
  while (i < bytes.length) {
    const lead = bytes[i]!
    const more =
      lead < 0x80
        ? 0
        : lead >= 0xc2 && lead <= 0xdf
          ? 1
          : lead >= 0xe0 && lead <= 0xef
            ? 2
            : lead >= 0xf0 && lead <= 0xf4
              ? 3
              : -1
    if (more < 0) return i
    for (let k = 1; k <= more; k++) {
      const low = k > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
      const high = k > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
      const byte = bytes[i + k]
      if (byte === undefined || byte < low || byte > high) return i
    }
    i += more + 1
  }
  return bytes.length
}
