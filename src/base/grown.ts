/** Growable typed arrays: the owner keeps the plain array, which hot loops read without a call. */

export type NumberArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/**
 * The array itself where it has `length` places, else a copy with half as many again, so that
 * appending takes amortised constant time. New places hold `fill`.
 */
export function grown<T extends NumberArray>(array: T, length: number, fill = 0): T {
  if (length <= array.length) return array
  const next = new (array.constructor as new (length: number) => T)(
    Math.max(length, Math.ceil(array.length * 1.5)),
  )
  next.set(array)
  if (fill !== 0) next.fill(fill, array.length)
  return next
}

/**
 * Adds all values to the end of a list. Not by spreading them into `push`: arguments lie on the
 * stack, which ends at some hundred thousand.
 */
export function append<T>(to: T[], values: Iterable<T>): void {
  for (const value of values) to.push(value)
}
