/**
 * Owns `hubmesh bench`: options, progress and files of a measurement. Refuses: figures, which
 * src/bench makes.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { modelFolder } from '../registry/package_files.ts'
import { manifestFor } from '../embed/manifests.ts'
import { HubmeshError } from '../base/errors.ts'
import { readDataset, type Dataset } from '../bench/dataset.ts'
import { evaluate, type EvaluateOptions, type QuestionOutcome } from '../bench/evaluate.ts'
import { markdownReport, terminalReport } from '../bench/layout.ts'
import { IteratedSystem, ReadingSystem, SECOND_HOPS } from '../bench/iterated_system.ts'
import {
  ABLATIONS,
  RankedSystem,
  RANKINGS,
  WITHOUT_NEAR_NAMES,
  type RankingName,
} from '../bench/ranked_system.ts'
import { PlannerSystem } from '../bench/planner_system.ts'
import {
  setReport,
  type NamedOutcomes,
  type ReportFacts,
  type SetReport,
} from '../bench/set_report.ts'
import type { BenchSystem } from '../bench/system.ts'
import { slippedSet } from '../bench/typo.ts'
import { dumpVectors, openVectors, type SetVectors } from '../bench/vector_source.ts'
import { createTokenCounter } from '../pack/token_counter.ts'

/** hubmesh: the ranking of the Python package, on this package's names. */
const BENCH_RANKINGS = [...RANKINGS, 'hubmesh'] as const

export const BENCH_HELP = `hubmesh bench DIR... [options]
Measures retrieval and packing on question sets: folders with corpus.jsonl {id,title?,text} and
queries.jsonl {id,question,gold,answer?,type?,hops?}, or BEIR folders (corpus.jsonl, queries.jsonl, qrels/*.tsv).

  --ranking NAME       ${BENCH_RANKINGS.join(' | ')} (default: default)
  --tier full|text     text uses no vectors (default: full)
  --lowercase          questions in lower case
  --no-titles          passages without their titles (vectors from files stay as they are)
  --budget N           token budget of a packed context; may be repeated, or given as N,N
  --counter NAME       approx | o200k | cl100k (default: approx)
  --ablate             each part of the default ranking off, one at a time
  --typo               one slip in one name of each question, with and without the reading of near names;
                       vectors from files are those of the question without it
  --iterate            a second hop from names of the first answer, by hops
  --paths              share of questions whose reasoning paths pass through all gold passages
  --limit N            the first N questions of each set
  --model DIR          folder of a known model (default: the package's all-MiniLM-L6-v2)
  --cache DIR          folder of kept vectors (default: .cache/vectors)
  --vectors DIR        vectors from SET.corpus.npy and SET.queries.npy instead of running the model; name it by --model
  --dump-vectors DIR   writes the vectors used, as SET.corpus.npy and SET.queries.npy
  --json FILE          one object per set
  --markdown FILE      the printed tables as Markdown`

export interface BenchOptions {
  readonly directories: readonly string[]
  readonly ranking: RankingName | 'hubmesh'
  readonly tier: 'full' | 'text'
  readonly lowercase: boolean
  readonly titles: boolean
  readonly budgets: readonly number[]
  readonly counter: 'approx' | 'o200k' | 'cl100k'
  readonly ablate: boolean
  readonly typo: boolean
  readonly iterate: boolean
  readonly paths: boolean
  readonly limit: number
  readonly model: string
  readonly cache: string
  readonly vectors: string | null
  readonly dump: string | null
  readonly json: string | null
  readonly markdown: string | null
}

