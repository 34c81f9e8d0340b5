/**
 * What a packed context is worth: gold passages and the answer string in it, beside greedy packing.
 */
import { fenced } from '../pack/fence.ts'
import type { ContextBlock, TokenCounter } from '../types.ts'
import type { BenchPassage, BenchQuestion } from './dataset.ts'
import type { TextClasses } from './metrics.ts'

/** Share of a passage's text from which it counts as in the context. */
const IN_FROM = 0.5
export interface ContextMetrics {
  /** 1 where every gold passage has at least half its text in the context. */
  readonly allGold: number
  /** 1 where the context holds a form of the answer string; null for yes, no and none. */
  readonly answer: number | null
}

/** Blocks' spans are offsets into the passage: one corpus line is one document. */
export function contextMetrics(
  blocks: readonly ContextBlock[],
  question: BenchQuestion,
  passages: ReadonlyMap<string, BenchPassage>,
  classes: TextClasses,
): ContextMetrics {
  const held = new Set<number>()
  for (const block of blocks) {
    const length = passages.get(block.documentId)?.text.length ?? 0
    const covered = block.spans.reduce((sum, { start, end }) => sum + end - start, 0)
    if (covered >= IN_FROM * length) held.add(classes.get(block.documentId)!)
  }
  return judge(held, blocks.map((block) => block.text).join(' '), question, classes)
}

/**
 * Whole passages by rank, each that still fits with its header, by the same counter: what most
 * packers do.
 */
export function greedyMetrics(
  ranked: readonly string[],
  budget: number,
  countTokens: TokenCounter,
  question: BenchQuestion,
  passages: ReadonlyMap<string, BenchPassage>,
  classes: TextClasses,
): ContextMetrics {
  const held = new Set<number>(),
    texts: string[] = []
  let left = budget - countTokens(fenced(''))
  for (const [i, id] of ranked.entries()) {
    const passage = passages.get(id)!
    const cost = countTokens(`[${i + 1}] ${passage.title}\n${passage.text}\n\n`)
    if (cost > left) continue
    left -= cost
    held.add(classes.get(id)!)
    texts.push(passage.text)
  }
  return judge(held, texts.join(' '), question, classes)
}

function judge(
  held: ReadonlySet<number>,
  text: string,
  question: BenchQuestion,
  classes: TextClasses,
): ContextMetrics {
  const allGold = question.gold.every((id) => held.has(classes.get(id)!)) ? 1 : 0
  const answers = spanAnswers(question)
  if (answers.length === 0) return { allGold, answer: null }
  const haystack = plain(text)
  return { allGold, answer: answers.some((answer) => haystack.includes(plain(answer))) ? 1 : 0 }
}

/** Forms of the answer that documents may hold: not yes and no. */
export function spanAnswers({ answers }: BenchQuestion): string[] {
  return answers.filter((answer) => !/^(?:yes|no)$/i.test(answer))
}

/** Lower case, white space collapsed. */
export function plain(text: string): string {
  return text.toLowerCase().split(/\s+/).join(' ').trim()
}
