/** What both modes hand to the planner: an order of documents, and how to explain it. */
import type { DocumentVectors } from './document_vectors.ts'
import { byCodeUnits } from './graph.ts'
import type { PlannerPath } from './paths.ts'
import type { KgDebug, KnnDebug } from './result.ts'

/** A question that was checked. */
export interface Asked {
  /** Empty where the question is a vector. */
  readonly text: string
  /** Of unit length; null where there is none. */
  readonly vector: Float32Array | null
  readonly topK: number
  readonly budgetTokens: number
  readonly seedEntities: readonly string[]
  readonly excluded: ReadonlySet<string>
  readonly signal: AbortSignal | null
}

export interface Ranking {
  /** Document ids and scores, best first, ties by id. */
  readonly ranked: readonly (readonly [string, number])[]
  readonly vectors: DocumentVectors
  readonly warnings: readonly string[]
  similarityOf(id: string): number
  cosineOf(id: string): number | null
  massOf(id: string): number
  /** What relevance, walk and convergence or coherence are worth of a document's score. */
  partsOf(id: string): readonly [number, number, number]
  paths(found: readonly string[], maxPaths: number): PlannerPath[]
  debug(warnings: readonly string[]): KgDebug | KnnDebug
}

export function rankBy(scores: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...scores].sort((a, b) => b[1] - a[1] || byCodeUnits(a[0], b[0]))
}
