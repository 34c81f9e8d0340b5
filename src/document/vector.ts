/** Copies a foreign list of numbers as a vector. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { describeValue, invalidField } from './metadata.ts'

/**
 * Copies `value`, a plain or typed array of numbers, into a new Float32Array. Throws
 * `input/invalid` where it is empty, holds a number that is not finite in 32 bits, is zero
 * throughout (it has no direction), or rests on shared or detached memory; `input/too-large` beyond
 * 8,192 components.
 */
export function copyVector(value: unknown, where: string): Float32Array {
  const refuse = (what: string, remedy: string): HubmeshError =>
    invalidField(where, 'vector', what, remedy)
  if (
    typeof value !== 'object' ||
    value === null ||
    (!Array.isArray(value) && !isTypedArray(value))
  )
    throw refuse(`is ${describeValue(value)}`, 'pass an array or a Float32Array')
  if (isTypedArray(value)) {
    if (Object.prototype.toString.call(value.buffer) === '[object SharedArrayBuffer]')
      throw refuse(
        'rests on a SharedArrayBuffer, which another thread may be writing',
        'pass a copy',
      )
    if (value.length === 0 && value.buffer.byteLength === 0)
      throw refuse(
        'is empty or its buffer was transferred away',
        'pass a vector whose buffer this side still owns',
      )
  }
  const source = value as ArrayLike<unknown>
  if (source.length === 0)
    throw refuse('is empty', 'pass its numbers, or leave the field out to have it embedded')
  if (source.length > LIMITS.vectorDims) {
    throw new HubmeshError(
      'input/too-large',
      `${where}: vector has ${source.length} components; at most ${LIMITS.vectorDims} are taken.`,
      { details: { field: 'vector', length: source.length, limit: LIMITS.vectorDims } },
    )
  }
  const out = new Float32Array(source.length)
  let zero = true
  for (let i = 0; i < out.length; i++) {
    const component = source[i]
    if (typeof component !== 'number')
      throw refuse(`component ${i} is ${describeValue(component)}`, 'pass numbers')
    out[i] = component
    if (!Number.isFinite(out[i]))
      throw refuse(
        `component ${i} is ${Number.isFinite(component) ? 'too large for 32 bits' : component}`,
        'pass finite numbers: one bad component would spoil every score',
      )
    if (out[i] !== 0) zero = false
  }
  if (zero)
    throw refuse(
      'is zero in every component, so it has no direction',
      'leave the field out to have it embedded',
    )
  return out
}

function isTypedArray(
  value: unknown,
): value is ArrayLike<unknown> & { readonly buffer: ArrayBufferLike } {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && 'length' in value
}
