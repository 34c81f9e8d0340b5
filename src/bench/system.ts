/** Owns what the bench asks of a ranking. Types only; refuses knowing how one works. */
import type { BenchPassage } from './dataset.ts'

/** A reasoning path: its passages in order, and the names that join each to the next. */
export interface RankedPath {
  readonly ids: readonly string[]
  readonly names: readonly string[]
}

export interface RankedAnswer {
  /** Passage ids, best first, at most as many as asked for. */
  readonly ids: readonly string[]
  readonly scores: readonly number[]
  /** Names that the ranking started from; empty where it knows none. */
  readonly seeds: readonly string[]
  /** At most `most` reasoning paths, best first. */
  readonly paths: (most: number) => readonly RankedPath[]
  /** Names that the first `most` passages are about, as far as they are about one. */
  readonly subjects: (most: number) => readonly string[]
  /** Milliseconds of each stage. */
  readonly timings: Readonly<Record<string, number>>
}

export interface RankSettings {
  /** Names handed to the ranking besides the question's. */
  readonly injected?: readonly string[]
  /** Passages that are not to be ranked. */
  readonly excluded?: readonly string[]
}

/** A ranking under measure: one corpus line is one passage. */
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
