/**
 * Owns the default ranking: the order of its parts and their sum. Refuses: packing and documents.
 *
 * score = (1 - give * gate * articles) (meaning S + words B) + gate (graph G + articles title T +
 * bridge K) + articles openBridge K. S is the cosine, min-max over the corpus; B is BM25 over its
 * maximum; G is the walk's mass on a logarithmic scale, because on a linear one the second hop
 * vanishes; T says that a document is about a name in the question; K that a good passage's
 * sentence leads to it. In a corpus of no articles the first ranks are those of a gate that opens
 * less (head.ts).
 */
import { exp, log10, roundScore } from '../base/math.ts'
import type { PassageReader } from '../graph/passage_reader.ts'
import { Pusher, type Walk } from '../graph/push.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { ScoreContributions } from '../types.ts'
import { bridges, type DocumentOf, type Led } from './bridges.ts'
import { holdHead } from './head.ts'
import { readQuestion, type Question } from './question.ts'
import { selectBest, selectBestRounded } from './select.ts'
import {
  articleShare,
  gatesOf,
  questionNames,
  titleMatches,
  weighSeeds,
  type Gates,
  type Seed,
} from './seeds.ts'
import { Wordings } from './wordings.ts'
import { DEFAULT_WEIGHTS, type RankingWeights } from './weights.ts'

export interface RankRequest {
  readonly question: string
  /** Cosine of each slot, NaN where it has no vector; null in the text tier. */
  readonly cosines: Float32Array | null
  /**
   * 1 for slots that are not to be ranked: excluded, filtered out or empty. At least `slots` long.
   */
  readonly out: Uint8Array
  /** False where `out` marks empty slots alone, which no walk can reach. */
  readonly filtered?: boolean
  readonly slots: number
  /** Passages wanted, best first. */
  readonly count: number
  /** Names to start from besides the question's; numbers of the index. */
  readonly injected: readonly number[]
  /** Instead of the names found in the question. */
  readonly asked?: readonly number[]
  readonly documentOf: DocumentOf
  /** Only the best are read, and what stands behind them where they are copies of each other. */
  readonly reader: PassageReader
  /** Order of slots with equal scores. */
  readonly compare: (a: number, b: number) => number
}

export interface RankedSlot {
  readonly slot: number
  readonly score: number
  readonly contributions: ScoreContributions
  readonly cosine: number | null
}

export interface Ranking {
  readonly question: Question
  readonly ranked: readonly RankedSlot[]
  /**
   * Further passages, for packing: as many as ranked ones say what a better one says, so that a
   * text under a thousand ids takes one place.
   */
  readonly spare?: readonly RankedSlot[]
  readonly seeds: readonly Seed[]
  readonly gate: number
  readonly walk: Walk | null
  /** Passages that walk, titles and bridges put forward. */
  readonly candidates: number
}

const MAX_WALK_EDGES = 2_000_000
/** log10(e). */
const LOG10_E = 0.4342944819032518

export class Ranker {
  private readonly pusher: Pusher
  private words = new Float64Array(0)
  private meaning = new Float64Array(0)
  private graph = new Float64Array(0)
  private scores = new Float64Array(0)
  private trial = new Float64Array(0)
  private held = new Int32Array(0)
  private led: Led = { values: new Float64Array(0), slots: new Int32Array(0), count: 0 }

  constructor(
    private readonly index: TextIndex,
    private readonly weights: RankingWeights = DEFAULT_WEIGHTS,
  ) {
    this.pusher = new Pusher(index.graph)
  }

