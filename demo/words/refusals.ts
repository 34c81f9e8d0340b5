/** A file that was refused: why, and what a person can do about it. */
import type { Rejection } from '../../src/index.ts'
import { EN } from './en/index.ts'
import { words } from './words.ts'

/** Kinds of refusals, by the engine's words; the first that fits counts. */
const KINDS = [
  ['scanned', /scan|character recognition/i],
  ['locked', /password|encrypted/i],
  ['large', /too large|at most|longer than|more than|larger/i],
  ['encoding', /UTF-8|UTF-16|NUL|binary/i],
  ['format', /files ending in|no extension/i],
  ['empty', /empty|holds no|hold no|has no (?:cells|rows|line)|no rows/i],
  [
    'damaged',
    /cannot be read|not JSON|is no |does not begin|nested deeper|well-formed|zip|damaged/i,
  ],
] as const

export interface Refusal {
  readonly why: string
  readonly remedy: string | null
}

/**
 * In the page's language where it has words of its own for the kind, else in the engine's, whose
 * messages are `NAME: WHY; REMEDY.`.
 */
export function refusalOf(rejection: Pick<Rejection, 'name' | 'reason'>): Refusal {
  const reason = withoutName(rejection),
    kind = KINDS.find(([, pattern]) => pattern.test(reason))?.[0],
    own = kind === undefined ? undefined : words().refusals[kind],
    parting = reason.indexOf('; '),
    said =
      parting < 0
        ? { why: reason, remedy: null }
        : { why: `${reason.slice(0, parting)}.`, remedy: capital(reason.slice(parting + 2)) }
  // The engine speaks English, and is the more exact where the page does too.
  if (own === undefined) return said
  return own === EN.refusals[kind!] ? { ...said, remedy: said.remedy ?? own.remedy } : own
}

/** The name stands above its reason already. */
function withoutName({ name, reason }: Pick<Rejection, 'name' | 'reason'>): string {
  const named = [`${JSON.stringify(name)}: `, `document ${JSON.stringify(name)}: `].find((start) =>
    reason.startsWith(start),
  )
  return capital(named === undefined ? reason : reason.slice(named.length))
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
