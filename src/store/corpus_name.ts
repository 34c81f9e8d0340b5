/** What a corpus may be called: nothing that means something to a file system or a URL. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

/**
 * Every database of the package begins with this, so that other apps of the origin are left alone.
 */
export const DATABASE_PREFIX = 'hubmesh:'

const SHAPE = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/
/** Devices of Windows, with any ending: no folder there can have such a name. */
const DEVICES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i

/**
 * True for 1 to 64 ASCII letters, digits, `.`, `_`, `-`, not beginning with `.` or `-` and not
 * ending with `.`, and no device of Windows such as `con` or `nul.txt`.
 */
export function isCorpusName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= LIMITS.corpusNameChars &&
    SHAPE.test(name) &&
    !name.endsWith('.') &&
    !DEVICES.test(name)
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
      'digits, ".", "_" or "-", not beginning with "." or "-", not ending with ".", and no name ' +
      'of a device such as "con" or "nul".',
    { details: { field: 'corpus' } },
  )
}
