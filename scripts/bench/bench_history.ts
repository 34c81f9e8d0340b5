/**
 * Follow-up questions: two-hop questions split in two turns, the second with a pronoun in place of
 * the first one's answer. Recall@5 of the second turn's passage, beside that of the whole question
 * and of the second turn without history: `npm run bench:history -- [--cache DIR]`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readDataset } from '../../src/bench/dataset.ts'
import { RankedSystem } from '../../src/bench/ranked_system.ts'
import { openVectors } from '../../src/bench/vector_source.ts'

interface Turns {
  readonly whole: string
  readonly first: string
  readonly answer: string
  readonly second: string
  readonly gold: string
}
interface Line {
  readonly question: string
  readonly type: string
  readonly gold: readonly string[]
  readonly evidences?: readonly (readonly [string, string, string])[]
  readonly decomposition?: readonly { readonly question: string; readonly answer: string }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url)),
  AT = 5
const { values } = parseArgs({
  options: { cache: { type: 'string', default: join(root, '.cache/vectors') } },
})

/** "#1 >> country" -> "What is its country?"; "when did the us stop trading with #1" -> "… with it". */
function withPronoun(step: string): string {
  const relation = /^#1 >> (.+)$/.exec(step)
  if (relation) return `What is its ${relation[1]}?`
  const text = step.replace(/#1\s?['\u2019]s\b/g, 'its').replace(/#1/g, 'it')
  return /\?\s*$/.test(text) ? text : `${text}?`
}

function stated(step: string): string {
  const relation = /^(.+) >> (.+)$/.exec(step)
  return relation ? `What is the ${relation[2]} of ${relation[1]}?` : step
}

function turnsOf({ question, type, gold, evidences, decomposition }: Line): Turns | null {
  if (decomposition?.length === 2 && gold.length === 2) {
    const [one, two] = decomposition
    if (!two!.question.includes('#1')) return null
    return {
      ...{ whole: question, first: stated(one!.question), answer: one!.answer },
      ...{ second: withPronoun(two!.question), gold: gold[1]! },
    }
  }
  if (type !== 'compositional' || evidences?.length !== 2 || gold.length !== 2) return null
  const [[subject, relation, answer], [, next]] = evidences as [
    readonly [string, string, string],
    readonly [string, string, string],
  ]
  return {
    ...{ whole: question, first: `What is the ${relation} of ${subject}?`, answer },
    ...{ second: `What is its ${next}?`, gold: gold[1]! },
  }
}

const source = await openVectors({
    vectors: null,
    model: join(root, 'public/models/all-MiniLM-L6-v2'),
    cache: values.cache,
  }),
  io = { progress: (line: string): void => void process.stderr.write(`${line}\n`) }
console.log(`set  tier  questions  recall@${AT} of the second passage: whole, second turn, alone`)
for (const name of ['musique', '2wikimultihopqa']) {
  const directory = join(root, '../shared/data', name),
    dataset = await readDataset(directory),
    vectors = await source.of(dataset, io)
  const turns = (await readFile(join(directory, 'queries.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => turnsOf(JSON.parse(line) as Line) ?? [])
  for (const tier of ['text', 'full'] as const) {
    const system = RankedSystem.of('default')
    await system.index(dataset.passages, tier === 'full' ? vectors.passages : null)
    const recall = async (questions: readonly string[]): Promise<number> => {
      const asked = tier === 'full' ? await source.texts(questions, io) : null
      let found = 0
      for (const [i, question] of questions.entries()) {
        const { ids } = await system.rank(question, asked?.[i] ?? null, AT)
        if (ids.includes(turns[i]!.gold)) found++
      }
      return found / questions.length
    }
    const shares = [
      await recall(turns.map(({ whole }) => whole)),
      await recall(
        turns.map(({ first, answer, second }) => system.completed(second, [first, answer])),
      ),
      await recall(turns.map(({ second }) => second)),
    ]
    console.log(
      `${name}  ${tier}  ${turns.length}  ${shares.map((share) => share.toFixed(3)).join(', ')}`,
    )
  }
}
await source.close()
