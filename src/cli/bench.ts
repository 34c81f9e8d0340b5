/** `hubmesh bench`: options, progress and files of a measurement. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { HubmeshError } from '../base/errors.ts'
import { readDataset, type Dataset } from '../bench/dataset.ts'
import { markdownReport, terminalReport } from '../bench/layout.ts'
import { Measurement, type MeasureIo, type MeasureOptions } from '../bench/measure.ts'
import { namesReport } from '../bench/names_bench.ts'
import { RANKINGS } from '../bench/ranked_system.ts'
import type { SetReport } from '../bench/set_report.ts'
import { dumpVectors, openVectors, type VectorSource } from '../bench/vector_source.ts'
import { manifestFor } from '../embed/manifests.ts'
import { createTokenCounter } from '../pack/token_counter.ts'
import { modelFolder } from '../registry/package_files.ts'
import type { ModelRuntime, TokenCounter } from '../types.ts'

/** hubmesh: the ranking of the Python package, on this package's names. */
const BENCH_RANKINGS = [...RANKINGS, 'hubmesh'] as const

export const BENCH_HELP = `hubmesh bench DIR... [options]
Measures retrieval and packing on question sets: folders with corpus.jsonl {id,title?,text} and
queries.jsonl {id,question,gold,answer?,type?,hops?}, or BEIR folders (corpus.jsonl, queries.jsonl, qrels/*.tsv).
bench names [DIR]: names found whole, and the share of names among those shown (from the repository only).

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
  --answer             the answer string in the short answer, beside simpler ways
  --limit N            the first N questions of each set
  --model DIR          folder of a known model (default: the package's all-MiniLM-L6-v2)
  --runtime NAME       native (default; needs onnxruntime-node) | wasm
  --cache DIR          folder of kept vectors (default: .cache/vectors)
  --vectors DIR        vectors from SET.corpus.npy and SET.queries.npy instead of running the model; name it by --model
  --dump-vectors DIR   writes the vectors used, as SET.corpus.npy and SET.queries.npy
  --json FILE          one object per set
  --markdown FILE      the printed tables as Markdown`

export interface BenchOptions extends MeasureOptions {
  readonly directories: readonly string[]
  readonly counter: 'approx' | 'o200k' | 'cl100k'
  readonly limit: number
  readonly model: string
  readonly cache: string
  readonly runtime: ModelRuntime
  readonly vectors: string | null
  readonly dump: string | null
  readonly json: string | null
  readonly markdown: string | null
}

/** Where the sets of the hand-checked names lie, beside the repository. */
const NAME_SETS = '../shared/data'

const text = { type: 'string' } as const,
  flag = { type: 'boolean', default: false } as const
const OPTIONS = {
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
  answer: flag,
  limit: text,
  model: text,
  cache: { ...text, default: '.cache/vectors' },
  runtime: { ...text, default: 'native' },
  vectors: text,
  'dump-vectors': text,
  json: text,
  markdown: text,
} as const

/** Throws `input/invalid` naming the wrong word. */
export function parseBench(args: readonly string[]): BenchOptions {
  const { values, positionals } = parsedArgs(args)
  // `--budget 500 1000`: the numbers behind the option are budgets, not folders
  const numbers = values.budget
      ? positionals.filter((word) => /^\d+$/.test(word) && !existsSync(word))
      : [],
    directories = positionals.filter((word) => !numbers.includes(word)),
    budgets = [...(values.budget ?? []).flatMap((value) => value.split(',')), ...numbers]
  if (directories.length === 0)
    throw new HubmeshError(
      'input/invalid',
      'Name at least one folder with a question set.\nSee: hubmesh bench --help',
    )
  const { lowercase, ablate, typo, iterate, paths, answer, cache } = values
  return {
    ...{ directories, lowercase, ablate, typo, iterate, paths, answer, cache },
    ranking: oneOf('--ranking', values.ranking, BENCH_RANKINGS),
    tier: oneOf('--tier', values.tier, ['full', 'text']),
    titles: !values['no-titles'],
    budgets: [...new Set(budgets.map((value) => whole('--budget', value)))].sort((a, b) => a - b),
    counter: oneOf('--counter', values.counter, ['approx', 'o200k', 'cl100k']),
    limit: values.limit === undefined ? Infinity : whole('--limit', values.limit),
    model: values.model ?? modelFolder('all-MiniLM-L6-v2'),
    runtime: oneOf('--runtime', values.runtime, ['native', 'wasm']),
    vectors: values.vectors ?? null,
    dump: values['dump-vectors'] ?? null,
    json: values.json ?? null,
    markdown: values.markdown ?? null,
  }
}

function parsedArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, strict: true, options: OPTIONS })
  } catch (cause) {
    throw new HubmeshError(
      'input/invalid',
      `${cause instanceof Error ? cause.message : 'The options cannot be read'}\nSee: hubmesh bench --help`,
      { cause },
    )
  }
}

/** Measures, prints the tables, and writes the files asked for. */
export async function runBench(
  options: BenchOptions,
  io: MeasureIo & { readonly print: (text: string) => void },
): Promise<SetReport[]> {
  if (options.directories[0] === 'names') {
    for (const line of await namesReport(options.directories[1] ?? NAME_SETS)) io.print(line)
    return []
  }
  checkCombination(options)
  const countTokens = await createTokenCounter(options.counter)
  const source = options.tier === 'text' ? null : await openVectors(options)
  const reports: SetReport[] = []
  try {
    for (const directory of options.directories)
      reports.push(await measured(directory, source, countTokens, options, io))
  } finally {
    await source?.close()
  }
  io.print(terminalReport(reports))
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(reports, null, 1)}\n`)
  if (options.markdown !== null) await writeFile(options.markdown, markdownReport(reports))
  return reports
}

async function measured(
  directory: string,
  source: VectorSource | null,
  countTokens: TokenCounter,
  options: BenchOptions,
  io: MeasureIo,
): Promise<SetReport> {
  const dataset = prepare(await readDataset(directory), options),
    vectors = source === null ? null : await source.of(dataset, io)
  if (vectors !== null && options.dump !== null)
    await dumpVectors(options.dump, dataset.name, vectors)
  const trust = vectors === null ? 1 : manifestFor(options.model).meaningTrust
  return new Measurement(dataset, source, vectors, trust, countTokens, options, io).report()
}

function checkCombination({ ranking, tier, typo, ablate, iterate, paths }: BenchOptions): void {
  const fault =
    tier === 'text' && ranking === 'cosine'
      ? '--ranking cosine needs vectors; leave out --tier text.'
      : typo && ranking !== 'default'
        ? '--typo measures the default ranking; leave out --ranking.'
        : ranking === 'hubmesh' && (tier === 'text' || ablate || iterate || paths)
          ? '--ranking hubmesh needs vectors, and has no parts to leave out, no second hop and no ' +
            'judged paths here; leave out --tier text, --ablate, --iterate and --paths.'
          : null
  if (fault !== null) throw new HubmeshError('input/invalid', fault)
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
