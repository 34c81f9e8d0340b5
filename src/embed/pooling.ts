/** From token states to one unit vector, in double precision and a fixed order. */
import { HubmeshError } from '../base/errors.ts'

/**
 * The mean of `tokens` rows of `dims` states (row-major), or the first row for `cls`, at unit
 * length. Throws `model/incompatible` when the states are of another size, not finite, or zero.
 */
export function pool(
  states: ArrayLike<number>,
  tokens: number,
  dims: number,
  pooling: 'mean' | 'cls',
): Float32Array {
  if (tokens < 1 || states.length !== tokens * dims) {
    throw new HubmeshError(
      'model/incompatible',
      `The model answered ${states.length} numbers for ${tokens} tokens of ${dims} dimensions. ` +
        'The manifest does not describe this model.',
      { details: { numbers: states.length, tokens, dims } },
    )
  }
  const sums = new Float64Array(dims)
  const rows = pooling === 'cls' ? 1 : tokens
  for (let row = 0, at = 0; row < rows; row++) {
    for (let d = 0; d < dims; d++) sums[d] = sums[d]! + states[at++]!
  }
  return unit(sums)
}

/** Throws `model/incompatible` when it is not finite or zero. */
export function unit(vector: ArrayLike<number>): Float32Array {
  let square = 0
  for (let d = 0; d < vector.length; d++) square += vector[d]! * vector[d]!
  const length = Math.sqrt(square)
  if (!(length > 0 && length < Infinity)) {
    throw new HubmeshError(
      'model/incompatible',
      `The model answered a vector of length ${length}, which has no direction. The passage keeps no vector.`,
    )
  }
  const scaled = new Float32Array(vector.length)
  for (let d = 0; d < vector.length; d++) scaled[d] = vector[d]! / length
  return scaled
}

/** `dims` finite components, length 1 within 1e-3. */
export function isUnitVector(value: unknown, dims: number): value is Float32Array {
  if (!(value instanceof Float32Array) || value.length !== dims) return false
  let square = 0
  for (const x of value) square += x * x
  return Math.abs(Math.sqrt(square) - 1) < 1e-3
}
