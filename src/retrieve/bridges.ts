/**
 * Owns the way from a good passage to one it leads to. Refuses: the walk, which knows nothing of
 * the question's words.
 *
 * A second hop is seldom worded as the question is. What tells it is the sentence that leads there:
 * it holds terms of the question beside a name, and the passage about that name, or one that shares
 * it, has terms of the question that the first passage lacks.
 */
import { ln } from '../base/math.ts'
import type { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from './question.ts'
import type { RankingWeights } from './weights.ts'

/**
 * What is led to: values by slot, and the slots that have one. Work arrays of the caller, all zeros
 * before and to be made so again after use.
 */
export interface Led {
  readonly values: Float64Array
  readonly slots: Int32Array
  count: number
}

/** Something that is the same for all passages of a document and for them only. */
export type DocumentOf = (slot: number) => unknown

export interface BridgeRequest {
  /** The best passages so far, best first, with their scores by slot. */
  readonly best: readonly number[]
  readonly scores: Float64Array
  readonly question: Question
  /** Bit j of a slot: it has the j-th distinct term of the question. */
  readonly held: Int32Array
  readonly seeds: ReadonlySet<number>
  readonly out: Uint8Array
  readonly documentOf: DocumentOf
  readonly reader: PassageReader
}

/** Fills `led` with K of each passage that is led to, in [0, 1]. */
export function bridges(
  request: BridgeRequest,
  led: Led,
  index: TextIndex,
  weights: RankingWeights,
): void {
  const { best, scores, question, held, seeds, out, documentOf } = request,
    { graph, lexical, size } = index,
    { values, slots } = led
  const terms = question.distinct.slice(0, 31),
    idfs = terms.map((term) => lexical.idf(term)),
    total = idfs.reduce((a, b) => a + b, 0)
  if (total === 0 || best.length === 0) return
  const bits = new Map(terms.map((term, bit) => [term, 1 << bit]))
  // thousands of passages are looked at, but few sets of terms occur
  const shares = new Map<number, number>()
  const share = (mask: number): number => {
    const known = shares.get(mask)
    if (known !== undefined) return known
    let sum = 0
    for (let bit = 0, left = mask; left !== 0; bit++, left >>>= 1)
      if (left & 1) sum += idfs[bit] as number
    shares.set(mask, sum / total)
    return sum / total
  }
  const top = Math.max(scores[best[0] as number] as number, 1e-9),
    rare = Math.max(weights.rarePassages, weights.rareShare * size),
    whole = ln(1 + size)
  let largest = 0
  for (const from of best) {
    const value = Math.max(scores[from] as number, 0) / top,
      has = held[from] as number,
      about = index.aboutOf(from),
      own = documentOf(from),
      floor = weights.bridgeFloor
    const lead = (to: number, worth: number): void => {
      const before = values[to] as number
      if (worth * (floor + 1) <= before || out[to] !== 0) return
      const bridge = worth * (floor + share((held[to] as number) & ~has))
      if (bridge <= before || documentOf(to) === own) return
      if (before === 0) slots[led.count++] = to
      values[to] = bridge
      if (bridge > largest) largest = bridge
    }
    for (const [name, mask] of nearestTerms(from, about, request, index, bits)) {
      if (seeds.has(name) || name === about) continue
      const df = graph.documentFrequency(name)
      if (df === 0) continue
      const worth = value * (ln(1 + size / df) / whole) * (weights.bridgeSentence + share(mask))
      if (df <= rare) {
        const first = graph.holders.offset(name),
          { data } = graph.holders,
          plain = worth * weights.bridgePlain
        for (let i = first; i < first + df; i++) {
          const holder = data[i] as number
          lead(holder >>> 1, holder & 1 ? worth : plain)
        }
      } else {
        const first = graph.titled.offset(name),
          last = first + graph.titled.length(name),
          { data } = graph.titled
        for (let i = first; i < last; i++) lead(data[i] as number, worth)
      }
    }
  }
  const scale = Math.max(largest, weights.bridgeScale)
  for (let i = 0; i < led.count; i++)
    values[slots[i] as number] = (values[slots[i] as number] as number) / scale
}

/**
 * For each name in a passage, the question's terms in the sentence around it that has most of them;
 * what the passage is about counts as said in each.
 */
function nearestTerms(
  slot: number,
  about: number,
  { reader }: BridgeRequest,
  index: TextIndex,
  bits: ReadonlyMap<number, number>,
): Map<number, number> {
  const near = new Map<number, number>(),
    weights = new Map<number, number>()
  let head = 0
  if (about >= 0)
    for (const word of index.merges
      .members(about)
      .flatMap((name) => index.gazetteer.trie.wordsOf(name)))
      head |= bits.get(index.vocabulary.termOf(word)) ?? 0
  reader.visitSentences(slot, bits, (terms, names, count) => {
    const mask = head | terms
    let weight = 0
    for (const [term, bit] of bits) if (mask & bit) weight += index.lexical.idf(term)
    for (let i = 0; i < count; i++) {
      const name = names[i] as number
      if (weight > (weights.get(name) ?? -1)) {
        near.set(name, mask)
        weights.set(name, weight)
      }
    }
  })
  return near
}
