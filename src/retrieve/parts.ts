/** The parts of a score, each brought to [0, 1]. */
import { exp, log10 } from '../base/math.ts'
import type { Walk } from '../graph/push.ts'

interface Cosines {
  readonly cosines: Float32Array | null
  readonly slots: number
  readonly excludedMask: Uint8Array
}

const LOG10_E = 0.4342944819032518

export function overMaximum(values: Float64Array, slots: number, excludedMask: Uint8Array): void {
  let largest = 0
  for (let slot = 0; slot < slots; slot++) {
    if (excludedMask[slot] !== 0) values[slot] = 0
    else if (values[slot]! > largest) largest = values[slot]!
  }
  if (largest === 0) return
  for (let slot = 0; slot < slots; slot++) values[slot] = values[slot]! / largest
}

/**
 * Min-max of the cosines. A passage without a vector takes `fromWords` of its words score, so that
 * it neither sinks nor floats while vectors stream in.
 */
export function fillMeaning(
  { cosines, slots, excludedMask }: Cosines,
  into: Float64Array,
  words: Float64Array,
  fromWords: number,
): void {
  let least = 2,
    most = -2 // beyond any cosine
  for (let slot = 0; slot < slots && cosines !== null; slot++) {
    const cosine = cosines[slot]! // NaN is neither below nor above
    if (excludedMask[slot] !== 0) continue
    if (cosine < least) least = cosine
    if (cosine > most) most = cosine
  }
  const range = Math.max(most - least, 1e-9)
  for (let slot = 0; slot < slots; slot++) {
    if (excludedMask[slot] !== 0) continue
    const cosine = cosines === null ? NaN : cosines[slot]!
    into[slot] = cosine === cosine ? (cosine - least) / range : fromWords * words[slot]!
  }
}

/** clip(1 + log10(p / max p) / decades, 0, 1) of each touched passage. */
export function logScale({ slots, masses }: Walk, into: Float64Array, decades: number): void {
  let most = 0
  for (const mass of masses) if (mass > most) most = mass
  if (most === 0) return
  // Below it the logarithm is clipped, and need not be taken.
  const least = exp(-decades / LOG10_E) * (1 - 1e-6)
  for (let i = 0; i < slots.length; i++) {
    const part = masses[i]! / most
    if (part >= least) into[slots[i]!] = Math.min(1, Math.max(0, 1 + log10(part) / decades))
  }
}
