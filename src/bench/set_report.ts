/** The figures of one set as plain JSON. */
import type { Dataset } from './dataset.ts'
import type { QuestionOutcome } from './evaluate.ts'
import {
  meanInterval,
  pairedDifference,
  type Interval,
  type PairedDifference,
} from './bootstrap.ts'
import type { AnswerMetrics } from './answer_metrics.ts'
import type { PathMetrics } from './path_metrics.ts'
import { ALL_GOLD_AT, mean, percentile, RECALL_AT } from './metrics.ts'

export type ByDepth<T> = Readonly<Record<string, T>>

export interface GroupReport {
  readonly questions: number
  readonly recall: ByDepth<number>
  readonly allGold: ByDepth<number>
}

export interface BudgetReport {
  readonly allGold: number
  /** Share of questions with an answer string that have it in the context; null without such. */
  readonly answer: number | null
  readonly greedy: { readonly allGold: number; readonly answer: number | null }
}

export interface SetReport extends GroupReport {
  readonly set: string
  readonly passages: number
  readonly ranking: string
  readonly tier: 'full' | 'text'
  readonly lowercase: boolean
  readonly titles: boolean
  readonly mrr: number
  readonly ndcg10: number
  /** 95 % bootstrap intervals. */
  readonly interval: {
    readonly recall: ByDepth<Interval>
    readonly allGold: ByDepth<Interval>
    readonly mrr: Interval
    readonly ndcg10: Interval
  }
  readonly byType: Readonly<Record<string, GroupReport>>
  readonly byHops: Readonly<Record<string, GroupReport>>
  /** Share of questions that name nothing the corpus knows. */
  readonly withoutSeeds: number
  readonly latencyMs: Readonly<Record<string, { readonly p50: number; readonly p95: number }>>
  readonly budgets: Readonly<Record<string, BudgetReport>>
  /** Recall minus the hybrid's (BM25 and cosine) on the same questions. */
  readonly againstHybrid?: ByDepth<PairedDifference>
  readonly ablation?: readonly ({ readonly name: string } & GroupReport)[]
  /** The first answer, then what a second hop makes of it, by hops. */
  readonly iterate?: readonly HopReport[]
  /** Share of questions whose paths pass through all gold passages, of all and by type. */
  readonly paths?: Readonly<Record<string, PathReport>>
  readonly typo?: TypoReport
  /** Share of questions whose answer string stands in the short answer, and in its baselines. */
  readonly answer?: AnswerReport
  readonly withoutGold: number
}

/** `hops` is null for all questions. */
export interface HopReport extends GroupReport {
  readonly hops: string | null
  readonly name: string
}

export interface PathReport extends PathMetrics {
  readonly questions: number
}

export type AnswerReport = AnswerMetrics & { readonly questions: number }

/** Over the questions that name something; every row on the same ones. */
export interface TypoReport {
  readonly rows: readonly ({ readonly name: string } & GroupReport)[]
  /** Share of the recall lost by slips that reading near names brings back; null without loss. */
  readonly back: ByDepth<number | null>
  /** False where the vector is that of the question without the slip. */
  readonly embedded: boolean
}

export interface ReportFacts {
  readonly ranking: string
  readonly tier: 'full' | 'text'
  readonly lowercase: boolean
  readonly titles: boolean
  readonly budgets: readonly number[]
  readonly hybrid?: readonly QuestionOutcome[]
  readonly ablation?: readonly NamedOutcomes[]
  readonly iterate?: readonly NamedOutcomes[]
  /** Without the slip, with it, and with it but near names unread; the same questions. */
  readonly typo?: {
    readonly runs: readonly [NamedOutcomes, NamedOutcomes, NamedOutcomes]
    readonly embedded: boolean
  }
}

export interface NamedOutcomes {
  readonly name: string
  readonly outcomes: readonly QuestionOutcome[]
}

