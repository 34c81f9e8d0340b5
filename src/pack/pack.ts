/**
 * The packed context: what of the ranked passages is quoted under a hard token budget, what was
 * left out, and why. Pure and deterministic.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { lowerWords } from '../lexical/words.ts'
import {
  BlockDrafts,
  bodyLength,
  bodyOf,
  shownBlock,
  type DraftBlock,
  type Packed,
} from './blocks.ts'
import { readPassage, termReader, type PackCandidate, type Passage } from './candidates.ts'
import { BLOCK_GAP, FENCE_CHARS, fenced, headerOf } from './fence.ts'
import { fnv1a } from '../base/hash.ts'
import { readAsked, type QuestionWords } from './question.ts'
import { pieceRelevance } from './relevance.ts'
import { LEAST_NEW_PASSAGE } from './offers.ts'
import { Selection } from './selection.ts'
import { smallestCut } from './smallest_cut.ts'
import { approximateTokens, tokensOfLength } from './token_counter.ts'
import { visibleText } from './visible.ts'
import type { ContextBlock, Omission, TokenCounter } from '../types.ts'

export interface PackOptions {
  /** Whole number, 1 to LIMITS.budgetTokens: the context's bound by `countTokens`. */
  readonly budgetTokens: number
  /** Any counter; it need be neither additive nor monotone. */
  readonly countTokens: TokenCounter
  /** Its terms decide which sentences of a passage matter; empty keeps to reading order. */
  readonly question?: string
  /** Names to look for besides: injected seeds. */
  readonly names?: readonly string[]
}

export interface PackResult {
  /** `countTokens(context) === contextTokens <= budgetTokens`. */
  readonly context: string
  readonly contextTokens: number
  readonly blocks: readonly ContextBlock[]
  readonly omitted: readonly Omission[]
  readonly warnings: readonly string[]
}

/**
 * Text read before choosing, as a multiple of the budget, and the fewest passages: the best of a
 * few, not of all. Beyond READ_ENOUGH tokens READ_MORE times the budget will do: passages may be
 * packed in part.
 */
const READ_BUDGETS = 4,
  READ_LEAST = 20,
  READ_ENOUGH = 4000,
  READ_MORE = 1.25
/** Times the slack of an estimate is filled up again. */
const REFILLS = 3
/** Share of old shingles from which a passage counts as a copy. */
const COPY = 0.9

/**
 * Packs ranked passages. Order of input does not matter, `rank` does (1 is best). The fence costs
 * about 30 tokens by characters / 4; it is left out, with a warning, only where not even one
 * sentence fits beside it. Throws `input/invalid` for a budget that is no whole number from 1 to
 * LIMITS.budgetTokens. `words`: those of the question, where they have been read before.
 */
export function packContext(
  candidates: readonly PackCandidate[],
  options: PackOptions,
  words?: QuestionWords,
): PackResult {
  const { budgetTokens: budget, countTokens } = options
  if (!Number.isSafeInteger(budget) || budget < 1 || budget > LIMITS.budgetTokens) {
    throw new HubmeshError(
      'input/invalid',
      `budgetTokens is ${String(budget)}; give a whole number from 1 to ${LIMITS.budgetTokens}.`,
    )
  }
  const omitted: Omission[] = [],
    warnings: string[] = []
  const omit: Omit = ({ rank, documentId, passage }, reason) => {
    omitted.push({ rank, documentId, passage, reason })
  }
  const { terms, wantsNumber } = readAsked(options.question ?? '', words)
  const passages = readBest(candidates, terms, options, omit)
  const relevance = pieceRelevance(
    passages,
    terms.length,
    (options.names ?? []).map((name) => lowerWords(name).map((word) => fnv1a(word))),
    wantsNumber,
  )
  const selection = select(passages, relevance, budget, countTokens)
  const packed =
    fit(passages, selection, budget, countTokens) ??
    cutSmallest(passages, relevance, selection, options, warnings)
  const inContext = new Set(selection.moves.map((move) => move.passage))
  for (const [p, { candidate }] of passages.entries())
    if (!inContext.has(p)) omit(candidate, reasonFor(selection, p))
  omitted.sort((a, b) => a.rank - b.rank)
  return {
    context: packed?.context ?? '',
    contextTokens: packed?.tokens ?? countTokens(''),
    blocks: contextBlocks(packed, countTokens),
    omitted,
    warnings,
  }
}

type Omit = (candidate: PackCandidate, reason: Omission['reason']) => void

