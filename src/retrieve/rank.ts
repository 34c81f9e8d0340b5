/**
 * The default ranking: the order of its parts and their sum.
 *
 * score = (1 - give * gate * articles) (meaning S + words B) + gate (graph G + articles title T +
 * bridge K) + articles openBridge K. S is the cosine, min-max over the corpus; B is BM25 over its
 * maximum; G is the walk's mass on a logarithmic scale, because on a linear one the second hop
 * vanishes; T says that a document is about a name in the question; K that a good passage's
 * sentence leads to it. Where documents are no articles about names, a stricter gate decides the
 * first ranks (head.ts).
 */
import { roundScore } from '../base/math.ts'
import type { PassageReader } from '../graph/passage_reader.ts'
import { Pusher, type Walk } from '../graph/push.ts'
import type { Language } from '../lexical/languages.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { ScoreContributions } from '../types.ts'
import { bridges, BridgeScores, type DocumentOf } from './bridges.ts'
import { holdHead, type HeldSlot } from './head.ts'
import { fillMeaning, logScale, overMaximum } from './parts.ts'
import { readQuestion, type Question } from './question.ts'
import { questionNames, type Doubt, type QuestionNames } from './question_names.ts'
import { selectBest, selectBestRounded } from './select.ts'
import { articleShare, gatesOf, titleMatches, weighSeeds, type Gates, type Seed } from './seeds.ts'
import { DEFAULT_WEIGHTS, type RankingWeights } from './weights.ts'
import { Wordings } from './wordings.ts'

export interface RankRequest {
  readonly question: string
  /** Languages of the corpus and the question beside English; none by default. */
  readonly languages?: readonly Language[]
  /** Cosine of each slot, NaN where it has no vector; null in the text tier. */
  readonly cosines: Float32Array | null
  /** 1 for slots not to be ranked: excluded, filtered out or empty. At least `slots` long. */
  readonly excludedMask: Uint8Array
  /** False where the mask marks empty slots alone, which no walk can reach. */
  readonly filtered?: boolean
  readonly slots: number
  /** Passages wanted, best first. */
  readonly count: number
  /** Names (numbers of the index) to start from besides the question's. */
  readonly injected: readonly number[]
  /** Replaces the names found in the question. */
  readonly asked?: readonly number[]
  readonly documentOf: DocumentOf
  /** Reads only the best passages, and those behind them where they are copies of each other. */
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
  /** Further passages for packing, one for each ranked one that repeats a better one's text. */
  readonly spare?: readonly RankedSlot[]
  readonly seeds: readonly Seed[]
  /** Words of the question that stand for several names. */
  readonly doubts?: readonly Doubt[]
  readonly gate: number
  readonly walk: Walk | null
  /** Passages that walk, titles and bridges put forward. */
  readonly candidates: number
}

/** What each part of a score is multiplied by, gate included. */
interface Factors {
  /** Of meaning and words. */
  readonly kept: number
  readonly graph: number
  readonly title: number
  readonly bridge: number
}

/** Worth of another form of a word against the word itself: exact ones come first. */
const FORM_SHARE = 0.5
const MAX_WALK_EDGES = 2_000_000

export class Ranker {
  private readonly pusher: Pusher
  private words = new Float64Array(0)
  private meaning = new Float64Array(0)
  private graph = new Float64Array(0)
  private scores = new Float64Array(0)
  private trial = new Float64Array(0)
  private termMask = new Int32Array(0)
  private bridged = new BridgeScores(0)

  /** Reuses its scratch buffers across questions. */
  constructor(
    private readonly index: TextIndex,
    private readonly weights: RankingWeights = DEFAULT_WEIGHTS,
  ) {
    this.pusher = new Pusher(index.graph)
  }

  rank(request: RankRequest): Ranking {
    const { index, weights, bridged } = this.reset(request.slots),
      { excludedMask, slots } = request
    const question = readQuestion(request.question, index, weights.nearNames, request.languages)
    index.lexical.score(question.terms, this.words, this.termMask)
    for (const { term, share } of question.forms)
      index.lexical.score([term], this.words, null, FORM_SHARE * share)
    overMaximum(this.words, slots, excludedMask)
    fillMeaning(request, this.meaning, this.words, weights.meaningFromWords)

    const { seeds, plain, doubts } = this.seedsOf(request, question),
      names = seeds.map((seed) => seed.name),
      gates =
        request.injected.length > 0
          ? { head: 1, rest: 1 }
          : gatesOf(question, names, plain, index, weights),
      gate = gates.rest
    const walk = gate === 0 || seeds.length === 0 ? null : this.walk(seeds, request)
    const titles: ReadonlyMap<number, number> =
      gate === 0 ? new Map() : titleMatches(names, index, excludedMask, request.documentOf)
    const factors = this.factorsOf(gate, seeds.length > 0)
    this.sum(factors, titles, slots)
    if (factors.bridge !== 0) this.findBridges(request, question, names)
    bridged.addTo(this.scores, factors.bridge)

    const held = this.order(request, gates),
      toRanked = (slot: HeldSlot): RankedSlot => this.explain(slot, request, factors, titles)
    return {
      question,
      ranked: held.map(toRanked),
      spare: this.spareOf(held, request).map(toRanked),
      seeds,
      doubts,
      gate,
      walk,
      candidates: (walk?.slots.length ?? 0) + titles.size + bridged.count,
    }
  }

  private seedsOf(
    { asked, injected }: RankRequest,
    question: Question,
  ): Pick<QuestionNames, 'plain' | 'doubts'> & { readonly seeds: Seed[] } {
    const { spelt, fuzzy, plain, doubts } = asked
      ? { spelt: asked, fuzzy: [], plain: new Set<number>(), doubts: [] }
      : questionNames(question, this.index)
    return { seeds: weighSeeds(injected, spelt, fuzzy, plain, this.index), plain, doubts }
  }

