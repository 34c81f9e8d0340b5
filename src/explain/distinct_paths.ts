/** Of many routes the few worth showing: best first, then those that add most. */
import type { TextIndex } from '../graph/text_index.ts'
import type { Draft } from './route_types.ts'

/** What a seed and documents not shown yet are worth beside a route's score. */
const NEW_SEED = 0.25,
  SHOWN_DOCUMENTS = 0.25

/**
 * Of drafts in order, best first: the best route, then each time the one that adds most: other
 * names and documents before variants of what is there. A route within the documents of one before
 * it is left out.
 */
export function pickDistinct(drafts: readonly Draft[], most: number): Draft[] {
  const kept: Draft[] = [],
    seeds = new Set<number>(),
    shown = new Set<number>()
  let left = [...drafts]
  while (kept.length < most && left.length > 0) {
    const worth = ({ seed, ranks, score }: Draft): number =>
      score +
      (kept.length > 0 && !seeds.has(seed) ? NEW_SEED : 0) -
      (SHOWN_DOCUMENTS * ranks.filter((rank) => shown.has(rank)).length) / ranks.length
    const best = left.reduce((a, b) => (worth(b) > worth(a) ? b : a))
    kept.push(best)
    seeds.add(best.seed)
    for (const rank of best.ranks) shown.add(rank)
    left = left.filter(({ ranks }) => ranks.some((rank) => !best.ranks.includes(rank)))
  }
  return kept
}

/** The likelier first, then by the ranks of their passages and the text of their names. */
export function compareDrafts(a: Draft, b: Draft, index: TextIndex): number {
  if (a.score !== b.score) return b.score - a.score
  for (let i = 0; i < Math.max(a.ranks.length, b.ranks.length); i++) {
    const x = a.ranks[i] ?? -1,
      y = b.ranks[i] ?? -1
    if (x !== y) return x - y
  }
  const text = (name: number): string => (name < 0 ? '' : index.nameText(name))
  return text(a.seed) < text(b.seed) ? -1 : 1
}
