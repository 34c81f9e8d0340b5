/** Parses foreign JSON of bounded size and depth; errors never quote it. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

/** The value of strict UTF-8 JSON. `what` names the file. Throws `archive/invalid`. */
export function checkedJson(bytes: Uint8Array, what: string): unknown {
  if (deeperThan(bytes, LIMITS.importJsonDepth))
    throw new HubmeshError(
      'archive/invalid',
      `${what} is nested deeper than ${LIMITS.importJsonDepth} levels; nothing that hubmesh writes is.`,
    )
  const text = textOf(bytes, what)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own message quotes the text, so it is left out.
    throw notJson(bytes, what)
  }
}

/** The text of strict UTF-8. `what` names the file. Throws `archive/invalid`. */
export function textOf(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw notJson(bytes, what)
  }
}

function notJson(bytes: Uint8Array, what: string): HubmeshError {
  return new HubmeshError(
    'archive/invalid',
    `${what} is not JSON in UTF-8 (${bytes.length} bytes). Copy the corpus again from where it was made.`,
  )
}

/** One pass over the bytes; brackets inside strings do not count. */
function deeperThan(bytes: Uint8Array, most: number): boolean {
  let depth = 0,
    quoted = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (quoted) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) quoted = false
    } else if (byte === 0x22) quoted = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > most) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
