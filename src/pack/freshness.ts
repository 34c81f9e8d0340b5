/**
 * How much of each piece is not in the context yet. A selection asks for these shares some hundred
 * times, and one changes only when a piece that shares a shingle is taken: so they are kept.
 */
import { HashIndex } from '../base/hash_index.ts'

export interface Freshness {
  /**
   * Share of the piece's shingles that no taken piece has, in [0, 1]; 1 for a piece without any.
   */
  share(passage: number, piece: number): number
  take(passage: number, piece: number): void
  giveBack(passage: number, piece: number): void
}

/** `lists`: the numbers (shingles, facts) of each piece of each passage. */
export function createFreshness(lists: readonly (readonly (readonly number[])[])[]): Freshness {
  const firsts: number[] = [],
    starts: number[] = [0]
  for (const pieces of lists) {
    firsts.push(starts.length - 1)
    for (const shingles of pieces) starts.push((starts.at(-1) as number) + shingles.length)
  }
  // shingles are numbered as they are met; `own` lists those of each piece, `holders` the pieces of
  // each shingle
  const count = starts.length - 1,
    all = starts[count] as number,
    numbers = new ShingleNumbers(all)
  const own = new Int32Array(all),
    fresh = new Int32Array(count)
  let at = 0
  for (const pieces of lists)
    for (const shingles of pieces) for (const hash of shingles) own[at++] = numbers.of(hash)
  const holderStarts = new Int32Array(numbers.size + 1),
    holders = new Int32Array(all),
    taken = new Int32Array(numbers.size)
  for (const shingle of own) holderStarts[shingle] = (holderStarts[shingle] as number) + 1
  for (let i = 1; i <= numbers.size; i++)
    holderStarts[i] = (holderStarts[i] as number) + (holderStarts[i - 1] as number)
  for (let piece = count - 1; piece >= 0; piece--) {
    // from the back: each end moves down to its list's beginning
    fresh[piece] = (starts[piece + 1] as number) - (starts[piece] as number)
    for (let i = starts[piece] as number; i < (starts[piece + 1] as number); i++) {
      const shingle = own[i] as number,
        place = (holderStarts[shingle] as number) - 1
      holders[place] = piece
      holderStarts[shingle] = place
    }
  }
  const change = (shingle: number, by: 1 | -1): void => {
    for (let i = holderStarts[shingle] as number; i < (holderStarts[shingle + 1] as number); i++)
      fresh[holders[i] as number] = (fresh[holders[i] as number] as number) + by
  }
  const flip = (passage: number, index: number, by: 1 | -1, changing: 0 | 1): void => {
    const piece = (firsts[passage] as number) + index
    for (let i = starts[piece] as number; i < (starts[piece + 1] as number); i++) {
      const shingle = own[i] as number,
        now = (taken[shingle] as number) + by
      taken[shingle] = now
      if (now === changing) change(shingle, by === 1 ? -1 : 1)
    }
  }
  return {
    share(passage, index) {
      const piece = (firsts[passage] as number) + index,
        length = (starts[piece + 1] as number) - (starts[piece] as number)
      return length === 0 ? 1 : (fresh[piece] as number) / length
    },
    take(passage, index) {
      flip(passage, index, 1, 1)
    },
    giveBack(passage, index) {
      flip(passage, index, -1, 0)
    },
  }
}

/** Numbers distinct hashes from 0 in the order they are met. */
class ShingleNumbers {
  private readonly hashes: Int32Array
  private readonly index: HashIndex

  constructor(most: number) {
    this.hashes = new Int32Array(most)
    this.index = new HashIndex((id) => this.hashes[id] as number, most)
  }

  get size(): number {
    return this.index.size
  }

  of(hash: number): number {
    const { hashes, index } = this
    for (let at = index.first(hash); ; at = index.next(at)) {
      const id = index.at(at)
      if (id < 0) {
        const next = index.size
        hashes[next] = hash
        index.put(at, next)
        return next
      }
      if (hashes[id] === hash) return id
    }
  }
}
