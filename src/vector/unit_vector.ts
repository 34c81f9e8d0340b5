/**
 * Owns the check and the normalisation of a vector at the border of the index. Refuses: any vector
 * without a direction.
 */
import { HubmeshError } from '../base/errors.ts'

/**
 * How far a squared length may be from 1 for the vector to count as unit already: a few roundings
 * of f32, far below what a cosine shows.
 */
const UNIT_TOLERANCE = 3e-7

/**
 * The vector scaled to unit length, in a fresh array. One that is unit already (squared length
 * within 3e-7 of 1) is kept component by component, so that storing what `get` gave changes
 * nothing. Throws `input/invalid` on another length than `dims`, a component that is not a finite
 * number, or a zero vector.
 */
export function toUnitVector(vector: ArrayLike<number>, dims: number): Float32Array {
  // Most vectors are f32 and unit already: one pass finds that out, as a component that is not
  // finite shows in the sum.
  if (
    vector instanceof Float32Array &&
    vector.length === dims &&
    Math.abs(squaredLength(vector) - 1) <= UNIT_TOLERANCE
  )
    return vector.slice()
  checkVector(vector, dims)
  const unit = new Float32Array(dims)
  let squared = squaredLength(vector)
  if (Math.abs(squared - 1) <= UNIT_TOLERANCE && fitsFloat32(vector, dims)) {
    for (let i = 0; i < dims; i++) unit[i] = vector[i]!
    return unit
  }
  // Squares of very large or very small components leave the range of doubles: bring the largest to
  // 1 first.
  let scale = 1
  if (!(squared > 1e-200 && squared < 1e200)) {
    scale = largestComponent(vector)
    if (scale === 0)
      throw new HubmeshError(
        'input/invalid',
        'The vector is zero, so it has no direction and no cosine; leave it out or embed the text again.',
        { details: { dims } },
      )
    squared = 0
    for (let i = 0; i < dims; i++) squared += (vector[i]! / scale) ** 2
  }
  const norm = Math.sqrt(squared)
  for (let i = 0; i < dims; i++) unit[i] = vector[i]! / scale / norm
  return unit
}

/** Largest component without its sign. */
export function largestComponent(vector: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!))
  return largest
}

function squaredLength(vector: ArrayLike<number>): number {
  let squared = 0
  for (let i = 0; i < vector.length; i++) squared += vector[i]! * vector[i]!
  return squared
}

/**
 * Cosine of two unit vectors: products and sums in double, rounded once to f32 and held in [-1, 1].
 * Four sums of every fourth component, which do not wait for each other, added pair by pair: the
 * order is part of the result.
 */
export function cosineOfUnits(
  a: Float32Array,
  aStart: number,
  b: Float32Array,
  bStart: number,
  dims: number,
): number {
  let s = 0,
    t = 0,
    u = 0,
    v = 0,
    i = 0
  for (const whole = dims & ~3; i < whole; i += 4) {
    const p = aStart + i,
      q = bStart + i
    s += a[p]! * b[q]!
    t += a[p + 1]! * b[q + 1]!
    u += a[p + 2]! * b[q + 2]!
    v += a[p + 3]! * b[q + 3]!
  }
  for (; i < dims; i++) s += a[aStart + i]! * b[bStart + i]!
  const sum = s + t + (u + v)
  return Math.fround(sum > 1 ? 1 : sum < -1 ? -1 : sum)
}

function checkVector(vector: ArrayLike<number>, dims: number): void {
  // The type is what a caller promised; vectors come from models, archives and servers.
  const given: unknown = vector
  if (
    typeof given !== 'object' ||
    given === null ||
    typeof (given as { length?: unknown }).length !== 'number'
  ) {
    throw new HubmeshError(
      'input/invalid',
      `A vector must be an array of ${dims} numbers, not ${given === null ? 'null' : typeof given}.`,
      { details: { dims } },
    )
  }
  if (vector.length !== dims) {
    throw new HubmeshError(
      'input/invalid',
      `The vector has ${vector.length} components and the index ${dims}; vectors of different ` +
        'models cannot be compared.',
      { details: { dims, length: vector.length } },
    )
  }
  for (let i = 0; i < dims; i++) {
    const x: unknown = vector[i]
    if (typeof x !== 'number' || !Number.isFinite(x)) {
      throw new HubmeshError(
        'input/invalid',
        `Component ${i} of the vector is ${typeof x === 'number' ? String(x) : typeof x}; ` +
          'every component must be a finite number.',
        { details: { component: i } },
      )
    }
  }
}

function fitsFloat32(vector: ArrayLike<number>, dims: number): boolean {
  for (let i = 0; i < dims; i++) if (Math.fround(vector[i]!) !== vector[i]) return false
  return true
}