/** Throws `input/invalid` with the word that is wrong. */
export function parseBench(args: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const,
    flag = { type: 'boolean', default: false } as const
  let parsed
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: {
        ranking: { ...text, default: 'default' },
        tier: { ...text, default: 'full' },
        lowercase: flag,
        'no-titles': flag,
        budget: { ...text, multiple: true },
        counter: { ...text, default: 'approx' },
        ablate: flag,
        typo: flag,
        iterate: flag,
        paths: flag,
        limit: text,
        model: text,
        cache: { ...text, default: '.cache/vectors' },
        vectors: text,
        'dump-vectors': text,
        json: text,
        markdown: text,
      },
    })
  } catch (cause) {
    throw new HubmeshError(
      'input/invalid',
      `${cause instanceof Error ? cause.message : 'The options cannot be read'}\nSee: hubmesh bench --help`,
      { cause },
    )
  }
  // `--budget 500 1000`: the numbers behind the option are budgets, not folders
  const { values, positionals } = parsed,
    numbers =
      values.budget === undefined
        ? []
        : positionals.filter((word) => /^\d+$/.test(word) && !existsSync(word))
  const directories = positionals.filter((word) => !numbers.includes(word))
  if (directories.length === 0)
    throw new HubmeshError(
      'input/invalid',
      'Name at least one folder with a question set.\nSee: hubmesh bench --help',
    )
  return {
    directories,
    ranking: oneOf('--ranking', values.ranking, BENCH_RANKINGS),
    tier: oneOf('--tier', values.tier, ['full', 'text']),
    lowercase: values.lowercase,
    titles: !values['no-titles'],
    budgets: [
      ...new Set(
        [...(values.budget ?? []).flatMap((value) => value.split(',')), ...numbers].map((value) =>
          whole('--budget', value),
        ),
      ),
    ].sort((a, b) => a - b),
    counter: oneOf('--counter', values.counter, ['approx', 'o200k', 'cl100k']),
    ablate: values.ablate,
    typo: values.typo,
    iterate: values.iterate,
    paths: values.paths,
    limit: values.limit === undefined ? Infinity : whole('--limit', values.limit),
    model: values.model ?? modelFolder('all-MiniLM-L6-v2'),
    cache: values.cache,
    vectors: values.vectors ?? null,
    dump: values['dump-vectors'] ?? null,
    json: values.json ?? null,
    markdown: values.markdown ?? null,
  }
}

/**
 * Measures, prints the tables through `print` and progress through `progress`, writes the files
 * asked for.
 */
