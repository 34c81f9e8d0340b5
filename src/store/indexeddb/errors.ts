/** Maps what IndexedDB reports to our errors; no DOMException and no null gets out. */
import { HubmeshError, isHubmeshError, type ErrorCode } from '../../base/errors.ts'

/** The `name` of a DOMException or Error, also across realms. */
export function nameOf(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'name' in error &&
    typeof error.name === 'string'
    ? error.name
    : ''
}

function messageOf(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
    ? error.message
    : ''
}

/**
 * A full disk has two reports: QuotaExceededError, and in Chromium an UnknownError that says so.
 */
export function isQuotaError(error: unknown): boolean {
  return (
    nameOf(error) === 'QuotaExceededError' ||
    (nameOf(error) === 'UnknownError' && messageOf(error).includes('full disk'))
  )
}

/** Bytes needed for a write and free at the origin, where the browser says so. */
export interface Space {
  readonly neededBytes: number | null
  readonly availableBytes: number | null
}

/** The free space by the browser's estimate; it is advice only, and missing in some engines. */
export async function freeBytes(): Promise<number | null> {
  try {
    const { quota, usage } = await navigator.storage.estimate()
    return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage)
  } catch {
    return null
  }
}

export function quotaError(database: string, space: Space, cause: unknown): HubmeshError {
  const bytes = (n: number | null): string => (n === null ? 'an unknown number of' : String(n))
  const { neededBytes, availableBytes } = space
  // Browsers round what they tell, or tell a constant; the refusal is the truth.
  const free =
    neededBytes !== null && availableBytes !== null && availableBytes >= neededBytes
      ? `the browser refuses it although it counts ${availableBytes} bytes as free`
      : `${bytes(availableBytes)} bytes are free`
  return new HubmeshError(
    'store/quota',
    `The browser has no room for this write to ${database}: it needs about ` +
      `${bytes(neededBytes)} bytes and ${free}. Nothing of it was kept. Remove documents, or ` +
      'free space for this site.',
    { cause, details: { ...space } },
  )
}

/**
 * Blocked site data are reported as an UnknownError by Chromium, which names damaged files so too;
 * its message tells them apart.
 */
export function isDenial(error: unknown): boolean {
  return nameOf(error) === 'UnknownError' && messageOf(error).includes('denied permission')
}

/**
 * What a browser throws at `open` where a page may have no database; elsewhere the same names mean
 * something else.
 */
export function refusedError(error: unknown, database: string): HubmeshError {
  return new HubmeshError(
    'store/unavailable',
    `The browser refuses this page a database (${nameOf(error)}), so ${database} cannot be ` +
      'opened. Private windows, sandboxed frames and site settings can do that; allow storage ' +
      'for the site, or choose storage "memory".',
    { cause: error, details: { database, name: nameOf(error) } },
  )
}

type Told = readonly [code: ErrorCode, message: string, retryable?: boolean]

const CLOSED: Told = [
  'store/closed',
  'The browser aborted the transaction without a reason of ours; nothing of it was kept. Call again.',
  true,
]
const UNREADABLE: Told = ['store/corrupt', 'A stored value cannot be read back by the browser.']
const MISUSED: Told = [
  'bug/invariant',
  'The database was used wrongly. This is a fault of hubmesh; please report it.',
]
/** By the name of what IndexedDB reports. */
const TOLD: ReadonlyMap<string, Told> = new Map<string, Told>([
  [
    'VersionError',
    [
      'store/newer-schema',
      'The database was written by a newer version of this app. Reload the page to get it; nothing was changed.',
    ],
  ],
  [
    'InvalidStateError',
    ['store/closed', 'The connection to the database is closed. Call again.', true],
  ],
  ['', CLOSED],
  ['AbortError', CLOSED],
  ['NotReadableError', UNREADABLE],
  ['DataError', UNREADABLE],
  ['DataCloneError', ['input/invalid', 'A value cannot be stored: it is not plain data.']],
  ['ConstraintError', MISUSED],
  ['TransactionInactiveError', MISUSED],
  ['ReadOnlyError', MISUSED],
  ['NotFoundError', MISUSED],
  ['TypeError', MISUSED],
  ['ReferenceError', MISUSED],
  ['RangeError', MISUSED],
])
const REFUSED: ReadonlySet<string> = new Set([
  'SecurityError',
  'NotAllowedError',
  'InvalidAccessError',
])

/**
 * Maps whatever IndexedDB threw, rejected or left null to one of our codes. `doing` completes
 * "while …".
 */
export function storeError(error: unknown, database: string, doing: string): HubmeshError {
  if (isHubmeshError(error)) return error
  if (isQuotaError(error))
    return quotaError(database, { neededBytes: null, availableBytes: null }, error)
  const name = nameOf(error)
  if (REFUSED.has(name)) return refusedError(error, database)
  const [code, message, retryable = false] = TOLD.get(name) ?? [
    'store/unavailable',
    `The browser's storage failed (${name}); nothing of this call was kept. Call again.`,
    true,
  ]
  return new HubmeshError(code, `${message} This was while ${doing} (${database}).`, {
    cause: error ?? undefined,
    details: { database, name },
    retryable,
  })
}

/** Other tabs keep the database open. */
export function blockedError(name: string, what: string): HubmeshError {
  return new HubmeshError(
    'store/blocked',
    `${name} cannot be ${what} while another tab of this site has it open and does not let go. ` +
      'Close or reload the other tabs.',
    { details: { database: name }, retryable: true },
  )
}