  rank(request: RankRequest): Ranking {
    const { index, weights } = this,
      { out, slots, cosines, compare } = request
    this.clear(slots)
    const question = readQuestion(request.question, index, weights.nearNames)
    index.lexical.score(question.terms, this.words, this.held)
    overMaximum(this.words, slots, out)
    fillMeaning(cosines, this.meaning, this.words, slots, out, weights.meaningFromWords)

    const found = request.asked
      ? { spelt: request.asked, fuzzy: [] }
      : questionNames(question, index)
    const seeds = weighSeeds(request.injected, found.spelt, found.fuzzy, index),
      names = seeds.map((seed) => seed.name)
    const gates =
        request.injected.length > 0
          ? { head: 1, rest: 1 }
          : gatesOf(question, names, index, weights),
      gate = gates.rest
    const walk =
      seeds.length === 0 || gate === 0
        ? null
        : this.pusher.walk(seeds, {
            alpha: weights.alpha,
            epsilon: weights.epsilon,
            maxEdges: MAX_WALK_EDGES,
            excluded: request.filtered === false ? null : out,
          })
    if (walk) decades(walk, this.graph, weights.decades)
    const titles =
      gate === 0 ? new Map<number, number>() : titleMatches(names, index, out, request.documentOf)

    const { scores } = this,
      articles = articleShare(index, weights),
      kept = 1 - weights.give * gate * articles,
      titleWeight = gate * weights.title * articles
    for (let slot = 0; slot < slots; slot++) {
      scores[slot] =
        kept *
          (weights.meaning * (this.meaning[slot] as number) +
            weights.words * (this.words[slot] as number)) +
        gate * weights.graph * (this.graph[slot] as number)
    }
    for (const [slot, value] of titles)
      scores[slot] = (scores[slot] as number) + titleWeight * value
    const bridgeWeight = gate * weights.bridge + articles * weights.openBridge
    const { led } = this
    if (bridgeWeight !== 0) {
      const best = selectBest(scores, slots, weights.bridgeFrom, out, compare)
      bridges(
        {
          best,
          scores,
          question,
          out,
          held: this.held,
          seeds: new Set(names),
          documentOf: request.documentOf,
          reader: request.reader,
        },
        led,
        index,
        weights,
      )
    }
    addLed(scores, led, bridgeWeight)
    const head = gates.head === gates.rest ? [] : this.headOf(gates, led, slots, out, compare)

    const best = selectBestRounded(scores, slots, request.count + head.length, out, compare)
    for (const slot of head) scores[slot] = roundScore(scores[slot] as number)
    const held = holdHead(head, best, scores, request.count),
      spare = spareOf(
        held.map(({ slot }) => slot),
        scores,
        request,
      ).map((slot) => ({ slot, score: scores[slot] as number }))
    const shown = ({
      slot,
      score,
    }: {
      readonly slot: number
      readonly score: number
    }): RankedSlot => {
      const graph = gate * weights.graph * (this.graph[slot] as number),
        bridge = bridgeWeight * (led.values[slot] as number)
      // What the head presses down is the graph's part alone.
      const left =
        score === scores[slot]
          ? 1
          : Math.max(0, 1 - ((scores[slot] as number) - score) / (graph + bridge))
      return {
        slot,
        score,
        cosine:
          cosines && !Number.isNaN(cosines[slot] as number) ? (cosines[slot] as number) : null,
        contributions: {
          meaning: cosines ? kept * weights.meaning * (this.meaning[slot] as number) : 0,
          words:
            kept *
            (weights.words * (this.words[slot] as number) +
              (cosines ? 0 : weights.meaning * (this.meaning[slot] as number))),
          graph: left * graph,
          title: titleWeight * (titles.get(slot) ?? 0),
          bridge: left * bridge,
        },
      }
    }
    return {
      question,
      ranked: held.map(shown),
      spare: spare.map(shown),
      seeds,
      gate,
      walk,
      candidates: (walk?.slots.length ?? 0) + titles.size + led.count,
    }
  }

  /**
   * Who stands first when the graph counts as little as the head's gate lets it. `scores` holds
   * those of the other gate, unrounded, and does so afterwards.
   */
  private headOf(
    gates: Gates,
    led: Led,
    slots: number,
    out: Uint8Array,
    compare: (a: number, b: number) => number,
  ): number[] {
    const { weights, scores, trial } = this,
      less = gates.rest - gates.head
    for (let slot = 0; slot < slots; slot++)
      trial[slot] = (scores[slot] as number) - less * weights.graph * (this.graph[slot] as number)
    addLed(trial, led, -(less * weights.bridge))
    return selectBestRounded(trial, slots, weights.headRanks, out, compare)
  }