export function setReport(
  dataset: Dataset,
  outcomes: readonly QuestionOutcome[],
  facts: ReportFacts,
): SetReport {
  const column = (read: (outcome: QuestionOutcome) => number): number[] => outcomes.map(read)
  const interval = (read: (outcome: QuestionOutcome) => number): Interval =>
    rounded(meanInterval(column(read)))
  const recallAt =
    (k: number) =>
    (outcome: QuestionOutcome): number =>
      outcome.metrics.recall[k]!
  const { hybrid, ablation } = facts
  return {
    set: dataset.name,
    passages: dataset.passages.length,
    ...groupReport(outcomes),
    ranking: facts.ranking,
    tier: facts.tier,
    lowercase: facts.lowercase,
    titles: facts.titles,
    mrr: round(mean(column((o) => o.metrics.reciprocalRank))),
    ndcg10: round(mean(column((o) => o.metrics.ndcg))),
    interval: {
      recall: byDepth(RECALL_AT, (k) => interval(recallAt(k))),
      allGold: byDepth(ALL_GOLD_AT, (k) => interval((o) => o.metrics.allGold[k]!)),
      mrr: interval((o) => o.metrics.reciprocalRank),
      ndcg10: interval((o) => o.metrics.ndcg),
    },
    byType: groups(outcomes, (o) => o.type),
    byHops: groups(outcomes, (o) => (o.hops === null ? null : String(o.hops))),
    withoutSeeds: round(mean(column((o) => (o.seeds.length === 0 ? 1 : 0)))),
    latencyMs: latencies(outcomes),
    budgets: Object.fromEntries(
      facts.budgets.map((budget, i) => [String(budget), budgetReport(outcomes, i)]),
    ),
    ...(hybrid
      ? {
          againstHybrid: byDepth(RECALL_AT, (k) => {
            const d = pairedDifference(column(recallAt(k)), hybrid.map(recallAt(k)))
            return { mean: round(d.mean), ...rounded(d) }
          }),
        }
      : {}),
    ...(ablation
      ? { ablation: ablation.map((part) => ({ name: part.name, ...groupReport(part.outcomes) })) }
      : {}),
    ...(facts.iterate ? { iterate: hopReports(facts.iterate) } : {}),
    ...(outcomes.some((o) => o.paths) ? { paths: pathReports(outcomes) } : {}),
    ...(outcomes.some((o) => o.answer) ? { answer: answerReport(outcomes) } : {}),
    ...(facts.typo ? { typo: typoReport(facts.typo.runs, facts.typo.embedded) } : {}),
    withoutGold: dataset.withoutGold,
  }
}

function groupReport(outcomes: readonly QuestionOutcome[]): GroupReport {
  return {
    questions: outcomes.length,
    recall: byDepth(RECALL_AT, (k) => round(mean(outcomes.map((o) => o.metrics.recall[k]!)))),
    allGold: byDepth(ALL_GOLD_AT, (k) => round(mean(outcomes.map((o) => o.metrics.allGold[k]!)))),
  }
}

function groups(
  outcomes: readonly QuestionOutcome[],
  keyOf: (outcome: QuestionOutcome) => string | null,
): Record<string, GroupReport> {
  return Object.fromEntries(split(outcomes, keyOf).map(([key, group]) => [key, groupReport(group)]))
}

function hopReports(runs: readonly NamedOutcomes[]): HopReport[] {
  const all = runs.map(({ name, outcomes }) => ({ hops: null, name, ...groupReport(outcomes) }))
  const by = runs.map(({ name, outcomes }) =>
    split(outcomes, (o) => (o.hops === null ? null : String(o.hops))).map(([hops, group]) => ({
      hops,
      name,
      ...groupReport(group),
    })),
  )
  return [...all, ...(by[0] ?? []).flatMap((_, group) => by.flatMap((run) => run[group] ?? []))]
}

