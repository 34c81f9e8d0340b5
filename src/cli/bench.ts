/** Owns `hubmesh bench`: options, progress and files of a measurement. Refuses: figures, which src/evaluate makes. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { modelFolder } from '../corpora/package_files.ts'
import type { Embedder } from '../embed/embedder.ts'
import { manifestFor } from '../embed/manifests.ts'
import { NodeEmbedder } from '../embed/node_embedder.ts'
import { HubmeshError } from '../errors.ts'
import { readDataset, type Dataset } from '../evaluate/dataset.ts'
import { evaluate, type EvaluateOptions, type QuestionOutcome } from '../evaluate/evaluate.ts'
import { markdownReport, terminalReport } from '../evaluate/layout.ts'
import { decodeNpy, encodeNpy } from '../evaluate/npy.ts'
import { ABLATIONS, RankedSystem, RANKINGS, type RankingName } from '../evaluate/ranked_system.ts'
import { setReport, type SetReport } from '../evaluate/set_report.ts'
import { VectorCache } from '../evaluate/vector_cache.ts'
import { createTokenCounter } from '../pack/token_counter.ts'

export const BENCH_HELP = `hubmesh bench DIR... [options]
Measures retrieval and packing on question sets: folders with corpus.jsonl {id,title?,text} and
queries.jsonl {id,question,gold,answer?,type?,hops?}, or BEIR folders (corpus.jsonl, queries.jsonl, qrels/*.tsv).

  --ranking NAME       ${RANKINGS.join(' | ')} (default: default)
  --tier full|text     text uses no vectors (default: full)
  --lowercase          questions in lower case
  --no-titles          passages without their titles
  --budget N           token budget of a packed context; may be repeated, or given as N,N
  --counter NAME       approx | o200k | cl100k (default: approx)
  --ablate             each part of the default ranking off, one at a time
  --limit N            the first N questions of each set
  --model DIR          folder of a known model (default: the package's all-MiniLM-L6-v2)
  --cache DIR          folder of kept vectors (default: .cache/vectors)
  --vectors DIR        vectors from SET.corpus.npy and SET.queries.npy instead of a model
  --dump-vectors DIR   writes the vectors used, as SET.corpus.npy and SET.queries.npy
  --json FILE          one object per set
  --markdown FILE      the printed tables as Markdown`

export interface BenchOptions {
  readonly directories: readonly string[]
  readonly ranking: RankingName
  readonly tier: 'full' | 'text'
  readonly lowercase: boolean
  readonly titles: boolean
  readonly budgets: readonly number[]
  readonly counter: 'approx' | 'o200k' | 'cl100k'
  readonly ablate: boolean
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
  const text = { type: 'string' } as const, flag = { type: 'boolean', default: false } as const
  let parsed
  try {
    parsed = parseArgs({
      args: [...args], allowPositionals: true, strict: true,
      options: {
        ranking: { ...text, default: 'default' }, tier: { ...text, default: 'full' }, lowercase: flag, 'no-titles': flag, budget: { ...text, multiple: true },
        counter: { ...text, default: 'approx' }, ablate: flag, limit: text, model: text, cache: { ...text, default: '.cache/vectors' },
        vectors: text, 'dump-vectors': text, json: text, markdown: text,
      },
    })
  } catch (cause) {
    throw new HubmeshError('input/invalid', `${cause instanceof Error ? cause.message : 'The options cannot be read'}\nSee: hubmesh bench --help`, { cause })
  }
  // `--budget 500 1000`: the numbers behind the option are budgets, not folders
  const { values, positionals } = parsed, numbers = values.budget === undefined ? [] : positionals.filter((word) => /^\d+$/.test(word) && !existsSync(word))
  const directories = positionals.filter((word) => !numbers.includes(word))
  if (directories.length === 0) throw new HubmeshError('input/invalid', 'Name at least one folder with a question set.\nSee: hubmesh bench --help')
  return {
    directories,
    ranking: oneOf('--ranking', values.ranking, RANKINGS),
    tier: oneOf('--tier', values.tier, ['full', 'text']),
    lowercase: values.lowercase, titles: !values['no-titles'],
    budgets: [...new Set([...(values.budget ?? []).flatMap((value) => value.split(',')), ...numbers].map((value) => whole('--budget', value)))].sort((a, b) => a - b),
    counter: oneOf('--counter', values.counter, ['approx', 'o200k', 'cl100k']),
    ablate: values.ablate,
    limit: values.limit === undefined ? Infinity : whole('--limit', values.limit),
    model: values.model ?? modelFolder('all-MiniLM-L6-v2'),
    cache: values.cache, vectors: values.vectors ?? null, dump: values['dump-vectors'] ?? null,
    json: values.json ?? null, markdown: values.markdown ?? null,
  }
}

/** Measures, prints the tables through `print` and progress through `progress`, writes the files asked for. */
export async function runBench(options: BenchOptions, io: { readonly print: (text: string) => void; readonly progress: (line: string) => void; readonly signal?: AbortSignal }): Promise<SetReport[]> {
  if (options.tier === 'text' && options.ranking === 'cosine') throw new HubmeshError('input/invalid', '--ranking cosine needs vectors; leave out --tier text.')
  const countTokens = await createTokenCounter(options.counter)
  const source = options.tier === 'text' ? null : await openVectors(options)
  const reports: SetReport[] = []
  try {
    for (const directory of options.directories) {
      const dataset = prepare(await readDataset(directory), options)
      const vectors = source === null ? null : await source.of(dataset, io)
      if (vectors !== null && options.dump !== null) await dump(options.dump, dataset.name, vectors)
      io.progress(`${dataset.name}: indexing ${dataset.passages.length} passages`)
      const system = RankedSystem.of(options.ranking)
      await system.index(dataset.passages, vectors?.passages ?? null)
      const run = (which: RankedSystem, budgets: readonly number[]): Promise<QuestionOutcome[]> => {
        const settings: EvaluateOptions = { budgets, countTokens, onProgress: (done, total) => { if (done % 20 === 0 || done === total) io.progress(`${dataset.name}: ${which.name}, ${done} of ${total} questions`) }, ...(io.signal ? { signal: io.signal } : {}) }
        return evaluate(dataset, which, vectors?.questions ?? null, settings)
      }
      const outcomes = await run(system, options.budgets)
      const hybrid = options.ranking === 'default' ? await run(system.variantOf('hybrid'), []) : undefined
      const ablation: { name: string; outcomes: QuestionOutcome[] }[] = []
      if (options.ablate) for (const { name, weights } of ABLATIONS) ablation.push({ name, outcomes: await run(system.variant(name, weights), []) })
      reports.push(setReport(dataset, outcomes, {
        ranking: options.ranking, tier: options.tier, lowercase: options.lowercase, titles: options.titles, budgets: options.budgets,
        ...(hybrid ? { hybrid } : {}), ...(options.ablate ? { ablation } : {}),
      }))
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
  if (questions.length === 0) throw new HubmeshError('input/invalid', `${dataset.name} has no question whose gold passages are in its corpus.`)
  return {
    ...dataset,
    passages: titles ? dataset.passages : dataset.passages.map((passage) => ({ ...passage, title: '' })),
    questions: lowercase ? questions.map((question) => ({ ...question, question: question.question.toLowerCase() })) : questions,
  }
}

interface SetVectors { readonly passages: readonly Float32Array[]; readonly questions: readonly Float32Array[] }
interface VectorSource {
  of(dataset: Dataset, io: { readonly progress: (line: string) => void; readonly signal?: AbortSignal }): Promise<SetVectors>
  close(): Promise<void>
}

async function openVectors(options: BenchOptions): Promise<VectorSource> {
  if (options.vectors !== null) return { of: (dataset) => readVectors(options.vectors as string, dataset), close: () => Promise.resolve() }
  const cache = await VectorCache.open(options.cache, manifestFor(options.model).identity)
  let open: Promise<Embedder> | null = null
  const embedder = (): Promise<Embedder> => (open ??= NodeEmbedder.open({ model: resolve(options.model) }))
  return {
    async of(dataset, { progress, signal }) {
      const started = performance.now()
      const onProgress = ({ done, total }: { done: number; total: number }): void => { progress(`${dataset.name}: ${done} of ${total} new vectors, ${(done / ((performance.now() - started) / 1000)).toFixed(0)} a second`) }
      const settings = { onProgress, ...(signal ? { signal } : {}) }
      return {
        passages: await cache.vectors(dataset.passages.map(({ title, text }) => (title === '' ? text : `${title}. ${text}`)), 'passage', embedder, settings),
        questions: await cache.vectors(dataset.questions.map(({ question }) => question), 'query', embedder, settings),
      }
    },
    async close() { if (open !== null) await (await open).close() },
  }
}

async function readVectors(directory: string, dataset: Dataset): Promise<SetVectors> {
  const read = async (what: string, least: number): Promise<Float32Array[]> => {
    const file = join(directory, `${dataset.name}.${what}.npy`)
    const { rows } = decodeNpy(await readFile(file).catch((cause: unknown) => { throw new HubmeshError('input/invalid', `${file} cannot be read.`, { cause }) }))
    if (rows.length < least) throw new HubmeshError('input/invalid', `${file} has ${rows.length} rows for ${least} ${what}.`)
    return rows.slice(0, least)
  }
  return { passages: await read('corpus', dataset.passages.length), questions: await read('queries', dataset.questions.length) }
}

async function dump(directory: string, name: string, vectors: SetVectors): Promise<void> {
  await mkdir(directory, { recursive: true })
  const dims = vectors.passages[0]?.length ?? 0
  await writeFile(join(directory, `${name}.corpus.npy`), encodeNpy(vectors.passages, dims))
  await writeFile(join(directory, `${name}.queries.npy`), encodeNpy(vectors.questions, dims))
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((name) => name === value)
  if (found === undefined) throw new HubmeshError('input/invalid', `${option} is ${JSON.stringify(value)}; it must be one of ${known.join(', ')}.`)
  return found
}

function whole(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1) throw new HubmeshError('input/invalid', `${option} is ${JSON.stringify(value)}; it must be a whole number of 1 or more.`)
  return Number(value)
}
