/** Writes and reads links that open an archive. Opening waits for a person's consent. */
import { readAddress } from './models.ts'

/** What a link asks for. */
export interface OpenLink {
  /** Address of the archive. */
  readonly url: string
  readonly question: string
}

/** Longer questions make links that mail programs break. */
const QUESTION = 500

/**
 * `PAGE#open=ADDRESS&ask=QUESTION`; behind the `#`, so that no server reads it. An archive of the
 * page's own origin is written without it.
 */
export function writeLink(page: string, { url, question }: OpenLink): string {
  const base = new URL(page),
    target = readAddress(url, page)
  const short =
    target !== null && target.origin === base.origin
      ? target.pathname + target.search
      : (target?.href ?? url)
  base.hash = ''
  const parts = new URLSearchParams({
    open: short,
    ...(question.trim() === '' ? {} : { ask: question.trim().slice(0, QUESTION) }),
  })
  return `${base.href}#${parts.toString()}`
}

/** A link that would open something, and why this page does not. */
export interface RefusedLink {
  readonly refused: 'length' | 'address'
}

/** Longer parts behind the `#` are not read. */
const LONGEST = 8000

/** Reads the part behind the `#`; null for one that opens nothing. */
export function readLink(page: string): OpenLink | RefusedLink | null {
  const hash = new URL(page).hash.slice(1)
  if (hash.length > LONGEST)
    return /(?:^|&)open=/.test(hash.slice(0, LONGEST)) ? { refused: 'length' } : null
  const parts = new URLSearchParams(hash),
    open = parts.get('open')
  if (open === null || open === '') return null
  const target = readAddress(open, page)
  // A name and a password in an address are refused by every browser when it is fetched.
  if (target === null || target.username !== '' || target.password !== '')
    return { refused: 'address' }
  target.hash = ''
  return { url: target.href, question: (parts.get('ask') ?? '').slice(0, QUESTION) }
}

/** The file's name without its ending, for a corpus. */
export function nameOfArchive(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== '') ?? ''
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // Kept as it is written.
  }
  return name.replace(/\.hubmesh$/i, '')
}
