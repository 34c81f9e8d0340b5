/** Logistic regression by Newton-free gradient steps (Adam), and the area under the ROC curve. */

export interface Labelled {
  readonly features: readonly number[]
  readonly label: 0 | 1
  readonly weight: number
}

/** Weights of the features, the constant last. Same rows, same weights. */
export function fitLogistic(rows: readonly Labelled[], l2 = 0.002, rounds = 1500): number[] {
  const n = rows[0]!.features.length,
    weights = new Float64Array(n + 1),
    first = new Float64Array(n + 1),
    second = new Float64Array(n + 1),
    total = rows.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 1; round <= rounds; round++) {
    const gradient = new Float64Array(n + 1)
    for (const { features, label, weight } of rows) {
      const error = weight * (label - probability(weights, features))
      for (let i = 0; i < n; i++) gradient[i]! += error * features[i]!
      gradient[n]! += error
    }
    for (let i = 0; i <= n; i++) {
      const g = gradient[i]! / total - (i < n ? l2 * weights[i]! : 0)
      first[i] = 0.9 * first[i]! + 0.1 * g
      second[i] = 0.999 * second[i]! + 0.001 * g * g
      weights[i]! +=
        (0.03 * (first[i]! / (1 - 0.9 ** round))) /
        (Math.sqrt(second[i]! / (1 - 0.999 ** round)) + 1e-8)
    }
  }
  return [...weights]
}

export function probability(weights: ArrayLike<number>, features: readonly number[]): number {
  let z = weights[features.length]!
  for (let i = 0; i < features.length; i++) z += weights[i]! * features[i]!
  return 1 / (1 + Math.exp(-z))
}

/** Probability that a value of `high` is above one of `low`, ties half. */
export function auroc(high: readonly number[], low: readonly number[]): number {
  const all = [
    ...high.map((value) => ({ value, high: true })),
    ...low.map((value) => ({ value, high: false })),
  ].sort((a, b) => a.value - b.value)
  let sum = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]!.value === all[from]!.value) to++
    for (let i = from; i < to; i++) if (all[i]!.high) sum += (from + to + 1) / 2
    from = to
  }
  return (sum - (high.length * (high.length + 1)) / 2) / Math.max(1, high.length * low.length)
}

/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
