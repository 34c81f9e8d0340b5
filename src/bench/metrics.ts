/** Metrics of one ranking. */

/** Depths of recall, and of "all gold passages found". */
export const RECALL_AT = [2, 5, 10, 20] as const
export const ALL_GOLD_AT = [5, 10] as const
export const NDCG_AT = 10

/** Passage id -> number of its text: passages with the same text are one. */
export type TextClasses = ReadonlyMap<string, number>

export function textClasses(
  passages: readonly { readonly id: string; readonly text: string }[],
): TextClasses {
  const numbers = new Map<string, number>()
  return new Map(
    passages.map(({ id, text }) => {
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return [id, number]
    }),
  )
}

export interface QuestionMetrics {
  /** Share of the gold texts among the first k, by position in RECALL_AT. */
  readonly recall: readonly number[]
  /** 1 where all gold texts are among the first k, by position in ALL_GOLD_AT. */
  readonly allGold: readonly number[]
  /** 1 / rank of the first gold text, 0 where none is ranked. */
  readonly reciprocalRank: number
  /** Normalized discounted cumulative gain at 10, gains 0 and 1 (Järvelin & Kekäläinen 2002). */
  readonly ndcg: number
}

/** `ranked` best first; a passage with the text of a gold one counts as it, once. */
export function questionMetrics(
  ranked: readonly string[],
  gold: readonly string[],
  classes: TextClasses,
): QuestionMetrics {
  const wanted = new Set(gold.map((id) => classes.get(id)))
  const ranks: number[] = [],
    found = new Set<number>()
  for (const [i, id] of ranked.entries()) {
    const number = classes.get(id)
    if (number === undefined || !wanted.has(number) || found.has(number)) continue
    found.add(number)
    ranks.push(i + 1)
  }
  const within = (k: number): number => ranks.filter((rank) => rank <= k).length
  let gain = 0,
    ideal = 0
  for (const rank of ranks) if (rank <= NDCG_AT) gain += 1 / Math.log2(1 + rank)
  for (let i = 1; i <= Math.min(NDCG_AT, wanted.size); i++) ideal += 1 / Math.log2(1 + i)
  return {
    recall: RECALL_AT.map((k) => within(k) / wanted.size),
    allGold: ALL_GOLD_AT.map((k) => (within(k) === wanted.size ? 1 : 0)),
    reciprocalRank: ranks.length > 0 ? 1 / ranks[0]! : 0,
    ndcg: gain / ideal,
  }
}

export function mean(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return values.length > 0 ? sum / values.length : 0
}

/** Nearest-rank percentile, `share` in [0, 1]. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!
}
