/**
 * The log files of Chromium's IndexedDB as a kill leaves them (LevelDB, doc/log_format.md: blocks
 * of 32 KiB, records of a CRC-32C, a length u16, a type u8 and so many bytes).
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const BLOCK = 32_768,
  HEADER = 7
const FIRST = 2,
  MIDDLE = 3

/** The newest log of the origin; null where there is none yet. */
function newestLog(profile: string, origin: string): string | null {
  const { hostname, port } = new URL(origin)
  const folder = join(profile, 'Default', 'IndexedDB', `http_${hostname}_${port}.indexeddb.leveldb`)
  if (!existsSync(folder)) return null
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .at(-1)
  return last === undefined ? null : join(folder, last)
}

/**
 * True where the browser was killed within a record: a second kill before the log is renewed then
 * costs the whole origin.
 */
export function isTorn(profile: string, origin: string): boolean {
  const log = newestLog(profile, origin)
  if (log === null) return false
  const bytes = readFileSync(log)
  let unfinished = false
  for (let at = 0; at < bytes.length;) {
    const room = BLOCK - (at % BLOCK)
    if (room < HEADER) {
      at += room
      continue
    }
    if (at + HEADER > bytes.length) return true
    const length = bytes.readUInt16LE(at + 4),
      type = bytes[at + 6]!
    if (length + HEADER > room) return false // no record: an earlier tear, which is no tail
    at += HEADER + length
    if (at > bytes.length) return true
    unfinished = type === FIRST || type === MIDDLE
  }
  return unfinished
}

/**
 * What a kill between the two writes of a record leaves: its head, of 72 bytes to come, and none of
 * them.
 */
export function tear(profile: string, origin: string): void {
  const log = newestLog(profile, origin)
  if (log === null) throw new Error('The origin has no log to tear.')
  appendFileSync(log, Uint8Array.of(0x9d, 0x1b, 0x5e, 0x44, 72, 0, 1))
}
