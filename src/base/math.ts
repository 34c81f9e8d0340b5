/**
 * Functions of real numbers whose last bit may decide an order. Math.log and Math.log10 may differ
 * between engines in the last bit; only + - * / are used here, which IEEE 754 fixes to the bit.
 */

const words = new DataView(new ArrayBuffer(8))

/**
 * Natural logarithm of a finite x > 0, to about 1 ulp: x = m * 2^e with m in [sqrt(1/2), sqrt(2)),
 * and ln m = 2 artanh((m - 1) / (m + 1)) by its series (Abramowitz & Stegun 4.1.27).
 */
export function ln(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x === Infinity ? Infinity : NaN
  let exponent = 0
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984
    exponent = -54
  } // subnormal: scale by 2^54
  words.setFloat64(0, x)
  const high = words.getUint32(0)
  exponent += ((high >>> 20) & 0x7ff) - 1023
  words.setUint32(0, (high & 0x000fffff) | 0x3ff00000)
  let m = words.getFloat64(0)
  if (m > 1.4142135623730951) {
    m /= 2
    exponent++
  }
  const s = (m - 1) / (m + 1),
    z = s * s
  let series = 0
  // z <= .0295: eleven terms reach 2^-53
  for (let k = 23; k >= 3; k -= 2) series = (series + 1 / k) * z
  return exponent * 0.6931471805599453 + 2 * (s + s * series)
}

/** Decimal logarithm of a finite x > 0. */
export function log10(x: number): number {
  return ln(x) * 0.4342944819032518
}

/**
 * e^x to about 1 ulp (fewer digits below 1e-307, where doubles have fewer), 0 below -745.13 and
 * Infinity above 709.78: x = k ln 2 + r with |r| <= ln 2 / 2, and e^r by its series (Abramowitz &
 * Stegun 4.2.1).
 */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019412) return 0
  const k = Math.round(x * 1.4426950408889634)
  // ln 2 in two parts: k times the first is exact
  const r = x - k * 0.6931471803691238 - k * 1.9082149292705877e-10
  let series = 1
  // |r| <= .347: the rest is below 2^-53
  for (let n = 14; n >= 1; n--) series = 1 + (series * r) / n
  for (let i = 0; i < k; i++) series *= 2 // exact, so that no engine's power function is asked
  for (let i = 0; i > k; i--) series /= 2
  return series
}

/** Rounds a score to 1e-9, the grain at which scores are returned and compared. */
export function roundScore(x: number): number {
  return Math.round(x * 1e9) / 1e9
}
