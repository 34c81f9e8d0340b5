/** By which rules a text tier was made: one of others is left out, and made anew from the texts. */
/**
 * To be raised whenever words or names are read from a text otherwise, or the columns of the text
 * tier change. 2: forms of words beside them.
 */
export const INDEX_RULES = 2

/** Behind a kept index: no index ends so by itself. */
const STAMP = new TextEncoder().encode(`rules ${String(INDEX_RULES)}`)

export function stamped(index: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(index.length + STAMP.length)
  out.set(index)
  out.set(STAMP, index.length)
  return out
}

/** The index without its stamp; null where it was made by other rules. */
export function unstamped(bytes: Uint8Array): Uint8Array | null {
  const end = bytes.length - STAMP.length
  return end >= 0 && STAMP.every((byte, i) => bytes[end + i] === byte)
    ? bytes.subarray(0, end)
    : null
}
