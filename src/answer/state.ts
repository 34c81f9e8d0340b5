/** How likely the documents hold an answer, and the state that follows: logistic, by tier. */
import { exp } from '../base/math.ts'
import type { Answer, Tier } from '../types.ts'
import { CALIBRATION } from './calibration.ts'
import type { Signals, TierCalibration } from './calibration_types.ts'

export type { Signals } from './calibration_types.ts'

/** In [0, 1]. */
export function confidenceOf(signals: Signals, { constant, weights }: TierCalibration): number {
  let z = constant
  for (const signal of Object.keys(weights) as (keyof Signals)[])
    z += weights[signal] * signals[signal]
  return 1 / (1 + exp(-z))
}

export function stateOf(confidence: number, tier: Tier): Answer['state'] {
  const { none, found } = CALIBRATION[tier]
  return confidence < none ? 'none' : confidence < found ? 'unsure' : 'found'
}
