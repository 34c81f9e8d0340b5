/**
 * The figures of scale: what a corpus of 1,000 to 72,000 passages costs and gives, in Node and in a
 * real Chromium.
 *
 * npm run bench:scale -- [--sizes 1000,4000,16000,36450,72000] [--hosts node,chromium] [--quick]
 * [--hnsw 16000] [--no-write]
 *
 * Corpora are the question sets beside the repository laid together; past their end, passages of
 * their sentences paired anew. Vectors are those of the hashing embedder with a model's dimensions.
 * `--quick` measures the two smallest sizes with a quarter of the questions, and writes nothing.
 * Otherwise docs/scale.json, docs/charts/*.svg and the tables between the markers of docs/scale.md
 * are written.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LocalEngine } from '../../src/engine/engine.ts'
import { documentsOf, readCorpora, ROOT } from './bench_scale/corpora.ts'
import { drawChart } from './bench_scale/charts.ts'
import type { Answers, Host, ScaleReport, SizeFigures } from './bench_scale/figures.ts'
import { ChromiumBench } from './bench_scale/in_chromium.ts'
import { measureInNode, roundsOf } from './bench_scale/in_node.ts'
import { benchEmbedder } from './bench_scale/inside.ts'
import { between, chartsOf, tablesOf } from './bench_scale/report.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string' },
    hosts: { type: 'string', default: 'node,chromium' },
    quick: { type: 'boolean', default: false },
    hnsw: { type: 'string', default: '16000' },
    'no-write': { type: 'boolean', default: false },
  },
})
const QUESTIONS = values.quick ? 45 : 180,
  ROUNDS = 3
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const started = performance.now(),
  elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`

const corpora = await readCorpora(QUESTIONS)
if (!corpora.complete)
  print(
    'The question sets are not beside the repository: the sample and passages of its sentences are measured instead.',
  )
const sizes = (
  values.sizes?.split(',').map(Number) ??
  (values.quick ? [1000, 4000] : [1000, 4000, 16_000, 36_450, 72_000])
).sort((a, b) => a - b)
const hosts = values.hosts.split(',') as Host[]
if (
  sizes.some((size) => !Number.isInteger(size) || size < 100) ||
  hosts.some((host) => host !== 'node' && host !== 'chromium')
)
  throw new Error('--sizes takes whole numbers from 100, --hosts node and chromium.')

const figures: SizeFigures[] = []
let browser: string | null = null
const report = (hotpotqa: Answers | null): ScaleReport => ({
  cores: availableParallelism(),
  node: process.versions.node,
  browser,
  load: loadavg()[0] ?? 0,
  figures,
  hotpotqa,
})

let hotpotqa: Answers | null = null
if (hosts.includes('node')) {
  // first, as it is measured alone: ten times its passages leave a heap that slows it
  if (corpora.hotpotqa && !values.quick) hotpotqa = await measureHotpotqa(corpora.hotpotqa)
  for (const size of sizes) {
    figures.push(
      await measureInNode(corpora.passages(size), {
        questions: corpora.questions,
        rounds: ROUNDS,
        hnswUpTo: Number(values.hnsw),
      }),
    )
    print(`node ${size}: measured after ${elapsed()}`)
  }
}
if (hosts.includes('chromium')) {
  const chromium = await ChromiumBench.start()
  browser = chromium.version
  try {
    for (const size of sizes) {
      figures.push(await chromium.measure(corpora.passages(size), corpora.questions, ROUNDS))
      print(`chromium ${size}: measured after ${elapsed()}`)
    }
  } finally {
    await chromium.close()
  }
}

const done = report(hotpotqa),
  tables = tablesOf(done)
print(`\n${tables}`)
if (!values.quick && !values['no-write']) write(done, tables)
print(`Done after ${elapsed()}.`)

function write(of: ScaleReport, text: string): void {
  const docs = join(ROOT, 'docs')
  mkdirSync(join(docs, 'charts'), { recursive: true })
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : value
  writeFileSync(join(docs, 'scale.json'), `${JSON.stringify(of, rounded, 1)}\n`)
  for (const [name, chart] of chartsOf(of))
    writeFileSync(join(docs, 'charts', `${name}.svg`), drawChart(chart))
  const file = join(docs, 'scale.md')
  writeFileSync(file, between(readFileSync(file, 'utf8'), text))
}

async function measureHotpotqa({
  passages,
  questions,
}: NonNullable<typeof corpora.hotpotqa>): Promise<Answers> {
  const engine = await LocalEngine.open({
    corpus: 'scale',
    storage: 'memory',
    embedder: benchEmbedder(),
    chunk: { strategy: 'none' },
  })
  await engine.add(documentsOf(passages))
  await engine.ready('vectors')
  await engine.ready('settled')
  const answers = await roundsOf(engine, questions, 'full', ROUNDS)
  await engine.close()
  return answers
}
