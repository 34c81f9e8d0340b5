/**
 * Owns the refusal of options nobody knows. Refuses: to guess what was meant and go on; the nearest
 * name that would be right is named.
 */
import { HubmeshError } from './errors.ts'
import { editDistance } from './edit_distance.ts'

/** Every option of a call, so that a new one cannot be forgotten here. */
export type KnownOptions<T> = { readonly [K in keyof Required<T>]: true }

/** Slips between what was written and what may have been meant. */
const MOST_SLIPS = 4

/**
 * Throws `input/invalid` for what is no object, and for a field that is not known, whatever its
 * value.
 */
export function checkOptions<T>(call: string, given: unknown, known: KnownOptions<T>): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new HubmeshError('input/invalid', `${call} takes an object of options.`, {
      details: { call },
    })
  const names = Object.keys(known)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
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

/**
 * The known name that is fewest slips away, small letters and joints alike; the first of equals,
 * null where none is near.
 */
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
