/**
 * Owns what a corpus may be called. Refuses: names that mean something to a file system or a URL.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

/**
 * Every database of the package begins with this, so that other apps of the origin are left alone.
 */
export const DATABASE_PREFIX = 'hubmesh:'

const SHAPE = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/

/**
 * True for 1 to 64 ASCII letters, digits, `.`, `_`, `-`, not beginning with `.` or `-` and not
 * ending with `.`.
 */
export function isCorpusName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= LIMITS.corpusNameChars &&
    SHAPE.test(name) &&
    !name.endsWith('.')
  )
}

/** Gives the name back, or throws `input/invalid`. */
export function checkCorpusName(name: unknown): string {
  if (isCorpusName(name)) return name
  const shown =
    typeof name === 'string' ? JSON.stringify(name.slice(0, LIMITS.corpusNameChars)) : typeof name
  throw new HubmeshError(
    'input/invalid',
    `A corpus cannot be called ${shown}. Use 1 to ${LIMITS.corpusNameChars} ASCII letters, ` +
      'digits, ".", "_" or "-", not beginning with "." or "-" and not ending with ".".',
    { details: { field: 'corpus' } },
  )
}
