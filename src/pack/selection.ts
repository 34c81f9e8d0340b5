/**
 * Lazy greedy selection of pieces under a token budget (CELF: Leskovec et al., Cost-effective
 * Outbreak Detection in Networks, 2007). The finished context alone has the last word on the budget.
 */
import type { Passage } from './candidates.ts'
import { Choice, type Costs, type Move } from './choice.ts'
import { MoveQueue } from './move_queue.ts'
import { openingOffer, openingOrder, pieceOffer, type Offer, type Shares } from './offers.ts'

const UNBOUNDED: Shares = { document: Infinity, opening: Infinity }

export class Selection {
  private readonly choice: Choice
  private readonly orders: readonly (readonly number[])[]
  /** Passages that their document's share kept text out of. */
  private readonly cappedPassages = new Set<number>()

  constructor(
    passages: readonly Passage[],
    relevance: readonly (readonly number[])[],
    costs: Costs,
    private readonly shares: Shares,
    private readonly about: readonly boolean[],
  ) {
    this.choice = new Choice(passages, relevance, costs)
    this.orders = passages.map((passage, p) =>
      openingOrder(passage, relevance[p] as readonly number[]),
    )
  }

  get moves(): readonly Move[] {
    return this.choice.moves
  }

  /**
   * Takes moves while their estimated cost fits in `capacity` tokens, all moves so far included. A
   * document's share holds while passages of others want the room; what they leave is free for all.
   */
  fill(capacity: number): void {
    for (const shares of [this.shares, UNBOUNDED]) {
      this.run(capacity, false, shares)
      this.run(capacity, true, shares)
    }
  }

  /** Takes exactly these pieces. */
  take(p: number, pieces: readonly number[]): void {
    const { choice } = this
    const cost = pieces.reduce((sum, i) => sum + choice.pieceCost(p, i), choice.costs.header(p))
    choice.apply({ passage: p, pieces, cost })
  }

  /** Takes back the last move; false when there is none. */
  undo(): boolean {
    return this.choice.undo()
  }

  /** Share of the passage's shingles that no chosen piece has, in [0, 1]. */
  novelty(p: number): number {
    return this.choice.novelty(p)
  }

  /** True where the document's share, not the budget, kept text of this passage out. */
  capped(p: number): boolean {
    return this.cappedPassages.has(p)
  }

  /**
   * Values fall while text is added, so an old value is an upper bound and few are worked out
   * again; they rise only where a document's header has just been paid for, or a passage been
   * opened. Of equal values the first counts. Each piece is worked out once for every of its
   * shingles that comes in at most, so the work grows with the pieces, not with their square.
   */
  private run(capacity: number, lone: boolean, shares: Shares): void {
    const { choice } = this,
      queue = new MoveQueue()
    for (let p = 0; p < choice.passages.length; p++) {
      if (!this.about[p]) continue
      if (lone || choice.isOpen(p)) this.queuePieces(queue, p)
      else queue.add(p, -1)
    }
    for (let entry = queue.best(); entry !== null; entry = queue.best()) {
      const { p, i } = entry,
        { move, value } = this.offer(p, i, capacity - choice.total, shares)
      if (move !== null && value < entry.bound) {
        queue.lower(entry, value)
        if ((queue.best()?.bound ?? -Infinity) > value) continue
      }
      queue.drop(entry)
      if (move === null) continue
      const raised = choice.spentOn(p) === 0 ? this.siblings(p) : choice.isOpen(p) ? [] : [p]
      choice.apply(move)
      for (const other of raised) queue.raise(other)
      if (i < 0) this.queuePieces(queue, p)
    }
  }

  private offer(p: number, i: number, left: number, shares: Shares): Offer {
    const { choice } = this
    const offer =
      i < 0
        ? openingOffer(choice, shares, this.orders[p] as readonly number[], p, left)
        : pieceOffer(choice, shares, p, i, left)
    if (offer.capped) this.cappedPassages.add(p)
    return offer
  }

  private queuePieces(queue: MoveQueue, p: number): void {
    for (let i = 0; i < this.choice.piecesOf(p).length; i++)
      if (!this.choice.isTaken(p, i)) queue.add(p, i)
  }

  /** Passages of the same document. */
  private siblings(p: number): number[] {
    const { choice } = this,
      document = choice.documentOf(p)
    return choice.passages.flatMap((_, at) => (choice.documentOf(at) === document ? [at] : []))
  }
}
