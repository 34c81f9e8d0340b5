/**
 * One hash over the answers of 360 questions, to show that a change of structure changed no answer:
 * `npm run bench:hash -- [--questions N] [--cache DIR]`. The corpus is the union of the sets in
 * ../shared/data; vectors come from the model once and from the cache afterwards.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readDataset } from '../../src/bench/dataset.ts'
import { openVectors } from '../../src/bench/vector_source.ts'
import type { Embedder } from '../../src/embed/embedder.ts'
import { MINILM_INT8 } from '../../src/embed/manifests.ts'
import { LocalEngine } from '../../src/engine/engine.ts'
import type { DocumentInput } from '../../src/types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '360' },
    cache: { type: 'string', default: join(root, '.cache/vectors') },
  },
})
const data = join(root, '../shared/data')
if (!existsSync(data)) throw new Error(`${data} is not here; the question sets are needed.`)

const source = await openVectors({
  vectors: null,
  model: join(root, 'public/models/all-MiniLM-L6-v2'),
  cache: values.cache,
})
const documents: DocumentInput[] = []
const asked: { readonly question: string; readonly vector: Float32Array }[] = []
const sets = readdirSync(data).sort()
const share = Math.ceil(Number(values.questions) / sets.length)
for (const set of sets) {
  const dataset = await readDataset(join(data, set))
  const vectors = await source.of(dataset, {
    progress: (line) => {
      console.error(line)
    },
  })
  dataset.passages.forEach(({ id, title, text }, i) => {
    documents.push({ id: `${set}/${id}`, title, text, vector: vectors.passages[i] as Float32Array })
  })
  for (let i = 0; i < Math.min(share, dataset.questions.length); i++)
    asked.push({
      question: (dataset.questions[i] as { question: string }).question,
      vector: vectors.questions[i] as Float32Array,
    })
}
await source.close()

// Every vector is given; the embedder only names the model.
const embedder: Embedder = {
  identity: MINILM_INT8.identity,
  embed: () => Promise.reject(new Error('No text is embedded here.')),
  close: () => Promise.resolve(),
}
const engine = await LocalEngine.open({
  corpus: 'hash',
  storage: 'memory',
  embedder,
  chunk: { strategy: 'none' },
})
await engine.add(documents)
await engine.ready('settled')
const hash = createHash('sha256')
for (const { question, vector } of asked.slice(0, Number(values.questions))) {
  for (const options of [{ queryVector: vector }, { tier: 'text' }] as const) {
    const { context, sources, reasoning, blocks } = await engine.retrieve(question, options)
    hash.update(JSON.stringify([context, sources, reasoning, blocks]))
  }
}
await engine.close()
console.log(
  `${documents.length} passages, ${Math.min(asked.length, Number(values.questions))} ` +
    `questions, both tiers: ${hash.digest('hex')}`,
)
