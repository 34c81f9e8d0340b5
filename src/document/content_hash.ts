/** Identity of content: SHA-256 of title and text. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Units encoded at a time: three bytes each at most. */
const SLICE = 16_384
/** Shared by all calls: hashing is synchronous, so no two are under way. */
let scratch: Uint8Array | null = null

/**
 * Gives the hex SHA-256 (FIPS 180-4) of the title's length, the title and the text, as WTF-8: like
 * UTF-8, but a lone surrogate keeps its own three bytes, so that two texts differing in one have
 * two hashes. The length in front keeps `ab` + `c` apart from `a` + `bc`. Synchronous, unlike
 * WebCrypto, so that admission is one step.
 */
export function contentHash(title: string, text: string): string {
  const hash = sha256.create()
  const buffer = (scratch ??= new Uint8Array(SLICE * 3))
  for (const part of [`${title.length}:`, title, text]) {
    for (let from = 0; from < part.length;) {
      let to = Math.min(from + SLICE, part.length)
      // A pair stays in one slice.
      if (to < part.length && isHigh(part.charCodeAt(to - 1))) to--
      if (to === from) to = from + 1
      hash.update(buffer.subarray(0, encodeWtf8(part, from, to, buffer)))
      from = to
    }
  }
  return bytesToHex(hash.digest())
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function encodeWtf8(text: string, from: number, to: number, out: Uint8Array): number {
  let n = 0
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      out[n++] = unit
    } else if (unit < 0x800) {
      out[n++] = 0xc0 | (unit >> 6)
      out[n++] = 0x80 | (unit & 63)
    } else {
      const low = i + 1 < to ? text.charCodeAt(i + 1) : 0
      if (isHigh(unit) && low >= 0xdc00 && low <= 0xdfff) {
        const code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
        i++
        out[n++] = 0xf0 | (code >> 18)
        out[n++] = 0x80 | ((code >> 12) & 63)
        out[n++] = 0x80 | ((code >> 6) & 63)
        out[n++] = 0x80 | (code & 63)
      } else {
        out[n++] = 0xe0 | (unit >> 12)
        out[n++] = 0x80 | ((unit >> 6) & 63)
        out[n++] = 0x80 | (unit & 63)
      }
    }
  }
  return n
}
