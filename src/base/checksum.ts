/**
 * CRC-32 (ISO 3309, RFC 1952: reflected polynomial 0xEDB88320): finds every damage of up to 32
 * neighbouring bits, and no forgery.
 */

/** Eight tables of 256: TABLES[k * 256 + b] is the effect of byte b followed by k zero bytes. */
const TABLES = (() => {
  const tables = new Int32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    tables[byte] = crc
  }
  for (let i = 256; i < tables.length; i++) {
    const before = tables[i - 256]!
    tables[i] = (before >>> 8) ^ tables[before & 255]!
  }
  return tables
})()

/** CRC-32 of bytes, as an unsigned number; `seed` is the CRC of what came before them. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  const t = TABLES
  const n = bytes.length
  let crc = ~seed
  let i = 0
  for (; i + 8 <= n; i += 8) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    crc =
      t[1792 + (crc & 255)]! ^
      t[1536 + ((crc >>> 8) & 255)]! ^
      t[1280 + ((crc >>> 16) & 255)]! ^
      t[1024 + (crc >>> 24)]! ^
      t[768 + bytes[i + 4]!]! ^
      t[512 + bytes[i + 5]!]! ^
      t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!
  }
  for (; i < n; i++) crc = (crc >>> 8) ^ t[(crc ^ bytes[i]!) & 255]!
  return ~crc >>> 0
}

/**
 * CRC-32 of a string's UTF-16 units in little-endian bytes, so that lone surrogates count as they
 * are.
 */
export function crc32Text(text: string, seed = 0): number {
  const t = TABLES
  const n = text.length
  let crc = ~seed
  let i = 0
  for (; i + 4 <= n; i += 4) {
    crc ^= text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    const third = text.charCodeAt(i + 2)
    const fourth = text.charCodeAt(i + 3)
    crc =
      t[1792 + (crc & 255)]! ^
      t[1536 + ((crc >>> 8) & 255)]! ^
      t[1280 + ((crc >>> 16) & 255)]! ^
      t[1024 + (crc >>> 24)]! ^
      t[768 + (third & 255)]! ^
      t[512 + (third >>> 8)]! ^
      t[256 + (fourth & 255)]! ^
      t[fourth >>> 8]!
  }
  for (; i < n; i++) {
    crc ^= text.charCodeAt(i)
    crc = t[256 + (crc & 255)]! ^ t[(crc >>> 8) & 255]! ^ (crc >>> 16)
  }
  return ~crc >>> 0
}
