/** Checks of options: unknown in, a settled value or `input/invalid` with a remedy out. */
import { HubmeshError } from './errors.ts'
import { editDistance } from './edit_distance.ts'

/** Throws `input/invalid` for a value that an option does not take. */
export type OptionCheck = (name: string, value: unknown) => unknown

/**
 * Every option of a call, with a check of its value where the call itself makes none; the compiler
 * asks for one that is missing here.
 */
export type KnownOptions<T> = { readonly [K in keyof Required<T>]: true | OptionCheck }

/** Edit distance up to which an unknown name is taken for a misspelt one. */
const MOST_SLIPS = 4

/** Throws `input/invalid` for what is no object and for an unknown field, naming the nearest. */
export function checkOptions<T>(call: string, given: unknown, known: KnownOptions<T>): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new HubmeshError('input/invalid', `${call} takes an object of options.`, {
      details: { call },
    })
  const names = Object.keys(known)
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (names.includes(name)) {
      const check = known[name as keyof T]
      if (typeof check === 'function' && value !== undefined) check(name, value)
      continue
    }
    const shown = name.slice(0, 50),
      near = nearest(name, names)
    throw new HubmeshError(
      'input/invalid',
      `${call} has no option ` +
        `"${shown}"${near === null ? '' : `; did you mean "${near}"?`}${near === null ? '; it' : ' It'} ` +
        `has ${names.join(', ')}.`,
      { details: { option: shown, ...(near === null ? {} : { nearest: near }) } },
    )
  }
}

/** The known name at the least edit distance, ignoring case, `_` and `-`; null where none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[_-]/g, '')
  let best: string | null = null,
    least = Math.min(MOST_SLIPS, Math.max(1, Math.floor(name.length / 2))) + 1
  for (const one of known) {
    const slips = editDistance(plain(name).slice(0, 60), plain(one), MOST_SLIPS)
    if (slips < least) {
      best = one
      least = slips
    }
  }
  return (
    best ??
    known.find((one) => plain(one).startsWith(plain(name)) || plain(name).startsWith(plain(one))) ??
    null
  )
}

/** The error of an option: `topK is 0. Use a whole number from 1 to 100.` */
export function invalid(name: string, got: string, remedy: string): HubmeshError {
  return new HubmeshError('input/invalid', `${name} is ${got}. ${remedy}`, {
    details: { field: name },
  })
}

/** A whole number in [least, most]. */
export function whole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most)
    return value
  throw invalid(name, shown(value), `Use a whole number from ${least} to ${most}.`)
}

/** A string. */
export function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw invalid(name, shown(value), 'Use a string.')
}

/** A list of strings. */
export function strings(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw invalid(
    name,
    Array.isArray(value) ? 'a list with other things than strings' : typeof value,
    'Use a list of strings.',
  )
}

/** An `AbortSignal`, of any realm. */
export function signalOption(name: string, value: unknown): void {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
    throw invalid(name, shown(value), 'Use the signal of an AbortController.')
}

/** A function. */
export function functionOption(name: string, value: unknown): void {
  if (typeof value !== 'function') throw invalid(name, shown(value), 'Use a function.')
}

/** The check that a value is one of a few strings. */
export function among(...allowed: readonly string[]): OptionCheck {
  return (name, value) => oneOf(name, value, allowed)
}

/** One of a few strings. */
export function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  if ((allowed as readonly unknown[]).includes(value)) return value as T
  const quoted = allowed.map((each) => `"${each}"`),
    last = quoted.pop() as string
  throw invalid(
    name,
    shown(value),
    `Use ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}.`,
  )
}

/** A value as it stands in an error: numbers and short strings themselves, else the type. */
export function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return String(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return Array.isArray(value) ? 'a list' : typeof value
}
