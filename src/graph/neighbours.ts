/** Names beside a name in the graph, and pairs of names that share most of theirs. */
import { crc32Text } from '../base/checksum.ts'
import { byKey, MOST_SHARING, type Name, type Pairs } from './name_pairs.ts'
import type { TextIndex } from './text_index.ts'

/**
 * Passages of a name that are looked at; a name in more has too many neighbours to be told by them.
 */
export const NEIGHBOUR_PASSAGES = 64
/**
 * A passage with more names is a list: it says nothing of neighbours and costs its square to read.
 */
const MOST_BESIDE = 256
/** A neighbour is telling in at most so many passages. */
const RARE_PASSAGES = 50
const LEAST_NEIGHBOURS = 3
const LEAST_OVERLAP = 0.5

/** Neighbours read before others get their turn: a few milliseconds. */
const TURN = 50_000

/** Says when it is time to let others have a turn. */
export class Pace {
  private left = TURN

  spent(steps: number): boolean {
    this.left -= steps + 1
    if (this.left > 0) return false
    this.left = TURN
    return true
  }
}

/**
 * Names that stand beside the same rare names and never in one passage, found by the smallest of
 * two hashes of their neighbours (Broder, On the resemblance and containment of documents, 1997),
 * four times.
 */
export function* neighbourPairs(
  names: readonly Name[],
  index: TextIndex,
  pairs: Pairs,
): Generator<void, void> {
  const pace = new Pace()
  const hashes = new Map<number, number>(),
    hashOf = (name: number): number => {
      // of the text, not of the number, which is another in every index
      const hash = hashes.get(name) ?? crc32Text(index.nameText(name))
      hashes.set(name, hash)
      return hash
    }
  const bandsOf = new Map<number, readonly string[]>(),
    few = names.filter(({ name }) => index.graph.documentFrequency(name) <= NEIGHBOUR_PASSAGES)
  for (const { name } of few) {
    const near = Array.from(neighboursOf(name, index), hashOf)
    bandsOf.set(
      name,
      near.length < LEAST_NEIGHBOURS
        ? []
        : [0, 1, 2, 3].map(
            (band) => `${band} ${least(near, 2 * band)} ${least(near, 2 * band + 1)}`,
          ),
    )
    if (pace.spent(near.length)) yield
  }
  const bands = byKey(few, ({ name }) => bandsOf.get(name) as readonly string[])
  for (const group of bands.values()) {
    if (group.length > MOST_SHARING) continue
    for (const [i, a] of group.entries()) {
      const x = neighboursOf(a.name, index)
      for (const b of group.slice(i + 1)) {
        const y = neighboursOf(b.name, index),
          both = [...x].filter((name) => y.has(name)).length,
          overlap = both / (x.size + y.size - both)
        if (
          overlap >= LEAST_OVERLAP &&
          !x.has(b.name) &&
          !y.has(a.name) &&
          !together(a.name, b.name, index)
        )
          pairs.add(a, b, 'neighbours', 0.8 * overlap)
        if (pace.spent(x.size + y.size)) yield
      }
    }
  }
}

/** Rare names in the passages of a name, or in some of them. */
export function neighboursOf(
  name: number,
  index: TextIndex,
  slots: readonly number[] = slotsOf(name, index),
): Set<number> {
  const { mentions } = index.graph,
    near = new Set<number>()
  for (const slot of slots) {
    if (mentions.length(slot) > MOST_BESIDE) continue
    for (const mention of mentions.values(slot)) {
      const other = mention >>> 1
      if (other !== name && index.graph.documentFrequency(other) <= RARE_PASSAGES) near.add(other)
    }
  }
  return near
}

export function slotsOf(name: number, { graph }: TextIndex): number[] {
  return Array.from(graph.holders.values(name), (holder) => holder >>> 1)
}

function together(a: number, b: number, index: TextIndex): boolean {
  const slots = new Set(slotsOf(a, index))
  return slotsOf(b, index).some((slot) => slots.has(slot))
}

function least(hashes: readonly number[], salt: number): number {
  let smallest = Infinity
  for (const hash of hashes) {
    let mixed = Math.imul(hash ^ (salt * 0x9e3779b1), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    smallest = Math.min(smallest, (mixed ^ (mixed >>> 16)) >>> 0)
  }
  return smallest
}
