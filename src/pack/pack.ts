/**
 * The packed context: what of the ranked passages is quoted under a hard token budget, what was
 * left out, and why. Pure and deterministic.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { lowerWords } from '../lexical/words.ts'
import { BlockDrafts, bodyOf, shownBlock, type DraftBlock, type Packed } from './blocks.ts'
import { readPassage, termReader, type PackCandidate, type Passage } from './candidates.ts'
import { BLOCK_GAP, fenced, headerOf } from './fence.ts'
import { fnv1a } from '../base/hash.ts'
import { readAsked, type QuestionWords } from './question.ts'
import { aboutQuestion, pieceRelevance } from './relevance.ts'
import { LEAST_NEW_PASSAGE } from './offers.ts'
import { Selection } from './selection.ts'
import { smallestCut } from './smallest_cut.ts'
import { approximateTokens, approximateCost, TOKEN } from './approximate_tokens.ts'
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
  /** Fills the budget with what is hardly about the question too; default false. */
  readonly fill?: boolean
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
  if (!Array.isArray(candidates) || typeof options?.countTokens !== 'function')
    throw new HubmeshError(
      'input/invalid',
      'packContext() takes a list of candidates and { budgetTokens, countTokens: a function }; ' +
        'createTokenCounter() makes a counter.',
    )
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
  const about = options.fill ? passages.map(() => true) : aboutQuestion(passages),
    selection = select(passages, relevance, budget, countTokens, about)
  const packed =
    fit(passages, selection, budget, countTokens) ??
    cutSmallest(passages, relevance, selection, options, warnings)
  const inContext = new Set(selection.moves.map((move) => move.passage))
  for (const [p, { candidate }] of passages.entries())
    if (!inContext.has(p)) omit(candidate, reasonFor(selection, p, about[p] as boolean))
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

function reasonFor(selection: Selection, p: number, about: boolean): Omission['reason'] {
  const newness = selection.novelty(p)
  if (newness <= 1 - COPY) return 'duplicate'
  if (newness < LEAST_NEW_PASSAGE) return 'nothing-new'
  if (!about) return 'relevance'
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
  about: readonly boolean[],
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
    about,
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
  const drafts = new Drafts(passages, countTokens)
  let capacity = budget - drafts.fenceTokens
  for (let refill = 0; ; refill++) {
    const before = selection.moves.length
    selection.fill(capacity)
    const unchanged = refill > 0 && selection.moves.length === before
    let packed = drafts.write(selection.moves, budget)
    const over = packed === null
    while (packed === null && selection.undo()) packed = drafts.write(selection.moves, budget)
    if (packed === null || over || unchanged || refill === REFILLS) return packed
    capacity += budget - packed.tokens
  }
}

/** The finished string of a choice, where it keeps the budget. */
class Drafts {
  /** Tokens of an empty fence, at most. */
  readonly fenceTokens: number
  private readonly blocks: BlockDrafts
  private readonly costs = new WeakMap<DraftBlock, number>()

  constructor(
    passages: readonly Passage[],
    private readonly countTokens: TokenCounter,
  ) {
    this.blocks = new BlockDrafts(passages)
    this.fenceTokens =
      countTokens(fenced('')) + (countTokens === approximateTokens ? DIGEST_SLACK : 0)
  }

  /** Null where it is empty or over the budget. */
  write(moves: Selection['moves'], budget: number): Packed | null {
    if (moves.length === 0) return null
    const blocks = this.blocks.of(moves)
    // most choices that are too large are told by a sum, without writing them down
    if (this.countTokens === approximateTokens && this.sum(blocks) > budget) return null
    const context = fenced(bodyOf(blocks, true)),
      tokens = this.countTokens(context)
    return tokens <= budget ? { context, tokens, blocks, headers: true } : null
  }

  /** The approximate count of the blocks, without their fence: lines add up. */
  private sum(blocks: readonly DraftBlock[]): number {
    let hundredths = 0
    for (const [i, block] of blocks.entries()) {
      let cost = this.costs.get(block)
      if (cost === undefined) this.costs.set(block, (cost = approximateCost(block.text)))
      hundredths += cost + approximateCost(headerOf(i + 1, block.heading))
    }
    return Math.ceil(hundredths / TOKEN)
  }
}

/** How far the approximate count of one digest lies over that of another, at most, twice. */
const DIGEST_SLACK = 12
