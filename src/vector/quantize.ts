/** 8-bit rows, 16-bit queries, and the error bound of their products. */
import { largestComponent } from './unit_vector.ts'

export interface QuantizedRow {
  /** `component ≈ value * scale`. */
  readonly scale: number
  /** Euclidean length of the rounding error. */
  readonly residual: number
}

export interface QuantizedQuery extends QuantizedRow {
  readonly values: Int16Array
}

const ROW_MAX = 127

/** Padded to a multiple of 16: the kernel reads 16 bytes a step. */
export function paddedWidth(dims: number): number {
  return Math.ceil(dims / 16) * 16
}

/** Symmetric 8-bit quantization with a scale for each row; writes `dims` values at `start`. */
export function quantizeRow(unit: Float32Array, target: Int8Array, start: number): QuantizedRow {
  const scale = largestComponent(unit) / ROW_MAX
  let lost = 0
  for (let i = 0; i < unit.length; i++) {
    const value = Math.round(unit[i]! / scale)
    target[start + i] = value
    const error = unit[i]! - value * scale
    lost += error * error
  }
  return { scale, residual: Math.sqrt(lost) }
}

/**
 * A query gets 16 bits, as the kernel multiplies 16 by 16 bits anyway. The limit keeps the sum of a
 * row inside int32: width * 127 * limit < 2^31.
 */
export function quantizeQuery(unit: Float32Array): QuantizedQuery {
  const width = paddedWidth(unit.length)
  const limit = Math.min(32767, Math.floor((2 ** 31 - 1) / (ROW_MAX * width)))
  const scale = largestComponent(unit) / limit
  const values = new Int16Array(width)
  let lost = 0
  for (let i = 0; i < unit.length; i++) {
    const value = Math.round(unit[i]! / scale)
    values[i] = value
    const error = unit[i]! - value * scale
    lost += error * error
  }
  return { values, scale, residual: Math.sqrt(lost) }
}

/**
 * How far the product of the quantized forms may be from the cosine of the unit vectors q and r.
 * From q·r - q'·r' = (q - q')·r + q'·(r - r') and Cauchy-Schwarz: |q - q'||r| + |q'||r - r'|; the
 * rest covers f32 rounding.
 */
export function productError(queryResidual: number, rowResidual: number): number {
  return (queryResidual + (1 + queryResidual) * rowResidual) * (1 + 1e-6) + 1e-6
}
