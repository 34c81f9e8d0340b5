import { expect, it } from 'vitest'
import { exp, ln, log10, roundScore } from './math.ts'

it('ln and log10 agree with the engine to two ulps over all magnitudes', () => {
  for (let e = -300; e <= 300; e += 0.37) {
    const x = 10 ** e * (1 + Math.abs(Math.sin(e)))
    expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(
      4e-16 * Math.max(1, Math.abs(Math.log(x))),
    )
    expect(Math.abs(log10(x) - Math.log10(x))).toBeLessThanOrEqual(
      5e-16 * Math.max(1, Math.abs(Math.log10(x))),
    )
  }
})

it('ln knows its edges', () => {
  expect(ln(1)).toBe(0)
  expect(ln(0)).toBe(-Infinity)
  expect(ln(Infinity)).toBe(Infinity)
  expect(ln(-1)).toBeNaN()
  expect(ln(NaN)).toBeNaN()
  expect(ln(5e-324)).toBeCloseTo(Math.log(5e-324), 10)
})

it('ln gives these exact bits on every engine', () => {
  expect([ln(2), ln(10), ln(1 + 7580 / 3), log10(0.001), ln(0.7)]).toEqual([
    0.6931471805599453, 2.3025850929940455, 7.835051890032826, -3, -0.35667494393873245,
  ])
})

it('exp agrees with the engine to two ulps, and knows its edges', () => {
  for (let x = -700; x <= 709; x += 0.37)
    expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThanOrEqual(5e-16)
  expect([exp(0), exp(-Infinity), exp(Infinity), exp(-746), exp(710)]).toEqual([
    1,
    0,
    Infinity,
    0,
    Infinity,
  ])
  expect(exp(NaN)).toBeNaN()
})

it('exp gives these exact bits on every engine', () => {
  expect([exp(1), exp(-1), exp(0.5), exp(-20.25)]).toEqual([
    2.7182818284590455, 0.36787944117144233, 1.6487212707001282, 1.6052280551856116e-9,
  ])
})

it('scores are rounded to 1e-9', () => {
  expect(roundScore(0.12345678949)).toBe(0.123456789)
  expect(roundScore(-0.5)).toBe(-0.5)
})
