/** What the bench asks of a ranking. */
import type { ScoredSentences } from '../sentences/scores.ts'
import type { BenchPassage } from './dataset.ts'

/** A reasoning path: its passages in order, and the names that join each to the next. */
export interface RankedPath {
  readonly ids: readonly string[]
  readonly names: readonly string[]
  /** Whether each of these names is one, and no word that is capitalised by grammar alone. */
  readonly named: readonly boolean[]
}

export interface RankedAnswer {
  /** Best first. */
  readonly ids: readonly string[]
  readonly scores: readonly number[]
  /** Names that the ranking started from. */
  readonly seeds: readonly string[]
  readonly paths: (most: number) => readonly RankedPath[]
  /** Names that the first `most` passages are about. */
  readonly subjects: (most: number) => readonly string[]
  /** The short answer as far as words tell; left out where the ranking has none. */
  readonly draft?: () => ScoredSentences
  readonly gate?: number
  /** Milliseconds of each stage. */
  readonly timings: Readonly<Record<string, number>>
}

export interface RankSettings {
  readonly injected?: readonly string[]
  readonly excluded?: readonly string[]
}

export interface BenchSystem {
  readonly name: string
  /** Vectors in the order of the passages; null on the text tier. */
  index(passages: readonly BenchPassage[], vectors: readonly Float32Array[] | null): Promise<void>
  rank(
    question: string,
    queryVector: Float32Array | null,
    count: number,
    settings?: RankSettings,
  ): Promise<RankedAnswer>
}
