/** Lookup form of a name, as hubmesh for Python has it. */

/**
 * What is kept of a name: word characters of every script and white space; the rest becomes a
 * space.
 */
const NOT_WORD = /[^\p{L}\p{N}\p{M}_\s]/gu
const SPACES = /\s+/g

/**
 * Gives `mention` in lower case, punctuation turned to spaces, spaces collapsed and trimmed
 * (hubmesh 0.4.2, kg.py): `"Scott Derrickson's"` -> `"scott derrickson s"`. Marks stay with their
 * letters, so Indic and Thai names keep theirs. Linear.
 */
export function canonicalize(mention: string): string {
  return mention.toLowerCase().replace(NOT_WORD, ' ').replace(SPACES, ' ').trim()
}
