/** Which of the ranked documents become sources, and how much of them fits the budget. */
import { sentenceSpans } from '../../chunk/sentence_spans.ts'
import type { PlannerDocument, PlannerOmission } from './result.ts'

/** Ranks looked at for each source wanted. */
export const CANDIDATES_PER_SOURCE = 5
const NEAR_DUPLICATE = 0.95
const SEPARATOR = '\n\n'

export interface Candidate {
  readonly document: PlannerDocument
  readonly rank: number
  readonly compositeScore: number
  /** Of unit length. */
  readonly vector: Float32Array | null
}

/**
 * Takes the best `topK` in order, and leaves out those whose text is a source already, and those
 * that are more than .95 similar to one and whose score does not outweigh it: (1 - lambda) * score
 * < lambda * similarity. What is left is not ranked again.
 */
export function selectSources<T extends Candidate>(
  ranked: readonly T[],
  topK: number,
  redundancyLambda: number,
): { picked: T[]; omitted: PlannerOmission[] } {
  const picked: T[] = [],
    omitted: PlannerOmission[] = [],
    texts = new Set<string>()
  for (const candidate of ranked) {
    if (picked.length >= topK) break
    const { document, rank } = candidate
    if (texts.has(document.text)) {
      omitted.push({ id: document.id, rank, reason: 'duplicate' })
      continue
    }
    const similarity = nearest(candidate, picked)
    if (
      similarity > NEAR_DUPLICATE &&
      (1 - redundancyLambda) * candidate.compositeScore < redundancyLambda * similarity
    ) {
      omitted.push({ id: document.id, rank, reason: 'redundant' })
      continue
    }
    picked.push(candidate)
    texts.add(document.text)
  }
  return { picked, omitted }
}

export interface PackedContext {
  readonly context: string
  /** Number of each document's block, from 1; null where it is not in the context. */
  readonly blocks: readonly (number | null)[]
  readonly warnings: readonly string[]
}

/**
 * Packs whole documents, best first, as `[n] text`; one that would take the context past the budget
 * is passed over. Tokens are counted on the very string that would be given, as counts of pieces do
 * not add up. Where not one fits, the best is cut behind its last sentence that does.
 */
export function packContext(
  documents: readonly PlannerDocument[],
  budgetTokens: number,
  countTokens: (text: string) => number,
): PackedContext {
  let context = '',
    last = 0
  const blocks = documents.map((document) => {
    const longer = `${context}${last === 0 ? '' : SEPARATOR}[${last + 1}] ${blockText(document)}`
    if (countTokens(longer) > budgetTokens) return null
    context = longer
    return ++last
  })
  const best = documents[0]
  if (last > 0 || !best) return { context, blocks, warnings: [] }
  const text = blockText(best)
  const cuts = sentenceSpans(text).map((sentence) => `[1] ${text.slice(0, sentence.end)}`)
  // A longer text has hardly ever fewer tokens: halve first, then make sure.
  let low = 0,
    high = cuts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (countTokens(cuts[middle]!) <= budgetTokens) low = middle + 1
    else high = middle
  }
  const cut = low === 0 ? null : cuts[low - 1]!
  if (cut === null || countTokens(cut) > budgetTokens) {
    return {
      context: '',
      blocks,
      warnings: [
        `A budget of ${budgetTokens} tokens holds not one sentence of the best document; the context is empty.`,
      ],
    }
  }
  return {
    context: cut,
    blocks: blocks.map((_, i) => (i === 0 ? 1 : null)),
    warnings: [
      `A budget of ${budgetTokens} tokens holds no whole document; the best one was cut at a sentence end.`,
    ],
  }
}

function blockText(document: PlannerDocument): string {
  return document.title === '' ? document.text : `${document.title}\n${document.text}`
}

function nearest(candidate: Candidate, picked: readonly Candidate[]): number {
  let most = -Infinity
  if (!candidate.vector) return most
  for (const other of picked) {
    if (!other.vector) continue
    let sum = 0
    for (let i = 0; i < candidate.vector.length; i++) sum += candidate.vector[i]! * other.vector[i]!
    most = Math.max(most, sum)
  }
  return most
}
