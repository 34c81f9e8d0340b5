/** The shape of golden runs of hubmesh 0.4.2 and the comparison with ours, for tests. */
import { expect } from 'vitest'
import type { PlannerOptions } from '../config.ts'
import type { PlannerResult } from '../result.ts'

export interface GoldenResult {
  readonly context: string
  readonly sources: readonly {
    readonly id: string
    readonly rank: number
    readonly similarity: number
    readonly pprScore: number
    readonly compositeScore: number
  }[]
  readonly reasoning: readonly { readonly nodeIds: readonly string[]; readonly score: number }[]
}

export interface GoldenRun {
  readonly config: PlannerOptions
  readonly options: {
    readonly topK: number
    readonly budgetTokens: number
    readonly seedEntities?: readonly string[]
    readonly excludeDocs?: readonly string[]
  }
  readonly communities?: Readonly<Record<string, number>>
  readonly result: GoldenResult & { readonly debug: Readonly<Record<string, unknown>> }
}

export interface GoldenCase {
  readonly question: string
  readonly vector: readonly number[]
  readonly mentions: readonly string[]
  readonly runs: Readonly<Record<string, GoldenRun>>
}

/** The config of a run, with the partition it was made with. */
export function configOf(
  config: PlannerOptions,
  communities: Readonly<Record<string, number>> | undefined,
): PlannerOptions {
  if (!communities) return config
  const partition = new Map(Object.entries(communities))
  return { ...config, detectCommunities: () => partition }
}

/** Same sources in the same order, same context; gives the largest deviation of a score. */
export function expectSources(
  actual: PlannerResult,
  golden: GoldenResult,
  tolerance: number,
): number {
  expect(actual.sources.map(({ id, rank }) => ({ id, rank }))).toEqual(
    golden.sources.map(({ id, rank }) => ({ id, rank })),
  )
  expect(actual.context).toBe(golden.context)
  let largest = 0
  actual.sources.forEach((source, i) => {
    const wanted = golden.sources[i]!
    for (const field of ['compositeScore', 'pprScore', 'similarity'] as const)
      largest = Math.max(largest, Math.abs(source[field] - wanted[field]))
  })
  expect(largest).toBeLessThanOrEqual(tolerance)
  return largest
}

export function expectPaths(actual: PlannerResult, golden: GoldenResult): void {
  expect(actual.reasoning.map((path) => path.nodeIds)).toEqual(
    golden.reasoning.map((path) => path.nodeIds),
  )
  actual.reasoning.forEach((path, i) => {
    expect(path.score).toBeCloseTo(golden.reasoning[i]!.score, 6)
  })
}
