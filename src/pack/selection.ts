/**
 * Owns which pieces are packed, and in which order they were taken: greedy by marginal value per
 * token. Refuses: writing them down, and the last word on the budget, which only a count of the
 * finished context has.
 *
 * Two moves: open a passage with the most relevant half of its text, or add one more piece to an
 * open one. A move is worth the passage's place, its relevance, and what of its word shingles is
 * not in yet. Half a passage says most of what the whole says, so a small budget reaches more
 * passages (figures: the bench's budget table).
 */
import type { Passage, Piece } from './candidates.ts'
import { MoveQueue } from './move_queue.ts'
import { roundScore } from '../base/math.ts'
import { createFreshness } from './freshness.ts'
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

export interface Costs {
  /** Tokens, estimated, of a piece with its joint. */
  piece(passage: number, piece: Piece): number
  /** Tokens, estimated, of a block's header and gap. */
  header(passage: number): number
}

export interface Shares {
  /** Tokens one document may take in all. */
  readonly document: number
  /** Tokens the opening half of a document's first passage may take. */
  readonly opening: number
}

export interface Move {
  readonly passage: number
  readonly pieces: readonly number[]
  readonly cost: number
}

export interface Selection {
  readonly moves: readonly Move[]
  /**
   * Takes moves while their estimated cost fits in `capacity` tokens, all moves so far included.
   */
  fill(capacity: number): void
  /**
   * Takes back the last move; of that passage's document where one is given. False when there is
   * none.
   */
  undo(documentId?: string): boolean
  /** Takes exactly this move. */
  take(passage: number, pieces: readonly number[]): void
  /** Share of the passage's shingles that no chosen piece has, in [0, 1]. */
  novelty(passage: number): number
  /** True where the document's share, not the budget, kept text of this passage out. */
  capped(passage: number): boolean
}

