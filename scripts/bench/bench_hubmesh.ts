/**
 * The time of an answer beside hubmesh for Python, in turns on one machine.
 *
 * HUBMESH_PYTHON=/path/of/python npm run bench:hubmesh -- [--passages N] [--questions 60] [--rounds
 * 3] [--top-k 10] [--budget 4000]
 *
 * The interpreter needs hubmesh 0.4.2 (`pip install hubmesh==0.4.2`). Both answer from the same
 * passages, names, graph and vectors: ours are written as a folder of hubmesh for Python. A
 * question's vector and, for Python, its names are at hand; there spaCy would read them first.
 * Without `--passages` the corpus is HotpotQA's with its own questions; with it, that many passages
 * of all sets. A question's time is its least.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CorpusManager } from '../../src/registry/corpus_manager.ts'
import { hashedVector } from '../../src/embed/hashing.ts'
import { hubmeshVersion, PythonPlanner } from './bench_hubmesh/python_planner.ts'
import { documentsOf, readCorpora } from './bench_scale/corpora.ts'
import { spreadOf } from './bench_scale/figures.ts'
import { benchEmbedder, DIMS } from './bench_scale/inside.ts'

const { values } = parseArgs({
  options: {
    passages: { type: 'string' },
    questions: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    'top-k': { type: 'string', default: '10' },
    budget: { type: 'string', default: '4000' },
  },
})
function whole(name: keyof typeof values): number {
  const number = Number(values[name])
  if (!Number.isSafeInteger(number) || number < 1)
    throw new RangeError(`--${name} takes a whole number from 1, not ${values[name]}.`)
  return number
}
const rounds = whole('rounds'),
  topK = whole('top-k'),
  budget = whole('budget'),
  count = whole('questions')
const python = process.env['HUBMESH_PYTHON'] ?? 'python3',
  version = hubmeshVersion(python)
if (version === null)
  throw new Error(
    `${python} has no hubmesh. Install it (pip install hubmesh==0.4.2) and name that interpreter in HUBMESH_PYTHON.`,
  )

const corpora = await readCorpora(count)
if (values.passages === undefined && corpora.hotpotqa === null)
  throw new Error(
    'The question sets are not beside the repository. Give --passages: then the sample and ' +
      'passages of its sentences are asked.',
  )
const { passages, questions } =
  values.passages === undefined && corpora.hotpotqa
    ? corpora.hotpotqa
    : { passages: corpora.passages(whole('passages')), questions: corpora.questions }
const asked = questions.slice(0, count)

const root = await mkdtemp(join(tmpdir(), 'hubmesh-beside-')),
  embedder = benchEmbedder(),
  manager = new CorpusManager(join(root, 'ours'), { embedder })
try {
  await manager.build('beside', documentsOf(passages))
  const engine = await manager.load('beside')
  await engine.ready('vectors')
  await engine.ready('settled')
  await manager.exportPythonTo('beside', join(root, 'python', 'beside'))
  const theirs = await PythonPlanner.start(
    python,
    join(root, 'python'),
    'beside',
    embedder.identity.model,
  )
  const least = asked.map(() => ({ ours: Infinity, theirs: Infinity })),
    names: string[][] = []
  // Round by round in turns, not question by question: after a second of Python's work in another
  // process an answer of some milliseconds would be one of cold caches.
  for (let round = 0; round <= rounds; round++) {
    // the first one warms both and does not count
    for (const [i, question] of asked.entries()) {
      const queryVector = hashedVector(question, DIMS),
        from = performance.now()
      const { debug } = await engine.retrieve(question, {
          queryVector,
          topK,
          budgetTokens: budget,
        }),
        ms = performance.now() - from,
        best = least[i]
      names[i] = debug.seeds.filter(({ origin }) => origin === 'question').map(({ label }) => label)
      if (round > 0 && best) best.ours = Math.min(best.ours, ms)
    }
    for (const [i, question] of asked.entries()) {
      const ms = await theirs.ask({
          question,
          names: names[i] ?? [],
          vector: [...hashedVector(question, DIMS)],
          topK,
          budget,
        }),
        best = least[i]
      if (round > 0 && best) best.theirs = Math.min(best.theirs, ms)
    }
  }
  const { nodes, edges } = theirs.graph,
    ours = spreadOf(least.map((x) => x.ours)),
    python3 = spreadOf(least.map((x) => x.theirs)),
    ratio = spreadOf(least.map((x) => x.theirs / x.ours))
  console.log(
    `${passages.length} passages, ${nodes} nodes and ${edges} edges, ${asked.length} ` +
      `questions, topK ${topK}, budget ${budget}, least of ${rounds}; ms p50 / p95`,
  )
  console.log(
    `hubmesh for Python ${version}   ${python3.p50.toFixed(0)} / ${python3.p95.toFixed(0)}`,
  )
  console.log(`this package               ${ours.p50.toFixed(1)} / ${ours.p95.toFixed(1)}`)
  console.log(
    `times, p50 of p50          ${(python3.p50 / ours.p50).toFixed(0)}; question by question, ` +
      `p50 ${ratio.p50.toFixed(0)}`,
  )
  await theirs.close()
} finally {
  await manager.close()
  await rm(root, { recursive: true, force: true })
}
