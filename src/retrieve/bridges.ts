/**
 * Bridges: the way from a good passage to one it leads to.
 *
 * A second hop is seldom worded as the question is. What tells it is the sentence that leads there:
 * it holds terms of the question beside a name, and the passage about that name, or one that shares
 * it, has terms of the question that the first passage lacks.
 */
import { ln } from '../base/math.ts'
import type { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from './question.ts'
import { TermSets } from './term_sets.ts'
import type { RankingWeights } from './weights.ts'

/** Values by slot, with the slots that have one. */
export class BridgeScores {
  readonly values: Float64Array
  private readonly slots: Int32Array
  count = 0
  private largest = 0

  constructor(size: number) {
    this.values = new Float64Array(size)
    this.slots = new Int32Array(size)
  }

  /** Keeps the larger of the values of a slot. */
  raise(slot: number, value: number): void {
    const before = this.values[slot]!
    if (value <= before) return
    if (before === 0) this.slots[this.count++] = slot
    this.values[slot] = value
    if (value > this.largest) this.largest = value
  }

  /** Divides all by the largest, or by `least` where that is more. */
  normalize(least: number): void {
    const scale = Math.max(this.largest, least)
    for (let i = 0; i < this.count; i++) {
      const slot = this.slots[i]!
      this.values[slot] = this.values[slot]! / scale
    }
  }

  addTo(scores: Float64Array, weight: number): void {
    const { slots, values, count } = this
    for (let i = 0; i < count; i++) {
      const slot = slots[i]!
      scores[slot] = scores[slot]! + weight * values[slot]!
    }
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.values[this.slots[i]!] = 0
    this.count = 0
    this.largest = 0
  }
}

/** Something that is the same for all passages of a document and for them only. */
export type DocumentOf = (slot: number) => unknown

export interface BridgeRequest {
  /** The best passages so far, best first, with their scores by slot. */
  readonly best: readonly number[]
  readonly scores: Float64Array
  readonly question: Question
  /** Bit j of a slot: it has the j-th distinct term of the question. */
  readonly termMask: Int32Array
  readonly seeds: ReadonlySet<number>
  readonly excludedMask: Uint8Array
  readonly documentOf: DocumentOf
  readonly reader: PassageReader
}

/** Fills `into` with K of each passage that is led to, in [0, 1]. */
export function bridges(
  request: BridgeRequest,
  into: BridgeScores,
  index: TextIndex,
  weights: RankingWeights,
): void {
  const { best, scores, question, termMask, seeds, excludedMask, documentOf } = request,
    { graph, size } = index,
    { bridgeFloor: floor } = weights,
    sets = new TermSets(question, index)
  if (sets.total === 0 || best.length === 0) return
  const top = Math.max(scores[best[0]!]!, 1e-9),
    rare = Math.max(weights.rarePassages, weights.rareShare * size),
    whole = ln(1 + size)
  for (const from of best) {
    const value = Math.max(scores[from]!, 0) / top,
      has = termMask[from]!,
      about = index.aboutOf(from),
      own = documentOf(from)
    const bridge = (to: number, worth: number): void => {
      if (worth * (floor + 1) <= into.values[to]! || excludedMask[to] !== 0) return
      const bridged = worth * (floor + sets.share(termMask[to]! & ~has))
      if (bridged > into.values[to]! && documentOf(to) !== own) into.raise(to, bridged)
    }
    for (const [name, mask] of nearestTerms(from, about, request.reader, index, sets)) {
      if (seeds.has(name) || name === about) continue
      const df = graph.documentFrequency(name)
      if (df === 0) continue
      const worth =
        value * (ln(1 + size / df) / whole) * (weights.bridgeSentence + sets.share(mask))
      if (df <= rare)
        forEachHolder(name, index, (to, isAbout) => {
          bridge(to, isAbout ? worth : worth * weights.bridgePlain)
        })
      else
        for (const to of graph.titled.data.subarray(
          graph.titled.offset(name),
          graph.titled.offset(name) + graph.titled.length(name),
        ))
          bridge(to, worth)
    }
  }
  into.normalize(weights.bridgeScale)
}

/** Passages that mention a name, and whether they are about it. */
function forEachHolder(
  name: number,
  { graph: { holders } }: TextIndex,
  visit: (slot: number, isAbout: boolean) => void,
): void {
  const first = holders.offset(name),
    last = first + holders.length(name)
  for (let i = first; i < last; i++) {
    const holder = holders.data[i]!
    visit(holder >>> 1, (holder & 1) === 1)
  }
}

/**
 * For each name in a passage, the question's terms in the sentence around it that has most of them;
 * what the passage is about counts as said in each.
 */
function nearestTerms(
  slot: number,
  about: number,
  reader: PassageReader,
  index: TextIndex,
  sets: TermSets,
): Map<number, number> {
  const near = new Map<number, number>(),
    weights = new Map<number, number>()
  let head = 0
  if (about >= 0)
    for (const word of index.merges
      .members(about)
      .flatMap((name) => index.gazetteer.trie.wordsOf(name)))
      head |= sets.bits.get(index.vocabulary.termOf(word)) ?? 0
  reader.visitSentences(slot, sets.bits, (terms, names, count) => {
    const mask = head | terms,
      weight = sets.weight(mask)
    for (let i = 0; i < count; i++) {
      const name = names[i]!
      if (weight > (weights.get(name) ?? -1)) {
        near.set(name, mask)
        weights.set(name, weight)
      }
    }
  })
  return near
}
