/** Measures one question set with everything that was asked for: ablation, slips, second hops. */
import { ABLATIONS, RankedSystem, WITHOUT_NEAR_NAMES, type RankingName } from './ranked_system.ts'
import type { TokenCounter } from '../types.ts'
import { cosineOfUnits } from '../vector/unit_vector.ts'
import type { Dataset } from './dataset.ts'
import { evaluate, type QuestionOutcome } from './evaluate.ts'
import { IteratedSystem, ReadingSystem, SECOND_HOPS } from './iterated_system.ts'
import { PlannerSystem } from './planner_system.ts'
import { setReport, type NamedOutcomes, type ReportFacts, type SetReport } from './set_report.ts'
import type { BenchSystem } from './system.ts'
import { slippedSet } from './typo.ts'
import type { SetVectors, VectorSource } from './vector_source.ts'

export interface MeasureOptions {
  /** `hubmesh`: the ranking of the Python package. */
  readonly ranking: RankingName | 'hubmesh'
  readonly tier: 'full' | 'text'
  readonly lowercase: boolean
  readonly titles: boolean
  readonly budgets: readonly number[]
  readonly ablate: boolean
  readonly typo: boolean
  readonly iterate: boolean
  readonly paths: boolean
  readonly answer: boolean
}

export interface MeasureIo {
  readonly progress: (line: string) => void
  readonly signal?: AbortSignal
}

interface Run {
  readonly budgets?: readonly number[]
  readonly paths?: boolean
  readonly answer?: boolean
  readonly dataset?: Dataset
  readonly questionVectors?: readonly Float32Array[] | null
}

export class Measurement {
  private readonly ranked: RankedSystem | null
  private readonly system: BenchSystem

  /** `trust`: weight of the embedder's cosine. */
  constructor(
    private readonly dataset: Dataset,
    private readonly source: VectorSource | null,
    private readonly vectors: SetVectors | null,
    trust: number | undefined,
    private readonly countTokens: TokenCounter,
    private readonly options: MeasureOptions,
    private readonly io: MeasureIo,
  ) {
    const { ranking } = options
    this.ranked = ranking === 'hubmesh' ? null : RankedSystem.of(ranking, trust)
    this.system = this.ranked ?? new PlannerSystem()
  }

  async report(): Promise<SetReport> {
    const { dataset, options, system, ranked } = this
    this.io.progress(`${dataset.name}: indexing ${dataset.passages.length} passages`)
    await system.index(dataset.passages, this.vectors?.passages ?? null)
    const outcomes = await this.run(system, options)
    const hybrid =
      options.ranking === 'default' && ranked
        ? await this.run(ranked.variantOf('hybrid'))
        : undefined
    const { ranking, tier, lowercase, titles, budgets } = options
    return setReport(dataset, outcomes, {
      ...{ ranking, tier, lowercase, titles, budgets },
      ...(hybrid ? { hybrid } : {}),
      ...(options.ablate && ranked ? { ablation: await this.ablation(ranked) } : {}),
      ...(options.iterate ? { iterate: await this.secondHops(outcomes) } : {}),
      ...(options.typo && ranked ? { typo: await this.slips(ranked, outcomes) } : {}),
    })
  }

  private run(system: BenchSystem, run: Run = {}): Promise<QuestionOutcome[]> {
    const { dataset, io } = this
    return evaluate(
      run.dataset ?? dataset,
      system,
      run.questionVectors ?? this.vectors?.questions ?? null,
      {
        budgets: run.budgets ?? [],
        paths: run.paths ?? false,
        countTokens: this.countTokens,
        ...(run.answer ? { compare: (i, texts) => this.compare(i, texts) } : {}),
        onProgress: (done, total) => {
          if (done % 20 === 0 || done === total)
            io.progress(`${dataset.name}: ${system.name}, ${done} of ${total} questions`)
        },
        ...(io.signal ? { signal: io.signal } : {}),
      },
    )
  }

  private async compare(question: number, texts: readonly string[]): Promise<number[] | null> {
    const vector = this.vectors?.questions[question],
      sentences = vector && (await this.source?.texts(texts, this.io))
    return sentences
      ? sentences.map((sentence) => cosineOfUnits(vector, 0, sentence, 0, vector.length))
      : null
  }

  private async ablation(ranked: RankedSystem): Promise<NamedOutcomes[]> {
    const rows: NamedOutcomes[] = []
    for (const { name, weights } of ABLATIONS)
      rows.push({ name, outcomes: await this.run(ranked.variant(name, weights)) })
    return rows
  }

  private async secondHops(first: readonly QuestionOutcome[]): Promise<NamedOutcomes[]> {
    const { system } = this,
      { questions } = this.dataset,
      systems: BenchSystem[] = SECOND_HOPS.map((hop) => new IteratedSystem(system, hop))
    if (questions.some(({ hopAnswers }) => hopAnswers.length > 0))
      systems.push(
        new ReadingSystem(
          system,
          new Map(questions.map(({ question, hopAnswers }) => [question, hopAnswers])),
        ),
      )
    const rows: NamedOutcomes[] = [{ name: 'one hop', outcomes: first }]
    for (const hop of systems) rows.push({ name: hop.name, outcomes: await this.run(hop) })
    return rows
  }

  private async slips(
    ranked: RankedSystem,
    clean: readonly QuestionOutcome[],
  ): Promise<NonNullable<ReportFacts['typo']>> {
    const { dataset, from } = slippedSet(
      this.dataset,
      clean.map(({ seeds }) => seeds),
    )
    const embedded = (await this.source?.questions(dataset, this.io)) ?? null,
      known = this.vectors?.questions,
      questionVectors = embedded ?? (known ? from.map((i) => known[i]!) : null),
      run = { dataset, questionVectors }
    return {
      embedded: this.source === null || embedded !== null,
      runs: [
        { name: 'as asked', outcomes: from.map((i) => clean[i]!) },
        { name: 'one slip', outcomes: await this.run(ranked, run) },
        {
          name: 'one slip, near names unread',
          outcomes: await this.run(ranked.variant('near names unread', WITHOUT_NEAR_NAMES), run),
        },
      ],
    }
  }
}
