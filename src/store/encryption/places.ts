/**
 * Owns the words by which a sealed record is bound to where it lies, where more than one file seals
 * or opens it.
 */

/** Snapshots are bound to the generation they were made of. */
export const derivedPlace = (name: string, generation: number): string =>
  `derived ${name} ${generation}`

export const keptPlace = (name: string): string => `kept ${name}`
