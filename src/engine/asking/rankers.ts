/** Rankers of a corpus, one for each set of weights. */
import { LIMITS } from '../../base/limits.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { DocumentEntry } from '../../corpus/corpus_table.ts'
import type { PassageReader } from '../../graph/passage_reader.ts'
import type { TextIndex } from '../../graph/text_index.ts'
import type { Language } from '../../lexical/languages.ts'
import { Ranker, type Ranking } from '../../retrieve/rank.ts'
import type { SettledQuery } from '../../retrieve/request.ts'
import { atMostPerDocument } from '../../retrieve/select.ts'
import {
  DEFAULT_WEIGHTS,
  HYBRID_WEIGHTS,
  trusting,
  type RankingWeights,
} from '../../retrieve/weights.ts'
import type { EngineOptions } from '../engine_options.ts'
import type { QuestionVectors } from './question_vectors.ts'

export class Rankers {
  readonly graph: RankingWeights
  readonly hybrid: RankingWeights
  /**
   * Rankers hold work arrays from question to question; they are made anew when the text tier is
   * another one.
   */
  private readonly rankers = new Map<
    RankingWeights,
    { readonly ranker: Ranker; readonly text: TextIndex }
  >()

  /** `trust`: weight of the model's cosines, in (0, 1]. */
  constructor(
    private readonly corpus: Corpus,
    private readonly vectors: QuestionVectors,
    ranking: EngineOptions['ranking'],
    trust: number,
  ) {
    this.graph = typeof ranking === 'object' ? ranking : trusting(DEFAULT_WEIGHTS, trust)
    this.hybrid = trusting(HYBRID_WEIGHTS, trust)
  }

  rank(
    weights: RankingWeights,
    settled: SettledQuery,
    reader: PassageReader,
    vector: Float32Array | null,
    isOut: ((entry: DocumentEntry) => boolean) | null,
    count: number,
    injected: readonly number[],
    asked: readonly number[] | undefined,
    languages: readonly Language[],
  ): Ranking {
    const { table, vectors } = this.corpus,
      { perDocument } = settled
    const ranking = this.rankerFor(weights).rank({
      question: settled.text,
      languages,
      cosines: vector && vectors ? this.vectors.cosines(vector) : null,
      excludedMask: table.mask(isOut),
      filtered: isOut !== null,
      slots: table.slots,
      count: perDocument === Infinity ? count : LIMITS.topK,
      injected,
      ...(asked ? { asked } : {}),
      documentOf: table.documentOf,
      reader,
      compare: table.compare,
    })
    if (perDocument === Infinity) return ranking
    const ranked = atMostPerDocument(ranking.ranked, perDocument, table.documentOf)
    return { ...ranking, ranked: ranked.slice(0, count), spare: [] }
  }

  private rankerFor(weights: RankingWeights): Ranker {
    const { text } = this.corpus,
      known = this.rankers.get(weights)
    if (known?.text === text) return known.ranker
    const ranker = new Ranker(text, weights)
    this.rankers.set(weights, { ranker, text })
    return ranker
  }
}