export async function runBench(
  options: BenchOptions,
  io: {
    readonly print: (text: string) => void
    readonly progress: (line: string) => void
    readonly signal?: AbortSignal
  },
): Promise<SetReport[]> {
  if (options.tier === 'text' && options.ranking === 'cosine')
    throw new HubmeshError(
      'input/invalid',
      '--ranking cosine needs vectors; leave out --tier text.',
    )
  if (options.typo && options.ranking !== 'default')
    throw new HubmeshError(
      'input/invalid',
      '--typo measures the default ranking; leave out --ranking.',
    )
  if (
    options.ranking === 'hubmesh' &&
    (options.tier === 'text' || options.ablate || options.iterate || options.paths)
  )
    throw new HubmeshError(
      'input/invalid',
      '--ranking hubmesh needs vectors, and has no parts to leave out, no second hop and no ' +
        'judged paths here; leave out --tier text, --ablate, --iterate and --paths.',
    )
  const countTokens = await createTokenCounter(options.counter)
  const source = options.tier === 'text' ? null : await openVectors(options)
  const reports: SetReport[] = []
  try {
    for (const directory of options.directories) {
      const dataset = prepare(await readDataset(directory), options)
      const vectors = source === null ? null : await source.of(dataset, io)
      if (vectors !== null && options.dump !== null)
        await dumpVectors(options.dump, dataset.name, vectors)
      io.progress(`${dataset.name}: indexing ${dataset.passages.length} passages`)
      const ranked =
        options.ranking === 'hubmesh'
          ? null
          : RankedSystem.of(
              options.ranking,
              vectors === null ? 1 : manifestFor(options.model).meaningTrust,
            )
      const system = ranked ?? new PlannerSystem()
      await system.index(dataset.passages, vectors?.passages ?? null)
      const run = (
        which: BenchSystem,
        more: {
          budgets?: readonly number[]
          paths?: boolean
          on?: Dataset
          questions?: readonly Float32Array[] | null
        } = {},
      ): Promise<QuestionOutcome[]> => {
        const settings: EvaluateOptions = {
          budgets: more.budgets ?? [],
          paths: more.paths ?? false,
          countTokens,
          onProgress: (done, total) => {
            if (done % 20 === 0 || done === total)
              io.progress(`${dataset.name}: ${which.name}, ${done} of ${total} questions`)
          },
          ...(io.signal ? { signal: io.signal } : {}),
        }
        return evaluate(
          more.on ?? dataset,
          which,
          more.questions ?? vectors?.questions ?? null,
          settings,
        )
      }
      const slips = async (
        clean: readonly QuestionOutcome[],
      ): Promise<NonNullable<ReportFacts['typo']>> => {
        const { dataset: on, from } = slippedSet(
          dataset,
          clean.map(({ seeds }) => seeds),
        )
        const own = (vectors: SetVectors): readonly Float32Array[] =>
          from.map((i) => vectors.questions[i] as Float32Array)
        const embedded = (await source?.questions(on, io)) ?? null
        const questions = embedded ?? (vectors ? own(vectors) : null)
        return {
          embedded: source === null || embedded !== null,
          runs: [
            { name: 'as asked', outcomes: from.map((i) => clean[i] as QuestionOutcome) },
            { name: 'one slip', outcomes: await run(system, { on, questions }) },
            {
              name: 'one slip, near names unread',
              outcomes: await run(
                (ranked as RankedSystem).variant('near names unread', WITHOUT_NEAR_NAMES),
                { on, questions },
              ),
            },
          ],
        }
      }
      const outcomes = await run(system, { budgets: options.budgets, paths: options.paths })
      const hybrid =
        options.ranking === 'default' && ranked ? await run(ranked.variantOf('hybrid')) : undefined
      const ablation: NamedOutcomes[] = [],
        iterate: NamedOutcomes[] = []
      if (options.ablate && ranked)
        for (const { name, weights } of ABLATIONS)
          ablation.push({ name, outcomes: await run(ranked.variant(name, weights)) })
      if (options.iterate)
        for (const hop of SECOND_HOPS)
          iterate.push({ name: hop.name, outcomes: await run(new IteratedSystem(system, hop)) })
      if (options.iterate && dataset.questions.some(({ hopAnswers }) => hopAnswers.length > 0)) {
        const reader = new ReadingSystem(
          system,
          new Map(dataset.questions.map(({ question, hopAnswers }) => [question, hopAnswers])),
        )
        iterate.push({ name: reader.name, outcomes: await run(reader) })
      }
      reports.push(
        setReport(dataset, outcomes, {
          ranking: options.ranking,
          tier: options.tier,
          lowercase: options.lowercase,
          titles: options.titles,
          budgets: options.budgets,
          ...(hybrid ? { hybrid } : {}),
          ...(options.ablate ? { ablation } : {}),
          ...(options.iterate ? { iterate: [{ name: 'one hop', outcomes }, ...iterate] } : {}),
          ...(options.typo ? { typo: await slips(outcomes) } : {}),
        }),
      )
    }
  } finally {
    await source?.close()
  }
  io.print(terminalReport(reports))
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(reports, null, 1)}\n`)
  if (options.markdown !== null) await writeFile(options.markdown, markdownReport(reports))
  return reports
}

function prepare(dataset: Dataset, { lowercase, titles, limit }: BenchOptions): Dataset {
  const questions = dataset.questions.slice(0, limit)
  if (questions.length === 0)
    throw new HubmeshError(
      'input/invalid',
      `${dataset.name} has no question whose gold passages are in its corpus.`,
    )
  return {
    ...dataset,
    passages: titles
      ? dataset.passages
      : dataset.passages.map((passage) => ({ ...passage, title: '' })),
    questions: lowercase
      ? questions.map((question) => ({ ...question, question: question.question.toLowerCase() }))
      : questions,
  }
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((name) => name === value)
  if (found === undefined)
    throw new HubmeshError(
      'input/invalid',
      `${option} is ${JSON.stringify(value)}; it must be one of ${known.join(', ')}.`,
    )
  return found
}

function whole(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1)
    throw new HubmeshError(
      'input/invalid',
      `${option} is ${JSON.stringify(value)}; it must be a whole number of 1 or more.`,
    )
  return Number(value)
}