function cutSmallest(
  passages: readonly Passage[],
  relevance: readonly (readonly number[])[],
  selection: Selection,
  { budgetTokens, countTokens }: PackOptions,
  warnings: string[],
): Packed | null {
  const cut = smallestCut(passages, relevance, budgetTokens, countTokens)
  if (cut === null) {
    if (passages.length > 0)
      warnings.push(
        `The budget of ${budgetTokens} tokens is below the smallest cut of the best passages: ` +
          'the context is empty.',
      )
    return null
  }
  selection.take(cut.passage, [cut.piece])
  if (!cut.fenced)
    warnings.push(
      `The budget of ${budgetTokens} tokens has no room for the fence around quoted text: treat ` +
        'the whole context as untrusted.',
    )
  return cut
}

function reasonFor(selection: Selection, p: number): Omission['reason'] {
  const newness = selection.novelty(p)
  if (newness <= 1 - COPY) return 'duplicate'
  if (newness < LEAST_NEW_PASSAGE) return 'nothing-new'
  return selection.capped(p) ? 'document-share' : 'budget'
}

function contextBlocks(packed: Packed | null, countTokens: TokenCounter): ContextBlock[] {
  if (packed === null) return []
  return packed.blocks.map((block, i) => {
    const { documentId, title, ranks, spans, text } = block,
      n = i + 1,
      tokens = countTokens(shownBlock(block, n, packed.headers))
    return { n, documentId, title, ranks, spans, text, tokens }
  })
}

/** By rank; exact copies once; as deep as the budget could ever reach. */
function readBest(
  candidates: readonly PackCandidate[],
  terms: readonly string[],
  { budgetTokens, countTokens }: PackOptions,
  omit: Omit,
): Passage[] {
  const reader = termReader(terms)
  const ordered = [...candidates].sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.start - b.start),
  )
  const texts = new Set<string>(),
    out: Passage[] = []
  let tokens = 0
  for (const candidate of ordered) {
    if (texts.has(candidate.text)) {
      omit(candidate, 'duplicate')
      continue
    }
    if (
      out.length >= READ_LEAST &&
      tokens >
        Math.max(READ_MORE * budgetTokens, Math.min(READ_BUDGETS * budgetTokens, READ_ENOUGH))
    ) {
      omit(candidate, 'budget')
      continue
    }
    const passage = readPassage(candidate, reader)
    if (passage.pieces.length === 0) {
      omit(candidate, 'nothing-new')
      continue
    }
    texts.add(candidate.text)
    tokens += countTokens(candidate.text)
    out.push(passage)
  }
  return out
}

function select(
  passages: readonly Passage[],
  relevance: readonly (readonly number[])[],
  budget: number,
  countTokens: TokenCounter,
): Selection {
  const rates = passages.map(
    ({ candidate: { text }, plain }) =>
      countTokens(plain ? text : visibleText(text)) / Math.max(1, text.length),
  )
  const heads = passages.map(({ heading }) => countTokens(headerOf(99, heading) + BLOCK_GAP))
  const competing = new Set(passages.map((passage) => passage.candidate.documentId)).size > 1
  const share = competing ? Math.floor(budget * LIMITS.budgetShareOfDocument) : Infinity
  const opening = competing ? Math.floor(budget / 2) : Infinity
  return new Selection(
    passages,
    relevance,
    {
      piece: (p, piece) => (rates[p] as number) * (piece.end - piece.start + 3),
      header: (p) => heads[p] as number,
    },
    { document: share, opening },
  )
}

/**
 * Fills by estimate, counts the finished string, and gives back or fills up until it holds; null
 * where nothing fits.
 */
function fit(
  passages: readonly Passage[],
  selection: Selection,
  budget: number,
  countTokens: TokenCounter,
): Packed | null {
  const drafts = new BlockDrafts(passages)
  const draft = (): Draft => {
    const blocks = drafts.of(selection.moves)
    // a counter of lengths need not wait for the text, nor for the fence, which has one length
    // whatever its digest
    if (countTokens === approximateTokens)
      return { blocks, tokens: tokensOfLength(bodyLength(blocks) + FENCE_CHARS), context: null }
    const context = fenced(bodyOf(blocks, true))
    return { blocks, tokens: countTokens(context), context }
  }
  const finish = ({ blocks, tokens, context }: Draft): Packed => ({
    context: context ?? fenced(bodyOf(blocks, true)),
    tokens,
    blocks,
    headers: true,
  })
  let capacity =
    budget -
    (countTokens === approximateTokens ? tokensOfLength(FENCE_CHARS) : countTokens(fenced('')))
  for (let refill = 0; ; refill++) {
    const before = selection.moves.length
    selection.fill(capacity)
    if (selection.moves.length === 0) return null
    if (refill > 0 && selection.moves.length === before) return finish(draft())
    let packed = draft()
    const over = packed.tokens > budget
    while (packed.tokens > budget) {
      selection.undo()
      if (selection.moves.length === 0) return null
      packed = draft()
    }
    if (over || refill === REFILLS) return finish(packed)
    capacity += budget - packed.tokens
  }
}

interface Draft {
  readonly blocks: readonly DraftBlock[]
  readonly tokens: number
  readonly context: string | null
}
