/**
 * What a move would be worth now: pure functions of a choice.
 *
 * Two moves: open a passage with the most relevant half of its text, or add one more piece to an
 * open one. A move is worth the passage's place, its relevance, and what of its word shingles is
 * not in yet. Half a passage says most of what the whole says, so a small budget reaches more
 * passages (figures: the bench's budget table).
 */
import { roundScore } from '../base/math.ts'
import type { Passage } from './candidates.ts'
import type { Choice, Move } from './choice.ts'
import { placeWeight } from './relevance.ts'

/**
 * Share of a passage's text that opens it, whatever it costs, and up to which it opens where its
 * document's share has room: the best passage whole, as far as half the budget, since most answers
 * stand there.
 */
const CORE_SHARE = 0.5,
  CORE_WISH = 0.55,
  FIRST_WISH = 1
/** How far a cheaper move wins over a better one: value / cost ** .2. */
const COST_EXPONENT = 0.2
/** How far a short piece wins over a more relevant one in the opening half. */
const LENGTH_EXPONENT = 0.2
/**
 * Worth of a further piece against the opening half: this plus MORE_RELEVANCE times its relevance.
 */
const MORE = 0.5,
  MORE_RELEVANCE = 0.3
/** A piece alone, where half of its passage no longer fits. */
const LONE = 0.5,
  LONE_LEAST_RELEVANCE = 0.1
/** A piece with a smaller share of new shingles says nothing new; a passage likewise. */
export const LEAST_NEW_PIECE = 0.2,
  LEAST_NEW_PASSAGE = 0.3

/** Newness of a piece that differs from what is in by a number, a name or a negation. */
const NEWS = 0.3
/** Copies with other facts in one context: a text in a thousand versions must not fill it. */
const MOST_COPIES = 2

export interface Shares {
  /** Tokens one document may take in all. */
  readonly document: number
  /** Tokens the opening half of a document's first passage may take. */
  readonly opening: number
}

export interface Offer {
  /** Null where nothing is new or nothing fits. */
  readonly move: Move | null
  readonly value: number
  /** The document's share, not the budget, kept text out. */
  readonly capped: boolean
}

const NONE: Offer = { move: null, value: 0, capped: false }
const CAPPED: Offer = { move: null, value: 0, capped: true }

/** The opening half, as much of it as the document's share and `left` tokens let in. */
export function openingOffer(
  choice: Choice,
  shares: Shares,
  order: readonly number[],
  p: number,
  left: number,
): Offer {
  const newness = choice.novelty(p)
  if (newness < LEAST_NEW_PASSAGE) return NONE
  const used = choice.spentOn(p),
    head = choice.headerCost(p),
    most = used > 0 ? shares.document : Math.max(shares.document, shares.opening)
  let chosen = opening(choice, order, p, left, (p === 0 ? most : shares.document) - used)
  const capped = used + chosen.cost > most
  if (capped)
    // a document always has its best piece
    chosen = keep(
      choice,
      p,
      chosen.pieces,
      head,
      (cost, kept) => used + cost <= shares.document || (used === 0 && kept === 0),
    )
  if (chosen.cost > left && p === 0)
    // the best passage is cut rather than left out
    chosen = keep(choice, p, chosen.pieces, head, (cost) => cost <= left)
  if (chosen.pieces.length === 0 || chosen.cost > left) return capped ? CAPPED : NONE
  const { pieces, cost } = chosen
  return {
    move: { passage: p, pieces, cost },
    value: perCost(placeWeight(p) * newness, cost),
    capped,
  }
}

interface Pieces {
  readonly pieces: readonly number[]
  /** Tokens, estimated, the header included. */
  readonly cost: number
}

/** New facts make a piece news, however much of its words is in already. */
function newnessOf(choice: Choice, p: number, i: number): number {
  const share = choice.freshShare(p, i)
  return share < NEWS && choice.isNews(p, i) ? NEWS : share
}

/** Half of the passage, and on to the wished share while it fits. */
function opening(
  choice: Choice,
  order: readonly number[],
  p: number,
  left: number,
  room: number,
): Pieces {
  const { start, end } = (choice.passages[p] as Passage).candidate,
    need = CORE_SHARE * (end - start),
    wish = (p === 0 ? FIRST_WISH : CORE_WISH) * (end - start),
    pieces: number[] = []
  let cost = choice.headerCost(p),
    length = 0
  for (const i of order) {
    if (length >= wish) break
    if (newnessOf(choice, p, i) < LEAST_NEW_PIECE) continue
    const more = choice.pieceCost(p, i)
    if (length >= need && cost + more > Math.min(room, left)) break
    pieces.push(i)
    cost += more
    const piece = choice.piecesOf(p)[i]
    if (piece) length += piece.end - piece.start
  }
  return { pieces, cost }
}

/** Those of the pieces, in their order, that `fits` lets in. */
function keep(
  choice: Choice,
  p: number,
  pieces: readonly number[],
  head: number,
  fits: (cost: number, kept: number) => boolean,
): Pieces {
  const kept: number[] = []
  let cost = head
  for (const i of pieces) {
    const more = choice.pieceCost(p, i)
    if (!fits(cost + more, kept.length)) continue
    kept.push(i)
    cost += more
  }
  return { pieces: kept, cost }
}

/** One more piece of a passage, alone or beside others. */
export function pieceOffer(
  choice: Choice,
  shares: Shares,
  p: number,
  i: number,
  left: number,
): Offer {
  const used = choice.spentOn(p),
    cost = choice.pieceCost(p, i) + choice.headerCost(p)
  if (cost > left) return NONE
  if (used > 0 && used + cost > shares.document) return CAPPED
  const newness = newnessOf(choice, p, i),
    worth = pieceWorth(choice, p, i),
    copy = !choice.isOpen(p) && choice.novelty(p) < LEAST_NEW_PASSAGE
  if (copy && choice.copies >= MOST_COPIES) return NONE
  if (newness < LEAST_NEW_PIECE || worth === 0) return NONE
  return {
    move: { passage: p, pieces: [i], cost, copy },
    value: perCost(placeWeight(p) * newness * worth, cost),
    capped: false,
  }
}

function pieceWorth(choice: Choice, p: number, i: number): number {
  const relevance = choice.relevanceOf(p, i)
  if (choice.isOpen(p)) return MORE + MORE_RELEVANCE * relevance
  if (relevance > LONE_LEAST_RELEVANCE) return LONE * relevance
  // what a copy says beyond the text it copies is worth its place whatever it is about
  return choice.novelty(p) < LEAST_NEW_PASSAGE ? LONE * LONE_LEAST_RELEVANCE : 0
}

/** Rounded as scores are: the last bit of a power is left to the engine. */
function perCost(value: number, cost: number): number {
  return roundScore(value / Math.max(cost, 1) ** COST_EXPONENT)
}

/** Pieces by relevance for their length, in reading order where equal. */
export function openingOrder(passage: Passage, relevance: readonly number[]): number[] {
  const value = passage.pieces.map((piece, i) =>
    roundScore((relevance[i] as number) / (piece.end - piece.start) ** LENGTH_EXPONENT),
  )
  return value.map((_, i) => i).sort((a, b) => (value[b] as number) - (value[a] as number) || a - b)
}