  private clear(slots: number): void {
    if (slots > this.words.length) {
      const size = Math.ceil(slots * 1.25)
      this.words = new Float64Array(size)
      this.meaning = new Float64Array(size)
      this.graph = new Float64Array(size)
      this.scores = new Float64Array(size)
      this.trial = new Float64Array(size)
      this.held = new Int32Array(size)
      this.led = { values: new Float64Array(size), slots: new Int32Array(size), count: 0 }
      return
    }
    this.words.fill(0)
    this.meaning.fill(0)
    this.graph.fill(0)
    this.held.fill(0)
    const { led } = this
    for (let i = 0; i < led.count; i++) led.values[led.slots[i] as number] = 0
    led.count = 0
  }
}

function addLed(scores: Float64Array, { slots, values, count }: Led, weight: number): void {
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    scores[slot] = (scores[slot] as number) + weight * (values[slot] as number)
  }
}

/**
 * Passages looked at for others than copies, at most: a thousand copies for each source, and one
 * heap of a pass.
 */
const COPIES_DEPTH = 16_384

/**
 * The best slots behind the ranked ones that say something else, as many as ranked ones repeat
 * another; none where none does.
 */
function spareOf(
  ranked: readonly number[],
  scores: Float64Array,
  { slots, out, compare, reader }: RankRequest,
): number[] {
  const said = new Wordings(),
    taken = new Set(ranked),
    spare: number[] = []
  const copies = ranked.filter((slot) => !said.add(reader.textOf(slot))).length
  for (let depth = 4 * ranked.length; spare.length < copies; depth *= 4) {
    const most = Math.min(depth, COPIES_DEPTH),
      deeper = selectBestRounded(scores, slots, most, out, compare)
    for (const slot of deeper) {
      if (taken.has(slot) || spare.length === copies) continue
      taken.add(slot)
      if (said.add(reader.textOf(slot))) spare.push(slot)
    }
    if (deeper.length < most || most === COPIES_DEPTH) break
  }
  return spare
}

function overMaximum(values: Float64Array, slots: number, out: Uint8Array): void {
  let largest = 0
  for (let slot = 0; slot < slots; slot++) {
    if (out[slot] !== 0) values[slot] = 0
    else if ((values[slot] as number) > largest) largest = values[slot] as number
  }
  if (largest === 0) return
  for (let slot = 0; slot < slots; slot++) values[slot] = (values[slot] as number) / largest
}

/**
 * Min-max of the cosines; a passage without a vector takes its part from its words, and neither
 * sinks nor floats while vectors stream in.
 */
function fillMeaning(
  cosines: Float32Array | null,
  into: Float64Array,
  words: Float64Array,
  slots: number,
  out: Uint8Array,
  fromWords: number,
): void {
  if (cosines === null) {
    for (let slot = 0; slot < slots; slot++)
      if (out[slot] === 0) into[slot] = fromWords * (words[slot] as number)
    return
  }
  let least = 2,
    most = -2 // beyond any cosine
  for (let slot = 0; slot < slots; slot++) {
    const cosine = cosines[slot] as number // NaN is neither below nor above
    if (out[slot] !== 0) continue
    if (cosine < least) least = cosine
    if (cosine > most) most = cosine
  }
  const range = Math.max(most - least, 1e-9)
  for (let slot = 0; slot < slots; slot++) {
    if (out[slot] !== 0) continue
    const cosine = cosines[slot] as number
    into[slot] = cosine === cosine ? (cosine - least) / range : fromWords * (words[slot] as number)
  }
}

/** clip(1 + log10(p / max p) / decades, 0, 1) of each touched passage. */
function decades({ slots, masses }: Walk, into: Float64Array, count: number): void {
  let most = 0
  for (const mass of masses) if (mass > most) most = mass
  if (most === 0) return
  // below it the logarithm is clipped, and need not be taken
  const least = exp(-count / LOG10_E) * (1 - 1e-6)
  for (let i = 0; i < slots.length; i++) {
    const part = (masses[i] as number) / most
    if (part >= least) into[slots[i] as number] = Math.min(1, Math.max(0, 1 + log10(part) / count))
  }
}
