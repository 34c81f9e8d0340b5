/** The engine's rankings under measure; one corpus line is one passage. */
import {
  ANSWER_PASSAGES,
  answerShares,
  scoreSentences,
  type ScoredSentences,
} from '../sentences/scores.ts'
import { completeQuestion } from '../answer/history.ts'
import { PassageReader } from '../graph/passage_reader.ts'
import { TextIndex, type PassageText } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { compareIds } from '../base/compare_ids.ts'
import { findRoutes } from '../explain/routes.ts'
import { isGeneric } from '../graph/generic_names.ts'
import { Ranker, type Ranking } from '../retrieve/rank.ts'
import {
  DEFAULT_WEIGHTS,
  HYBRID_WEIGHTS,
  trusting,
  type RankingWeights,
} from '../retrieve/weights.ts'
import type { BenchPassage } from './dataset.ts'
import type { BenchSystem, RankedAnswer, RankedPath, RankSettings } from './system.ts'

export type RankingName = 'default' | 'hybrid' | 'cosine' | 'bm25'

/** `bm25` and `cosine` are the hybrid with one side alone. */
const WEIGHTS: ReadonlyMap<RankingName, RankingWeights> = new Map([
  ['default', DEFAULT_WEIGHTS],
  ['hybrid', HYBRID_WEIGHTS],
  ['cosine', { ...HYBRID_WEIGHTS, words: 0, meaningFromWords: 0 }],
  ['bm25', { ...HYBRID_WEIGHTS, meaning: 0 }],
])

export const WITHOUT_NEAR_NAMES: RankingWeights = { ...DEFAULT_WEIGHTS, nearNames: false }

export const RANKINGS: readonly RankingName[] = [...WEIGHTS.keys()]

/** Each part off, one at a time. */
export const ABLATIONS: readonly { readonly name: string; readonly weights: RankingWeights }[] = [
  { name: 'all parts', weights: DEFAULT_WEIGHTS },
  { name: 'without meaning', weights: { ...DEFAULT_WEIGHTS, meaning: 0 } },
  { name: 'without words', weights: { ...DEFAULT_WEIGHTS, words: 0, meaningFromWords: 0 } },
  { name: 'without the walk', weights: { ...DEFAULT_WEIGHTS, graph: 0 } },
  { name: 'without titles of names', weights: { ...DEFAULT_WEIGHTS, title: 0 } },
  { name: 'without bridges', weights: { ...DEFAULT_WEIGHTS, bridge: 0, openBridge: 0 } },
  { name: 'without giving way', weights: { ...DEFAULT_WEIGHTS, give: 0 } },
  {
    name: 'without the gate',
    weights: { ...DEFAULT_WEIGHTS, gateScale: 1e9, strangerGate: 1, headRanks: 0 },
  },
  { name: 'without the graph', weights: HYBRID_WEIGHTS },
]

interface Indexed {
  readonly text: TextIndex
  readonly passages: readonly BenchPassage[]
  readonly vectors: readonly Float32Array[] | null
  readonly slots: ReadonlyMap<string, number>
}

export class RankedSystem implements BenchSystem {
  private indexed: Indexed | null = null
  private ranker: Ranker | null = null

  /** `trust`: weight of the embedder's cosine, as in its manifest. */
  constructor(
    readonly name: string,
    private readonly weights: RankingWeights,
    private readonly trust = 1,
  ) {}

  static of(name: RankingName, trust = 1): RankedSystem {
    return new RankedSystem(name, WEIGHTS.get(name)!, trust)
  }

  /** The same index under other weights. */
  variant(name: string, weights: RankingWeights): RankedSystem {
    const other = new RankedSystem(name, weights, this.trust)
    if (this.indexed) other.take(this.indexed)
    return other
  }

  variantOf(name: RankingName): RankedSystem {
    return this.variant(name, WEIGHTS.get(name)!)
  }