function pathReports(outcomes: readonly QuestionOutcome[]): Record<string, PathReport> {
  const share = (group: readonly QuestionOutcome[], key: keyof PathMetrics): number =>
    round(
      mean(group.flatMap((o) => o.paths?.[key] ?? (key === 'ends' || key === 'bridges' ? [] : 0))),
    )
  return Object.fromEntries(
    [['all', outcomes] as const, ...split(outcomes, (o) => o.type)].map(([key, group]) => [
      key,
      {
        questions: group.length,
        best: share(group, 'best'),
        any: share(group, 'any'),
        union: share(group, 'union'),
        ends: share(group, 'ends'),
        bridges: share(group, 'bridges'),
      },
    ]),
  )
}

function typoReport(
  runs: readonly [NamedOutcomes, NamedOutcomes, NamedOutcomes],
  embedded: boolean,
): TypoReport {
  const [clean, read, unread] = runs.map(({ outcomes }) =>
    RECALL_AT.map((_, k) => mean(outcomes.map((o) => o.metrics.recall[k]!))),
  ) as [number[], number[], number[]]
  return {
    rows: runs.map(({ name, outcomes }) => ({ name, ...groupReport(outcomes) })),
    back: byDepth(RECALL_AT, (k) => {
      const lost = clean[k]! - unread[k]!
      return lost > 0 ? round((read[k]! - unread[k]!) / lost) : null
    }),
    embedded,
  }
}

function answerReport(outcomes: readonly QuestionOutcome[]): AnswerReport {
  const known = outcomes.flatMap(({ answer }) => answer ?? []),
    share = (key: keyof AnswerMetrics): number => round(mean(known.map((metrics) => metrics[key])))
  return {
    ...(Object.fromEntries(
      (Object.keys(known[0]!) as (keyof AnswerMetrics)[]).map((key) => [key, share(key)]),
    ) as unknown as AnswerMetrics),
    questions: known.length,
  }
}

/** By key in order; those without one left out. */
function split(
  outcomes: readonly QuestionOutcome[],
  keyOf: (outcome: QuestionOutcome) => string | null,
): [string, QuestionOutcome[]][] {
  const sorted = new Map<string, QuestionOutcome[]>()
  for (const outcome of outcomes) {
    const key = keyOf(outcome)
    if (key === null) continue
    const group = sorted.get(key)
    if (group) group.push(outcome)
    else sorted.set(key, [outcome])
  }
  return [...sorted].sort(([a], [b]) => (a < b ? -1 : 1))
}

function latencies(
  outcomes: readonly QuestionOutcome[],
): Record<string, { p50: number; p95: number }> {
  const stages = new Map<string, number[]>()
  for (const outcome of outcomes) {
    for (const [stage, ms] of Object.entries(outcome.timings)) {
      const values = stages.get(stage)
      if (values) values.push(ms)
      else stages.set(stage, [ms])
    }
  }
  return Object.fromEntries(
    [...stages].map(([stage, values]) => [
      stage,
      { p50: round(percentile(values, 0.5)), p95: round(percentile(values, 0.95)) },
    ]),
  )
}

function budgetReport(outcomes: readonly QuestionOutcome[], at: number): BudgetReport {
  const share = (values: readonly (number | null | undefined)[]): number | null => {
    const known = values.filter((value): value is number => typeof value === 'number')
    return known.length > 0 ? round(mean(known)) : null
  }
  return {
    allGold: share(outcomes.map((o) => o.packed[at]?.allGold)) ?? 0,
    answer: share(outcomes.map((o) => o.packed[at]?.answer)),
    greedy: {
      allGold: share(outcomes.map((o) => o.greedy[at]?.allGold)) ?? 0,
      answer: share(outcomes.map((o) => o.greedy[at]?.answer)),
    },
  }
}

/** `read` gets the position of the depth in `depths`. */
function byDepth<T>(depths: readonly number[], read: (position: number) => T): Record<string, T> {
  return Object.fromEntries(depths.map((depth, i) => [String(depth), read(i)]))
}

function rounded({ low, high }: Interval): Interval {
  return { low: round(low), high: round(high) }
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
