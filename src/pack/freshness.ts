/**
 * Owns how much of each piece is not in the context yet, kept while pieces come and go. Refuses: what that is worth.
 *
 * A choice of pieces asks for these shares some hundred times, and a piece's share changes only when a piece that shares a shingle with it
 * is taken: so shares are kept, not worked out.
 */
import type { Passage } from './candidates.ts'

export interface Freshness {
  /** Share of the piece's shingles that no taken piece has, in [0, 1]; 1 for a piece without any. */
  share(passage: number, piece: number): number
  take(passage: number, piece: number): void
  giveBack(passage: number, piece: number): void
}

/** A shingle: how many taken pieces have it, and all pieces that do. */
interface Shingle { taken: number; readonly pieces: number[] }

export function createFreshness(passages: readonly Passage[]): Freshness {
  const firsts: number[] = [], lengths: number[] = [], fresh: number[] = [], own: Shingle[][] = [], known = new Map<number, Shingle>()
  for (const { pieces } of passages) {
    firsts.push(lengths.length)
    for (const { shingles } of pieces) {
      const piece = lengths.length
      lengths.push(shingles.length)
      fresh.push(shingles.length)
      own.push(shingles.map((hash) => {
        let shingle = known.get(hash)
        if (shingle === undefined) { shingle = { taken: 0, pieces: [] }; known.set(hash, shingle) }
        shingle.pieces.push(piece)
        return shingle
      }))
    }
  }
  const at = (passage: number, piece: number): number => (firsts[passage] as number) + piece
  const change = (shingle: Shingle, by: 1 | -1): void => { for (const piece of shingle.pieces) fresh[piece] = (fresh[piece] as number) + by }
  return {
    share(passage, piece) {
      const i = at(passage, piece), length = lengths[i] as number
      return length === 0 ? 1 : (fresh[i] as number) / length
    },
    take(passage, piece) {
      for (const shingle of own[at(passage, piece)] as Shingle[]) if (shingle.taken++ === 0) change(shingle, -1)
    },
    giveBack(passage, piece) {
      for (const shingle of own[at(passage, piece)] as Shingle[]) if (--shingle.taken === 0) change(shingle, 1)
    },
  }
}
