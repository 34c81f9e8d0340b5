/** State of a selection: the pieces taken so far and what each document has cost. */
import type { Passage, Piece } from './candidates.ts'
import { createFreshness, type Freshness } from './freshness.ts'

export interface Costs {
  /** Tokens, estimated, of a piece with its joint. */
  piece(passage: number, piece: Piece): number
  /** Tokens, estimated, of a block's header and gap. */
  header(passage: number): number
}

/** A step of the selection: pieces of one passage taken together. */
export interface Move {
  readonly passage: number
  readonly pieces: readonly number[]
  /** Tokens, estimated, the header included where it is the document's first. */
  readonly cost: number
  /** Its passage says little but a number, a name or a negation that is not in yet. */
  readonly copy?: boolean
}

export class Choice {
  readonly moves: Move[] = []
  /** Tokens, estimated, of all moves. */
  total = 0
  /** Passages that are in as copies with other facts. */
  copies = 0
  private readonly taken: boolean[][]
  private readonly movesOf: number[]
  private readonly spent = new Map<string, number>()
  private readonly fresh: Freshness
  private readonly freshFacts: Freshness

  constructor(
    readonly passages: readonly Passage[],
    readonly relevance: readonly (readonly number[])[],
    readonly costs: Costs,
  ) {
    this.taken = passages.map((passage) => passage.pieces.map(() => false))
    this.movesOf = passages.map(() => 0)
    this.fresh = createFreshness(
      passages.map(({ pieces }) => pieces.map((piece) => piece.shingles)),
    )
    this.freshFacts = createFreshness(
      passages.map(({ pieces }) => pieces.map((piece) => piece.facts)),
    )
  }

  documentOf(p: number): string {
    return (this.passages[p] as Passage).candidate.documentId
  }

  piecesOf(p: number): readonly Piece[] {
    return (this.passages[p] as Passage).pieces
  }

  relevanceOf(p: number, i: number): number {
    return this.relevance[p]?.[i] as number
  }

  isOpen(p: number): boolean {
    return (this.movesOf[p] as number) > 0
  }

  isTaken(p: number, i: number): boolean {
    return this.taken[p]?.[i] as boolean
  }

  /** Tokens, estimated, of the passage's document. */
  spentOn(p: number): number {
    return this.spent.get(this.documentOf(p)) ?? 0
  }

  pieceCost(p: number, i: number): number {
    return this.costs.piece(p, this.piecesOf(p)[i] as Piece)
  }

  /** Tokens of the header, 0 where the passage's document has one. */
  headerCost(p: number): number {
    return this.spentOn(p) > 0 ? 0 : this.costs.header(p)
  }

  /** Share of the piece's shingles that no chosen piece has, in [0, 1]. */
  freshShare(p: number, i: number): number {
    return this.fresh.share(p, i)
  }

  /** Whether the piece has a number, a name or a negation that no chosen piece has there. */
  isNews(p: number, i: number): boolean {
    const { facts } = this.piecesOf(p)[i] as Piece
    return facts.length > 0 && this.freshFacts.share(p, i) > 0
  }

  /** Share of the passage's shingles that no chosen piece has, in [0, 1]. */
  novelty(p: number): number {
    let novel = 0,
      all = 0
    for (const [i, { shingles }] of this.piecesOf(p).entries()) {
      const weight = Math.max(1, shingles.length)
      novel += this.fresh.share(p, i) * weight
      all += weight
    }
    return all > 0 ? novel / all : 0
  }

  apply(move: Move): void {
    this.moves.push(move)
    this.count(move, 1)
  }

  /** Takes back the last move; false when there is none. */
  undo(): boolean {
    const move = this.moves.pop()
    if (move === undefined) return false
    this.count(move, -1)
    return true
  }

  private count({ passage, pieces, cost, copy }: Move, by: 1 | -1): void {
    this.total += by * cost
    if (copy) this.copies += by
    this.movesOf[passage] = (this.movesOf[passage] as number) + by
    this.spent.set(this.documentOf(passage), this.spentOn(passage) + by * cost)
    for (const i of pieces) {
      ;(this.taken[passage] as boolean[])[i] = by === 1
      for (const fresh of [this.fresh, this.freshFacts])
        if (by === 1) fresh.take(passage, i)
        else fresh.giveBack(passage, i)
    }
  }
}
