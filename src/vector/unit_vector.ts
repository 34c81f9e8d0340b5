/** Checks and normalises vectors at the border of the index. */
import { HubmeshError } from '../base/errors.ts'

/** How far a squared length may be from 1 to count as unit: a few roundings of f32. */
const UNIT_TOLERANCE = 3e-7

/**
 * The vector at unit length, in a fresh array. One that is unit already is kept component by
 * component, so that storing what `get` gave changes nothing. Throws `input/invalid` on another
 * length than `dims`, a component that is not a finite number, or a zero vector.
 */
export function toUnitVector(vector: ArrayLike<number>, dims: number): Float32Array {
  // Most are f32 and unit: one pass tells, as a component that is not finite shows in the sum.
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
  // Squares of very large or small components leave the range of doubles: scale first.
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
 * Cosine of two unit vectors in double, rounded once to f32, in [-1, 1]. Four independent sums of
 * every fourth component, added pair by pair: the order is part of the result.
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
  // Vectors come from models, archives and servers.
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