  index(passages: readonly BenchPassage[], vectors: readonly Float32Array[] | null): Promise<void> {
    const passageOf = ({ title, text }: BenchPassage): PassageText => ({
      title,
      text,
      opening: true,
    })
    const text = new TextIndex((slot) => passageOf(passages[slot]!))
    for (const [slot, passage] of passages.entries()) text.add(slot, passageOf(passage), false)
    text.settle()
    this.take({
      text,
      passages,
      vectors,
      slots: new Map(passages.map(({ id }, slot) => [id, slot])),
    })
    return Promise.resolve()
  }

  /** A question as it is asked after what was said before. */
  completed(question: string, history: readonly string[]): string {
    return completeQuestion(question, history, this.indexed!.text).text
  }

  private take(indexed: Indexed): void {
    this.indexed = indexed
    this.ranker = new Ranker(indexed.text, trusting(this.weights, this.trust))
  }

  rank(
    question: string,
    queryVector: Float32Array | null,
    count: number,
    { injected = [], excluded = [] }: RankSettings = {},
  ): Promise<RankedAnswer> {
    const { indexed, ranker } = this
    if (indexed === null || ranker === null) throw new TypeError('index() comes before rank().')
    const { text, passages, vectors, slots } = indexed,
      excludedMask = new Uint8Array(passages.length)
    for (const id of excluded) excludedMask[slots.get(id)!] = 1
    const reader = readerOf(indexed)
    const started = performance.now()
    const cosines =
      vectors !== null && queryVector !== null
        ? Float32Array.from(vectors, (vector) => dot(vector, queryVector))
        : null
    const scanned = performance.now()
    const ranking = ranker.rank({
      question,
      cosines,
      count,
      excludedMask,
      slots: passages.length,
      injected: injected.flatMap((name) => namesOf(name, text)),
      documentOf: (slot) => slot,
      reader,
      compare: (a, b) => compareIds(passages[a]!.id, passages[b]!.id),
    })
    const finished = performance.now()
    return Promise.resolve({
      ids: ranking.ranked.map(({ slot }) => passages[slot]!.id),
      scores: ranking.ranked.map(({ score }) => score),
      seeds: ranking.seeds.map((seed) => text.nameText(seed.name)),
      paths: (most) => pathsOf(ranking, indexed, most),
      subjects: (most) =>
        ranking.ranked.slice(0, most).flatMap(({ slot }) => {
          const about = text.aboutOf(slot)
          return about < 0 ? [] : [text.nameText(about)]
        }),
      draft: () => draftOf(ranking, indexed, reader),
      gate: ranking.gate,
      timings: { cosine: scanned - started, rank: finished - scanned },
    })
  }
}

function pathsOf(ranking: Ranking, indexed: Indexed, most: number): RankedPath[] {
  const { text, passages } = indexed,
    reader = readerOf(indexed)
  return findRoutes({
    ...ranking,
    answers: answerShares(draftOf(ranking, indexed, reader)),
    index: text,
    reader,
    same: (a, b) => a === b,
    most,
  }).map(({ slots, names }) => ({
    ids: slots.map((slot) => passages[slot]!.id),
    names: names.map((name) => text.nameText(name)),
    named: names.map((name) => !isGeneric(name, text)),
  }))
}

function readerOf({ text, passages }: Indexed): PassageReader {
  return new PassageReader(text, (slot) => passages[slot]!.text)
}

function draftOf(
  { ranked, question, seeds }: Ranking,
  { text, passages }: Indexed,
  reader: PassageReader,
): ScoredSentences {
  return scoreSentences({
    question,
    seeds: new Set(seeds.map(({ name }) => name)),
    passages: ranked.slice(0, ANSWER_PASSAGES).map(({ slot, score, cosine }) => {
      const { id, title, text: body } = passages[slot]!
      return { slot, score, cosine, documentId: id, title, text: body, start: 0, labels: [] }
    }),
    index: text,
    reader,
  })
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** The longest name of the corpus in a caller's name, as a list of at most one. */
function namesOf(name: string, text: TextIndex): number[] {
  let best = -1,
    length = 0
  text.readNames(name, new WordBuffer(), false, (id, from, to) => {
    if (to - from > length) {
      best = id
      length = to - from
    }
  })
  return best < 0 ? [] : [best]
}