  private walk(seeds: readonly Seed[], { filtered, excludedMask }: RankRequest): Walk {
    const { alpha, epsilon, decades } = this.weights
    const walk = this.pusher.walk(seeds, {
      alpha,
      epsilon,
      maxEdges: MAX_WALK_EDGES,
      excluded: filtered === false ? null : excludedMask,
    })
    logScale(walk, this.graph, decades)
    return walk
  }

  /** Nothing of the graph counts where no name was recognised. */
  private factorsOf(gate: number, recognised: boolean): Factors {
    const { weights } = this,
      articles = recognised ? articleShare(this.index, weights) : 0
    return {
      kept: 1 - weights.give * gate * articles,
      graph: gate * weights.graph,
      title: gate * weights.title * articles,
      bridge: gate * weights.bridge + articles * weights.openBridge,
    }
  }

  /** Everything but bridges, which start from the best of this sum. */
  private sum(factors: Factors, titles: ReadonlyMap<number, number>, slots: number): void {
    const { scores, meaning, words, graph, weights } = this
    for (let slot = 0; slot < slots; slot++) {
      scores[slot] =
        factors.kept * (weights.meaning * meaning[slot]! + weights.words * words[slot]!) +
        factors.graph * graph[slot]!
    }
    for (const [slot, value] of titles) scores[slot] = scores[slot]! + factors.title * value
  }

  private findBridges(request: RankRequest, question: Question, names: readonly number[]): void {
    const { scores, termMask, weights } = this,
      { excludedMask, documentOf, reader, compare, slots } = request
    bridges(
      {
        best: selectBest(scores, slots, weights.bridgeFrom, excludedMask, compare),
        scores,
        question,
        excludedMask,
        termMask,
        seeds: new Set(names),
        documentOf,
        reader,
      },
      this.bridged,
      this.index,
      weights,
    )
  }

  /** The best slots under both gates, scores rounded. */
  private order(request: RankRequest, gates: Gates): HeldSlot[] {
    const { scores } = this,
      { slots, count, excludedMask, compare } = request
    const head = gates.head === gates.rest ? [] : this.headOf(request, gates.rest - gates.head)
    const best = selectBestRounded(scores, slots, count + head.length, excludedMask, compare)
    for (const slot of head) scores[slot] = roundScore(scores[slot]!)
    return holdHead(head, best, scores, count)
  }

  /** The first ranks where the graph counts `less` of its weight; leaves `scores` unrounded. */
  private headOf({ slots, excludedMask, compare }: RankRequest, less: number): number[] {
    const { weights, scores, trial } = this
    for (let slot = 0; slot < slots; slot++)
      trial[slot] = scores[slot]! - less * weights.graph * this.graph[slot]!
    this.bridged.addTo(trial, -(less * weights.bridge))
    return selectBestRounded(trial, slots, weights.headRanks, excludedMask, compare)
  }

  private explain(
    { slot, score }: HeldSlot,
    { cosines }: RankRequest,
    factors: Factors,
    titles: ReadonlyMap<number, number>,
  ): RankedSlot {
    const { weights } = this,
      meaning = weights.meaning * this.meaning[slot]!,
      words = weights.words * this.words[slot]!,
      graph = factors.graph * this.graph[slot]!,
      bridge = factors.bridge * this.bridged.values[slot]!,
      full = this.scores[slot]!
    // What the head holds down is taken from the graph's parts alone.
    const left = score === full ? 1 : Math.max(0, 1 - (full - score) / (graph + bridge))
    const cosine = cosines?.[slot] ?? NaN
    return {
      slot,
      score,
      cosine: Number.isNaN(cosine) ? null : cosine,
      contributions: {
        meaning: cosines ? factors.kept * meaning : 0,
        words: factors.kept * (words + (cosines ? 0 : meaning)),
        graph: left * graph,
        title: factors.title * (titles.get(slot) ?? 0),
        bridge: left * bridge,
      },
    }
  }

  /** The best slots behind the ranked ones with other texts, one for each ranked copy. */
  private spareOf(ranked: readonly HeldSlot[], request: RankRequest): HeldSlot[] {
    const { scores } = this,
      { slots, excludedMask, compare, reader } = request,
      wordings = new Wordings(),
      taken = new Set(ranked.map(({ slot }) => slot)),
      spare: HeldSlot[] = []
    const copies = ranked.filter(({ slot }) => !wordings.add(reader.textOf(slot))).length
    for (let depth = 4 * ranked.length; spare.length < copies; depth *= 4) {
      const most = Math.min(depth, COPIES_DEPTH),
        deeper = selectBestRounded(scores, slots, most, excludedMask, compare)
      for (const slot of deeper) {
        if (taken.has(slot) || spare.length === copies) continue
        taken.add(slot)
        if (wordings.add(reader.textOf(slot))) spare.push({ slot, score: scores[slot]! })
      }
      if (deeper.length < most || most === COPIES_DEPTH) break
    }
    return spare
  }

  private reset(slots: number): this {
    if (slots > this.words.length) {
      const size = Math.ceil(slots * 1.25)
      this.words = new Float64Array(size)
      this.meaning = new Float64Array(size)
      this.graph = new Float64Array(size)
      this.scores = new Float64Array(size)
      this.trial = new Float64Array(size)
      this.termMask = new Int32Array(size)
      this.bridged = new BridgeScores(size)
      return this
    }
    for (const array of [this.words, this.meaning, this.graph, this.termMask]) array.fill(0)
    this.bridged.clear()
    return this
  }
}

/** Passages searched for texts other than copies: a thousand copies a source, one pass' heap. */
const COPIES_DEPTH = 16_384
