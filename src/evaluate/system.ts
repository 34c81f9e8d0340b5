/** Owns what the bench asks of a ranking. Types only; refuses knowing how one works. */
import type { BenchPassage } from './dataset.ts'

export interface RankedAnswer {
  /** Passage ids, best first, at most as many as asked for. */
  readonly ids: readonly string[]
  readonly scores: readonly number[]
  /** Names of the question that the ranking started from; empty where it knows none. */
  readonly seeds: readonly string[]
  /** Milliseconds of each stage. */
  readonly timings: Readonly<Record<string, number>>
}

/** A ranking under measure: one corpus line is one passage. */
export interface BenchSystem {
  readonly name: string
  /** Vectors in the order of the passages; null on the text tier. */
  index(passages: readonly BenchPassage[], vectors: readonly Float32Array[] | null): Promise<void>
  /** `injected`: names handed to the ranking besides the question's. */
  rank(question: string, queryVector: Float32Array | null, count: number, injected?: readonly string[]): Promise<RankedAnswer>
}
