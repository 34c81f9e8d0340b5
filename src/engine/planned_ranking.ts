/**
 * A ranking that stands above the engine (the Python planner) and is handed to it as an argument.
 * Types only.
 */
import type { Corpus } from '../corpus/corpus.ts'
import type { DocumentEntry } from '../corpus/corpus_table.ts'
import type { Ranking } from '../retrieve/rank.ts'
import type { SettledQuery } from '../retrieve/request.ts'
import type { ReasoningPath, SeedReport } from '../types.ts'

export interface PlannedQuestion {
  readonly settled: SettledQuery
  readonly vector: Float32Array | null
  readonly isOut: ((entry: DocumentEntry) => boolean) | null
  readonly signal: AbortSignal | undefined
}

export interface PlannedAnswer {
  readonly ranking: Ranking
  readonly reasoning: readonly ReasoningPath[]
  readonly seeds: readonly SeedReport[]
  readonly unknownSeeds: readonly string[]
  readonly mode: 'kg' | 'knn'
  readonly warnings: readonly string[]
}

export interface PlannedRanker {
  readonly mode: 'kg' | 'knn'
  rank(question: PlannedQuestion): Promise<PlannedAnswer>
}

/**
 * Makes the ranker of one corpus; `generation` tells when the corpus has changed. Throws
 * `input/invalid` for settings it does not know.
 */
export type PlannedRanking = (
  corpus: Corpus,
  generation: () => number,
  settings: object | undefined,
) => PlannedRanker
