/**
 * Two-hop questions over paragraphs of Wikipedia (a part of the sample that comes with the demo):
 * how many have both paragraphs that are needed among the first two, by meaning alone, by meaning
 * and words, and with the graph of names.
 *
 * Run: npx tsx examples/multi_hop.ts
 */
import { readFileSync } from 'node:fs'
import { createEngine } from 'hubmesh/node'

interface Paragraph {
  readonly id: string
  readonly title: string
  readonly text: string
}
interface Question {
  readonly question: string
  readonly answer: string
  readonly gold: readonly string[]
  readonly type: string
}

const sample = new URL('../public/samples/hotpotqa_train100/', import.meta.url)
const read = <T>(file: string): T[] =>
  readFileSync(new URL(file, sample), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const questions = read<Question>('queries.jsonl')
  .filter(({ type }) => type === 'bridge')
  .slice(0, 24)
const needed = new Set(questions.flatMap(({ gold }) => gold))
const paragraphs = read<Paragraph>('corpus.jsonl').filter(
  ({ id }, i) => needed.has(id) || i % 12 === 0,
)

const engine = await createEngine({
  corpus: 'films',
  model: new URL('../public/models/all-MiniLM-L6-v2/', import.meta.url),
})
await engine.add(paragraphs)
await engine.ready('vectors')

const found = { meaning: 0, 'meaning and words': 0, hubmesh: 0 }
for (const { question, gold } of questions) {
  const both = (sources: readonly { readonly documentId: string }[]): number =>
    gold.every((id) => sources.some(({ documentId }) => documentId === id)) ? 1 : 0
  found.meaning += both(await engine.search(question, { topK: 2, mode: 'dense' }))
  found['meaning and words'] += both(await engine.search(question, { topK: 2, mode: 'hybrid' }))
  found.hubmesh += both((await engine.retrieve(question, { topK: 2 })).sources)
}

console.log(
  `${paragraphs.length} paragraphs, ${questions.length} questions; both paragraphs among the first two:`,
)
for (const [ranking, count] of Object.entries(found))
  console.log(`  ${ranking.padEnd(18)} ${count}`)

const asked = questions.find(({ gold }) => gold.includes('Young, New South Wales'))!
const { sources, reasoning, context } = await engine.retrieve(asked.question, {
  topK: 3,
  budgetTokens: 400,
})
console.log(`\n${asked.question}`)
for (const { rank, title } of sources) console.log(`  ${rank} ${title}`)
console.log(`  ${reasoning[0]!.sentence}`)
console.log(`  in the context: ${context.includes(asked.answer)}`)
await engine.close()
