/**
 * FNV-1a (Fowler, Noll, Vo) over UTF-16 units, as signed 32-bit numbers. No defence against chosen
 * collisions: tables filled from documents start from a random offset instead of FNV_OFFSET, or
 * place what they hold by `scatter`. Nothing that comes out may depend on either.
 */
export const FNV_OFFSET = 0x811c9dc5 | 0

/** One step of the hash: `hash` so far and the next unit. */
export function fnv1aStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

export function fnv1a(text: string, offset: number = FNV_OFFSET): number {
  let hash = offset
  for (let i = 0; i < text.length; i++) hash = fnv1aStep(hash, text.charCodeAt(i))
  return hash
}

/** Final mix of MurmurHash3: each bit of the input reaches all 32 of the result, unsigned. */
export function mix32(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Two random odd multipliers, unpredictable from outside, for one table. */
export type Multipliers = readonly [first: number, second: number]

export function randomMultipliers(): Multipliers {
  const [first, second] = crypto.getRandomValues(new Int32Array(2))
  return [first! | 1, second! | 1]
}

/**
 * Multiply-shift twice (Dietzfelbinger et al., A reliable randomized algorithm for the closest-pair
 * problem, 1997): one to one, and its upper bits say where a number lies in a table.
 */
export function scatter(value: number, [first, second]: Multipliers): number {
  const mixed = Math.imul(value ^ (value >>> 16), first)
  return Math.imul(mixed ^ (mixed >>> 15), second)
}