export function createSelection(
  passages: readonly Passage[],
  relevance: readonly (readonly number[])[],
  costs: Costs,
  shares: Shares,
): Selection {
  const moves: Move[] = []
  const taken = passages.map((passage) => passage.pieces.map(() => false))
  const openPassages = passages.map(() => 0)
  const fresh = createFreshness(passages)
  const spent = new Map<string, number>()
  const blocked = new Set<number>()
  /** Passages that said too little new when they were looked at as a whole. */
  const copies = new Set<number>()
  const orders = passages.map((passage, p) =>
    openingOrder(passage, relevance[p] as readonly number[]),
  )
  let total = 0

  const documentOf = (p: number): string => (passages[p] as Passage).candidate.documentId
  const pieceOf = (p: number, i: number): Piece => (passages[p] as Passage).pieces[i] as Piece
  const relevanceOf = (p: number, i: number): number => relevance[p]?.[i] as number

  function passageNovelty(p: number): number {
    const { pieces } = passages[p] as Passage
    let novel = 0,
      all = 0
    for (let i = 0; i < pieces.length; i++) {
      const weight = Math.max(1, (pieces[i] as Piece).shingles.length)
      novel += fresh.share(p, i) * weight
      all += weight
    }
    return all > 0 ? novel / all : 0
  }

  /**
   * The opening half, as much of it as the document's share lets in; null where nothing is new or
   * nothing fits.
   */
  function opening(p: number, left: number): { move: Move; value: number } | null {
    const passage = passages[p] as Passage
    const newness = passageNovelty(p)
    if (newness < LEAST_NEW_PASSAGE) {
      copies.add(p)
      return null
    }
    copies.delete(p)
    const used = spent.get(documentOf(p)) ?? 0
    const head = used > 0 ? 0 : costs.header(p)
    const size = passage.candidate.end - passage.candidate.start,
      need = CORE_SHARE * size,
      wish = (p === 0 ? FIRST_WISH : CORE_WISH) * size,
      room = p === 0 && used === 0 ? Math.max(shares.document, shares.opening) : shares.document
    const chosen: number[] = []
    let cost = head,
      length = 0
    for (const i of orders[p] as readonly number[]) {
      if (length >= wish) break
      const piece = pieceOf(p, i)
      if (fresh.share(p, i) < LEAST_NEW_PIECE) continue
      const more = costs.piece(p, piece)
      if (length >= need && (used + cost + more > room || cost + more > left)) break
      chosen.push(i)
      cost += more
      length += piece.end - piece.start
    }
    const limit = used > 0 ? shares.document : Math.max(shares.document, shares.opening)
    if (used + cost > limit) {
      blocked.add(p)
      const whole = chosen.splice(0)
      cost = head
      for (const i of whole) {
        const more = costs.piece(p, pieceOf(p, i))
        // a document always has its best piece
        if (used + cost + more > shares.document && (used > 0 || chosen.length > 0)) continue
        chosen.push(i)
        cost += more
      }
    }
    if (cost > left && p === 0) {
      // the best passage is cut rather than left out
      const whole = chosen.splice(0)
      cost = head
      for (const i of whole) {
        const more = costs.piece(p, pieceOf(p, i))
        if (cost + more > left) continue
        chosen.push(i)
        cost += more
      }
    }
    if (chosen.length === 0 || cost > left) return null
    return {
      move: { passage: p, pieces: chosen, cost },
      value: perCost(placeWeight(p) * newness, cost),
    }
  }

  /** One more piece of a passage, alone or beside others. */
  function single(p: number, i: number, left: number): { move: Move; value: number } | null {
    const piece = pieceOf(p, i),
      used = spent.get(documentOf(p)) ?? 0,
      isOpen = (openPassages[p] as number) > 0
    const cost = costs.piece(p, piece) + (used > 0 ? 0 : costs.header(p))
    if (cost > left) return null
    // what is left of a copy is a number or two, at the price of a header
    if (!isOpen && copies.has(p)) return null
    if (used > 0 && used + cost > shares.document) {
      blocked.add(p)
      return null
    }
    const newness = fresh.share(p, i)
    if (newness < LEAST_NEW_PIECE) return null
    const worth = isOpen
      ? MORE + MORE_RELEVANCE * relevanceOf(p, i)
      : relevanceOf(p, i) > LONE_LEAST_RELEVANCE
        ? LONE * relevanceOf(p, i)
        : 0
    if (worth === 0) return null
    return {
      move: { passage: p, pieces: [i], cost },
      value: perCost(placeWeight(p) * newness * worth, cost),
    }
  }

  function apply(move: Move): void {
    moves.push(move)
    total += move.cost
    openPassages[move.passage] = (openPassages[move.passage] as number) + 1
    const document = documentOf(move.passage)
    spent.set(document, (spent.get(document) ?? 0) + move.cost)
    for (const i of move.pieces) {
      ;(taken[move.passage] as boolean[])[i] = true
      fresh.take(move.passage, i)
    }
  }

  /**
   * Best move of a kind. Values fall while text is added, so an old value is an upper bound and few
   * are worked out again; they rise only where a document's header has just been paid for, or a
   * passage been opened. Of equal values the first counts. Each piece is worked out once for every
   * of its shingles that comes in at most, so the work grows with the pieces, not with their
   * square.
   */
  function run(capacity: number, lone: boolean): void {
    const queue = new MoveQueue()
    const push = (p: number): void => {
      for (let i = 0; i < (passages[p] as Passage).pieces.length; i++)
        if (!taken[p]?.[i]) queue.add(p, i)
    }
    for (let p = 0; p < passages.length; p++) {
      if ((openPassages[p] as number) > 0) push(p)
      else if (lone) push(p)
      else queue.add(p, -1)
    }
    for (let entry = queue.best(); entry !== null; entry = queue.best()) {
      const left = capacity - total,
        found = entry.i < 0 ? opening(entry.p, left) : single(entry.p, entry.i, left)
      if (found === null) {
        queue.drop(entry)
        continue
      }
      if (found.value < entry.bound) {
        queue.lower(entry, found.value)
        if ((queue.best()?.bound ?? -Infinity) > found.value) continue
      }
      queue.drop(entry)
      const document = documentOf(entry.p),
        unpaid = (spent.get(document) ?? 0) === 0,
        closed = openPassages[entry.p] === 0
      apply(found.move)
      if (unpaid) {
        for (let p = 0; p < passages.length; p++) if (documentOf(p) === document) queue.raise(p)
      } else if (closed) queue.raise(entry.p)
      if (entry.i < 0) push(entry.p)
    }
  }

  return {
    moves,
    fill(capacity) {
      run(capacity, false)
      run(capacity, true)
    },
    take(p, pieces) {
      apply({
        passage: p,
        pieces,
        cost: costs.header(p) + pieces.reduce((sum, i) => sum + costs.piece(p, pieceOf(p, i)), 0),
      })
    },
    undo(documentId) {
      let at = moves.length - 1
      while (
        at >= 0 &&
        documentId !== undefined &&
        documentOf((moves[at] as Move).passage) !== documentId
      )
        at--
      const [move] = at < 0 ? [] : moves.splice(at, 1)
      if (move === undefined) return false
      total -= move.cost
      openPassages[move.passage] = (openPassages[move.passage] as number) - 1
      const document = documentOf(move.passage)
      spent.set(document, (spent.get(document) as number) - move.cost)
      for (const i of move.pieces) {
        ;(taken[move.passage] as boolean[])[i] = false
        fresh.giveBack(move.passage, i)
      }
      return true
    },
    novelty: passageNovelty,
    capped: (p) => blocked.has(p),
  }
}

/** Rounded as scores are: the last bit of a power is left to the engine. */
function perCost(value: number, cost: number): number {
  return roundScore(value / Math.max(cost, 1) ** COST_EXPONENT)
}

/** Pieces by relevance for their length, in reading order where equal. */
function openingOrder(passage: Passage, relevance: readonly number[]): number[] {
  const value = passage.pieces.map((piece, i) =>
    roundScore((relevance[i] as number) / (piece.end - piece.start) ** LENGTH_EXPONENT),
  )
  return value.map((_, i) => i).sort((a, b) => (value[b] as number) - (value[a] as number) || a - b)
}
