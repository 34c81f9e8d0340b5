/** Bytes to text, strictly: nothing is lost or guessed. */
import { unreadable, type ReaderContext } from './reader.ts'

/** Bytes looked at for signs of a binary file. */
const SNIFFED = 65_536
/**
 * Share of control characters, beyond tabs and line ends, from which a file is taken for binary.
 */
const CONTROL_SHARE = 0.05

/** 0x80 to 0x9f of windows-1252 (WHATWG); Node 20 leaves them as control characters. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
/** Bytes the detector of charsets looks at: it is slow. */
const DETECTED = 65_536

/**
 * The text of a file, its byte-order mark left out. In this order: a byte-order mark, `declared`
 * (a label of the WHATWG Encoding Standard that the file gives for itself), strict UTF-8, and a
 * guess from the bytes, which `context.warn` is told. Throws `input/invalid` for files that are
 * empty, blank or binary.
 */
export async function decodeText(
  bytes: Uint8Array,
  path: string,
  context: Pick<ReaderContext, 'warn'>,
  declared: string | null = null,
): Promise<string> {
  if (bytes.length === 0) throw unreadable(path, 'the file is empty', 'leave it out')
  const text = await decoded(bytes, path, context, declared)
  if (!/\S/.test(text))
    throw unreadable(
      path,
      `the file holds only white space (${text.length} characters)`,
      'leave it out',
    )
  return text
}

async function decoded(
  bytes: Uint8Array,
  path: string,
  context: Pick<ReaderContext, 'warn'>,
  declared: string | null,
): Promise<string> {
  const mark = markedCharset(bytes) ?? utf16ByZeros(bytes)
  if (mark !== null) return decodeAs(bytes, mark, path)
  refuseBinary(bytes, path)
  if (declared !== null && !/^utf-?8$/i.test(declared)) {
    const text = tryDecode(bytes, declared)
    if (text !== null) return text
  }
  const utf8 = tryDecode(bytes, 'utf-8')
  if (utf8 !== null) return utf8
  const charset = await guessCharset(bytes.subarray(0, DETECTED))
  const guessed = tryDecode(bytes, charset),
    text = guessed ?? tryDecode(bytes, 'windows-1252')!,
    read = guessed === null ? 'windows-1252' : charset
  context.warn(
    path,
    `not UTF-8 (byte ${invalidUtf8Offset(bytes)}); read as ${read}, which is a guess. Save the ` +
      'file as UTF-8 if characters look wrong.',
  )
  return text
}

/** East Asian charsets, tried in this order on texts that are not of European letters. */
const EAST_ASIAN = ['shift_jis', 'euc-jp', 'gb18030', 'euc-kr', 'big5']

/**
 * The detector of charsets is weak on short texts: where most bytes beyond ASCII do not stand in
 * words of ASCII letters, East Asian charsets that fit to the byte go first.
 */
async function guessCharset(bytes: Uint8Array): Promise<string> {
  const { detect } = await import('chardet')
  const guess = detect(bytes) ?? 'windows-1252'
  const latin = new TextDecoder('latin1').decode(bytes)
  const runs = latin.match(/[\u0080-\u00ff]+/g) ?? []
  const inWords = latin.match(/[A-Za-z][\u0080-\u00ff]{1,2}(?![\u0080-\u00ff])/g) ?? []
  if (/^(windows-125|iso-8859|koi8)/i.test(guess) && inWords.length < runs.length / 3)
    for (const charset of EAST_ASIAN) {
      const text = tryDecode(bytes, charset)
      if (
        text !== null &&
        /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(text) &&
        isEastAsian(text)
      )
        return charset
    }
  return /^(ISO-8859-1|UTF-8|ASCII)$/i.test(guess) ? 'windows-1252' : guess
}

/** All beyond ASCII is common in East Asian texts; half-width katakana come of a wrong charset. */
function isEastAsian(text: string): boolean {
  return /^[\u0000-\u007f\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff01-\uff5e\u2010-\u2026]*$/.test(
    text,
  )
}

function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** UTF-16 without a mark: of Latin text every other byte is zero. */
function utf16ByZeros(bytes: Uint8Array): string | null {
  const pairs = Math.min(bytes.length, 4096) >> 1
  if (pairs < 4 || bytes.length % 2 !== 0) return null
  let even = 0,
    odd = 0
  for (let i = 0; i < pairs; i++) {
    if (bytes[2 * i] === 0) even++
    if (bytes[2 * i + 1] === 0) odd++
  }
  if (odd > pairs * 0.7 && even === 0) return 'utf-16le'
  return even > pairs * 0.7 && odd === 0 ? 'utf-16be' : null
}

function decodeAs(bytes: Uint8Array, charset: string, path: string): string {
  const text = tryDecode(bytes, charset)
  if (text === null)
    throw unreadable(path, 'the file begins as UTF-16 but is not well-formed', 'save it as UTF-8')
  return text
}

/** Null where the bytes are not of the charset, or the charset is not known. */
export function tryDecode(bytes: Uint8Array, charset: string): string | null {
  if (/^(windows-1252|cp1252|iso-8859-1|latin-?1|us-ascii)$/i.test(charset)) {
    const text = new TextDecoder('latin1').decode(bytes)
    return text.replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252.charAt(c.charCodeAt(0) - 0x80))
  }
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
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
