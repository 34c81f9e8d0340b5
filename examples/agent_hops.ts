/**
 * An agent that takes several steps. The passage with the answer stands low in the first answer;
 * the agent reads the best passages, and starts the next answer from a name that it read
 * (`seedEntities`, with `questionSeeds: []` in place of the question's own names), without what it
 * has read already (`excludeDocs`). Here the names are written down beside each question; a
 * language model would pick them. Printed: the rank of the passage with the answer, before and
 * after each hop.
 *
 * Run: npx tsx examples/agent_hops.ts
 */
import { readFileSync } from 'node:fs'
import { createEngine } from 'hubmesh/node'

interface Question {
  readonly question: string
  readonly hops: readonly (readonly string[])[]
  readonly gold: string
  readonly answer: string
}

/** Passages that the agent reads of each answer. */
const READ = 3

const read = <T>(file: string): T[] =>
  readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const engine = await createEngine({
  corpus: 'companies',
  model: new URL('../public/models/all-MiniLM-L6-v2/', import.meta.url),
})
await engine.add(read<{ id: string; title: string; text: string }>('companies.jsonl'))
await engine.ready('vectors')

for (const { question, hops, gold, answer } of read<Question>('questions.jsonl')) {
  let { sources, context } = await engine.retrieve(question, { topK: 20 })
  const ranks = [sources.findIndex(({ documentId }) => documentId === gold) + 1]
  const consumed = new Set<string>(),
    seen: string[] = [],
    asked: string[] = []
  for (const names of hops) {
    if (ranks.at(-1)! <= READ) break // it has read the answer
    for (const { documentId, text } of sources.slice(0, READ)) {
      consumed.add(documentId)
      seen.push(text)
    }
    // An agent can only hand back what it has read.
    for (const name of names)
      if (!seen.some((text) => text.includes(name)))
        throw new Error(`${name} is in none of the passages read so far`)
    ;({ sources, context } = await engine.retrieve(question, {
      topK: 20,
      seedEntities: names,
      questionSeeds: [],
      excludeDocs: [...consumed],
      budgetTokens: 200,
    }))
    asked.push(names.join(', '))
    ranks.push(sources.findIndex(({ documentId }) => documentId === gold) + 1)
  }
  console.log(question)
  console.log(`  handed back: ${asked.join('; then ')}`)
  console.log(
    `  rank of the passage that says "${answer}": ${ranks.join(' -> ')}, in 200 tokens of ` +
      `context: ${context.includes(answer)}`,
  )
}
await engine.close()
