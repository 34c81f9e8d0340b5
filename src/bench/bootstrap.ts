/** Bootstrap intervals (Efron 1979), seeded. */
import { seededRandom } from '../vector/seeded_vectors.ts'

const ROUNDS = 2000
const SEED = 20_260

export interface Interval {
  readonly low: number
  readonly high: number
}

/** 95 % percentile interval of the mean; both ends 0 for no values. */
export function meanInterval(values: readonly number[], rounds = ROUNDS, seed = SEED): Interval {
  if (values.length === 0) return { low: 0, high: 0 }
  const next = seededRandom(seed),
    means = new Float64Array(rounds)
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(next() * values.length)]!
    means[round] = sum / values.length
  }
  means.sort()
  return {
    low: means[Math.floor(0.025 * (rounds - 1))]!,
    high: means[Math.ceil(0.975 * (rounds - 1))]!,
  }
}

export interface PairedDifference extends Interval {
  readonly mean: number
}

/** Mean of a - b over the same questions with its interval; whole questions are resampled. */
export function pairedDifference(a: readonly number[], b: readonly number[]): PairedDifference {
  const differences = a.map((value, i) => value - b[i]!)
  let sum = 0
  for (const difference of differences) sum += difference
  return {
    mean: differences.length > 0 ? sum / differences.length : 0,
    ...meanInterval(differences),
  }
}
