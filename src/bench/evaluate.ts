/** Measures one system on one set. */
import { throwIfAborted } from '../base/errors.ts'
import type { PackCandidate } from '../pack/candidates.ts'
import { packContext } from '../pack/pack.ts'
import type { TokenCounter } from '../types.ts'
import { answerMetrics, type AnswerMetrics } from './answer_metrics.ts'
import { contextMetrics, greedyMetrics, type ContextMetrics } from './context_metrics.ts'
import type { BenchPassage, BenchQuestion, Dataset } from './dataset.ts'
import {
  questionMetrics,
  RECALL_AT,
  textClasses,
  type QuestionMetrics,
  type TextClasses,
} from './metrics.ts'
import { pathMetrics, PATHS, type PathGold, type PathMetrics } from './path_metrics.ts'
import type { BenchSystem, RankedAnswer } from './system.ts'

export const PACK_DEPTH = 40

export interface EvaluateOptions {
  readonly budgets: readonly number[]
  readonly countTokens: TokenCounter
  readonly paths?: boolean
  /** Judges the short answer too; gives cosines of the i-th question with sentences. */
  readonly compare?: (
    question: number,
    texts: readonly string[],
  ) => Promise<readonly number[] | null>
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

export interface QuestionOutcome {
  readonly id: string
  readonly type: string | null
  readonly hops: number | null
  readonly metrics: QuestionMetrics
  readonly ranked: readonly string[]
  readonly seeds: readonly string[]
  readonly timings: Readonly<Record<string, number>>
  /** By position in `budgets`. */
  readonly packed: readonly ContextMetrics[]
  readonly greedy: readonly ContextMetrics[]
  readonly paths: PathMetrics | null
  readonly answer: AnswerMetrics | null
}

/** Asks every question. `queryVectors` in the order of the questions, null on the text tier. */
export async function evaluate(
  dataset: Dataset,
  system: BenchSystem,
  queryVectors: readonly Float32Array[] | null,
  options: EvaluateOptions,
): Promise<QuestionOutcome[]> {
  const classes = textClasses(dataset.passages),
    passages = new Map(dataset.passages.map((passage) => [passage.id, passage]))
  const depth = options.budgets.length > 0 ? PACK_DEPTH : RECALL_AT[RECALL_AT.length - 1]!
  const outcomes: QuestionOutcome[] = []
  for (const [i, question] of dataset.questions.entries()) {
    throwIfAborted(options.signal)
    const answer = await system.rank(question.question, queryVectors?.[i] ?? null, depth)
    const timings = new Map(Object.entries(answer.timings))
    const candidates = candidatesOf(answer, passages)
    const { packed, greedy } = packedAt(
      options,
      candidates,
      answer.ids,
      question,
      passages,
      classes,
      timings,
    )
    const paths = options.paths
      ? pathMetrics(answer.paths(PATHS), pathGold(question, passages), classes)
      : null
    const { compare } = options
    const short = compare
      ? await answerMetrics(
          question,
          answer,
          passages,
          (texts) => compare(i, texts),
          options.countTokens,
        )
      : null
    outcomes.push({
      id: question.id,
      type: question.type,
      hops: question.hops,
      metrics: questionMetrics(answer.ids, question.gold, classes),
      ranked: answer.ids,
      seeds: answer.seeds,
      timings: Object.fromEntries(timings),
      packed,
      greedy,
      paths,
      answer: short,
    })
    options.onProgress?.(i + 1, dataset.questions.length)
    if (i % 16 === 15) await new Promise((resolve) => setTimeout(resolve, 0)) // lets Ctrl-C in
  }
  return outcomes
}

function candidatesOf(
  { ids, scores }: RankedAnswer,
  passages: ReadonlyMap<string, BenchPassage>,
): PackCandidate[] {
  return ids.map((id, place) => {
    const { title, text } = passages.get(id)!
    return {
      ...{ rank: place + 1, documentId: id, title, passage: 0, start: 0, end: text.length, text },
      score: scores[place]!,
    }
  })
}

function pathGold(
  { gold, answers }: BenchQuestion,
  passages: ReadonlyMap<string, BenchPassage>,
): PathGold {
  const wanted = answers.map((answer) => answer.toLowerCase())
  const answering = gold.filter((id) => {
    const passage = passages.get(id),
      text = passage ? `${passage.title} ${passage.text}`.toLowerCase() : ''
    return wanted.some((answer) => answer !== '' && text.includes(answer))
  })
  return { gold, answering }
}

function packedAt(
  { budgets, countTokens }: EvaluateOptions,
  candidates: readonly PackCandidate[],
  ranked: readonly string[],
  question: BenchQuestion,
  passages: ReadonlyMap<string, BenchPassage>,
  classes: TextClasses,
  timings: Map<string, number>,
): { readonly packed: ContextMetrics[]; readonly greedy: ContextMetrics[] } {
  const packed: ContextMetrics[] = [],
    greedy: ContextMetrics[] = []
  for (const budgetTokens of budgets) {
    const started = performance.now()
    const { blocks } = packContext(candidates, {
      budgetTokens,
      countTokens,
      fill: true,
      question: question.question,
    })
    timings.set(`pack ${budgetTokens}`, performance.now() - started)
    packed.push(contextMetrics(blocks, question, passages, classes))
    greedy.push(greedyMetrics(ranked, budgetTokens, countTokens, question, passages, classes))
  }
  return { packed, greedy }
}
