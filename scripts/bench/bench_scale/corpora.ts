/** Which documents and questions the scale bench takes. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDataset, type BenchPassage } from '../../../src/bench/dataset.ts'
import { corpusOfSize, questionsOf, unite } from '../../../src/bench/scale_corpus.ts'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const DATA = join(ROOT, '../shared/data'),
  SAMPLE = join(ROOT, 'public/samples')
const SETS = [
  'hotpotqa',
  '2wikimultihopqa',
  'musique',
  'squad_xquad_en',
  'doc2dial_help',
  'gitlab_handbook',
  'scifact',
  'hotpotqa_train100',
  'musique_train',
]

export interface ScaleCorpora {
  /** Whether all sets are there; else the package's sample, paired up to any size. */
  readonly complete: boolean
  readonly passages: (size: number) => BenchPassage[]
  readonly questions: readonly string[]
  readonly hotpotqa: {
    readonly passages: readonly BenchPassage[]
    readonly questions: readonly string[]
  } | null
}

export async function readCorpora(questions: number): Promise<ScaleCorpora> {
  const complete = SETS.every((name) => existsSync(join(DATA, name, 'corpus.jsonl')))
  const sets = await Promise.all(
    complete
      ? SETS.map((name) => readDataset(join(DATA, name)))
      : [readDataset(join(SAMPLE, 'hotpotqa_train100'))],
  )
  const united = unite(sets),
    [first] = sets
  return {
    complete,
    passages: (size) => corpusOfSize(united, size),
    questions: questionsOf(sets, questions),
    hotpotqa:
      complete && first
        ? {
            passages: first.passages,
            questions: first.questions.map(({ question }) => question).slice(0, questions * 2),
          }
        : null,
  }
}

/** Documents as add() takes them. */
export const documentsOf = (
  passages: readonly BenchPassage[],
): { id: string; title: string; text: string }[] =>
  passages.map(({ id, title, text }) => ({ id, title, text }))

/**
 * What is added, changed and removed one at a time: texts of the corpus with a name nobody else
 * has.
 */
export const CHANGES = 5
export function changeOf(
  passages: readonly BenchPassage[],
  i: number,
): { text: string; question: string; name: string } {
  const name = `Zorblax Quuxman ${'ABCDE'[i]}`
  return {
    name,
    text: `${name} was here. ${passages[(i * 977 + 31) % passages.length]?.text ?? ''}`,
    question: `Where was ${name}?`,
  }
}
