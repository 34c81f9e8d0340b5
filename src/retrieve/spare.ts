/** Passages for packing in the place of copies. */
import type { PassageReader } from '../graph/passage_reader.ts'
import type { HeldSlot } from './head.ts'
import { selectBestRounded } from './select.ts'
import { Wordings } from './wordings.ts'

/** Passages searched for texts other than copies: a thousand copies a source, one pass' heap. */
const COPIES_DEPTH = 16_384

interface SpareRequest {
  readonly slots: number
  readonly excludedMask: Uint8Array
  readonly compare: (a: number, b: number) => number
  readonly reader: PassageReader
}

/** The best slots behind the ranked ones with other texts, one for each ranked copy. */
export function spareOf(
  ranked: readonly HeldSlot[],
  { slots, excludedMask, compare, reader }: SpareRequest,
  scores: Float64Array,
): HeldSlot[] {
  const wordings = new Wordings(),
    taken = new Set(ranked.map(({ slot }) => slot)),
    spare: HeldSlot[] = []
  const copies = ranked.filter(({ slot }) => !wordings.add(reader.textOf(slot))).length
  for (let depth = 4 * ranked.length; spare.length < copies; depth *= 4) {
    const most = Math.min(depth, COPIES_DEPTH),
      deeper = selectBestRounded(scores, slots, most, excludedMask, compare)
    for (const slot of deeper) {
      if (taken.has(slot) || spare.length === copies) continue
      taken.add(slot)
      if (wordings.add(reader.textOf(slot))) spare.push({ slot, score: scores[slot]! })
    }
    if (deeper.length < most || most === COPIES_DEPTH) break
  }
  return spare
}
