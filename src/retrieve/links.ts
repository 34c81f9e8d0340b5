/** Owns the two ways from a good passage to one it leads to: by its title, and by a rare name it shares. Refuses: the walk. */
import { ln } from '../deterministic_math.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from './question.ts'
import type { RankingWeights } from './weights.ts'

/** Whether two slots are passages of one document: links lead to other documents. */
export type SameDocument = (a: number, b: number) => boolean

/** L: a passage's title is mentioned by one of the best passages; the value is that one's score relative to the best, in [0, 1]. */
export function titleLinks(best: readonly number[], scores: Float64Array, index: TextIndex, out: Uint8Array, same: SameDocument): Map<number, number> {
  const links = new Map<number, number>(), { graph } = index
  const top = Math.max(scores[best[0] ?? 0] ?? 0, 1e-9)
  for (const from of best) {
    const value = (scores[from] as number) / top
    const start = graph.mentions.offset(from), end = start + graph.mentions.length(from)
    for (let i = start; i < end; i++) {
      const name = (graph.mentions.data[i] as number) >>> 1
      const first = graph.titled.offset(name), last = first + graph.titled.length(name)
      for (let j = first; j < last; j++) {
        const to = graph.titled.data[j] as number
        if (out[to] === 0 && !same(from, to) && value > (links.get(to) ?? 0)) links.set(to, value)
      }
    }
  }
  return links
}

/**
 * X: a passage shares a rare name, not a seed, with one of the best and covers terms of the question which that one lacks; half value unless
 * the name is the passage's title. Divided by its maximum (at least .3), so in [0, 1].
 */
export function bridges(
  best: readonly number[], scores: Float64Array, question: Question, held: Int32Array, seeds: ReadonlySet<number>,
  index: TextIndex, out: Uint8Array, same: SameDocument, weights: RankingWeights,
): Map<number, number> {
  const found = new Map<number, number>(), { graph, lexical, size } = index
  if (question.distinct.length === 0) return found
  const idfs = question.distinct.slice(0, 31).map((term) => lexical.idf(term))
  const idfSum = idfs.reduce((a, b) => a + b, 0), top = Math.max(scores[best[0] ?? 0] ?? 0, 1e-9)
  const rare = Math.max(50, 0.005 * size), whole = ln(1 + size)
  let largest = 0
  for (const from of best) {
    const value = (scores[from] as number) / top, has = held[from] as number
    const start = graph.mentions.offset(from), end = start + graph.mentions.length(from)
    for (let i = start; i < end; i++) {
      const name = (graph.mentions.data[i] as number) >>> 1, df = graph.documentFrequency(name)
      if (df <= 1 || df > rare || seeds.has(name)) continue
      const rarity = ln(1 + size / df) / whole
      const first = graph.holders.offset(name), last = first + df
      for (let j = first; j < last; j++) {
        const holder = graph.holders.data[j] as number, to = holder >>> 1
        if (out[to] !== 0 || same(from, to)) continue
        let gained = (held[to] as number) & ~has, gain = 0
        for (let bit = 0; gained !== 0; bit++, gained >>>= 1) if (gained & 1) gain += idfs[bit] as number
        const bridge = value * rarity * (weights.bridgeFloor + gain / idfSum) * (holder & 1 ? 1 : 0.5)
        if (bridge > (found.get(to) ?? 0)) { found.set(to, bridge); if (bridge > largest) largest = bridge }
      }
    }
  }
  const scale = Math.max(largest, 0.3)
  for (const [slot, value] of found) found.set(slot, value / scale)
  return found
}
