/**
 * Owns the search for reasoning paths among the best passages: seed -> document -> name -> document … Refuses: text and spans.
 *
 * Two of the best passages are linked by the rarest name that both mention, a title counting for more. A route is worth the
 * relative scores of its passages, each times the links that lead to it, in falling shares: a second document that is well linked
 * adds to a route, a badly linked one does not.
 */
import { ln } from '../deterministic_math.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { RankedSlot } from '../retrieve/rank.ts'
import type { Seed } from '../retrieve/seeds.ts'

/** Whether two slots are passages of one document: links lead to other documents. */
type SameDocument = (a: number, b: number) => boolean

export interface Route {
  /** The seed's name, or -1 for a route that starts at a document. */
  readonly seed: number
  readonly slots: readonly number[]
  /** `names[i]` joins `slots[i]` and `slots[i + 1]`. */
  readonly names: readonly number[]
  /** In (0, 1]. */
  readonly score: number
}

/** Best passages that routes go through; a picture shows no more. */
const PASSAGES = 12
/** What the first, second and third document of a route add. */
const SHARES = [0.5, 0.35, 0.15]
/** Of a link by a name that is nobody's title here. */
const UNTITLED = 0.6

interface Link { readonly name: number; readonly strength: number }

/** Distinct routes, best first; equal ones by their passages' ranks. A route within another's documents is left out. */
export function findRoutes(ranked: readonly RankedSlot[], seeds: readonly Seed[], index: TextIndex, same: SameDocument, most: number): Route[] {
  const top = ranked.slice(0, PASSAGES), best = Math.max(top[0]?.score ?? 0, 1e-9)
  const value = top.map((passage) => Math.max(0, passage.score) / best)
  const seedNames = new Set(seeds.map((seed) => seed.name))
  const mentions = top.map((passage) => readMentions(index, passage.slot))
  const links = linkAll(top, mentions, seedNames, index, same)

  // bit b of `kin[a]`: a and b are of one document
  const kin = top.map((a) => top.reduce((bits, b, rank) => (same(a.slot, b.slot) ? bits | (1 << rank) : bits), 0))
  const routes: RankedRoute[] = []
  const extend = (seed: number, ranks: number[], names: number[], taken: number, strength: number, score: number): void => {
    routes.push({ seed, ranks, names, score, bits: ranks.reduce((bits, rank) => bits | (1 << rank), 0) })
    const share = SHARES[ranks.length]
    if (share === undefined) return
    const row = links[ranks[ranks.length - 1] as number] as (Link | null)[]
    for (let next = 0; next < top.length; next++) {
      const link = row[next]
      if (!link || (taken & (1 << next)) !== 0 || names.includes(link.name)) continue
      const reached = strength * link.strength
      extend(seed, [...ranks, next], [...names, link.name], taken | (kin[next] as number), reached, score + share * (value[next] as number) * reached)
    }
  }
  for (const seed of seeds) {
    for (let rank = 0; rank < top.length; rank++) {
      if (mentions[rank]?.has(seed.name)) extend(seed.name, [rank], [], kin[rank] as number, 1, (SHARES[0] as number) * (value[rank] as number))
    }
  }
  // without a seed in any of the best, routes between the best themselves still explain
  if (routes.length === 0) for (let rank = 0; rank < Math.min(3, top.length); rank++) extend(-1, [rank], [], kin[rank] as number, 1, (SHARES[0] as number) * (value[rank] as number))

  const seedText = new Map(routes.map(({ seed }) => [seed, seed < 0 ? '' : index.nameText(seed)]))
  routes.sort((a, b) => b.score - a.score || compareRanks(a.ranks, b.ranks) || ((seedText.get(a.seed) as string) < (seedText.get(b.seed) as string) ? -1 : 1))
  return pickDistinct(routes.filter((route) => route.seed >= 0 || route.ranks.length > 1), most)
    .map(({ seed, ranks, names, score }) => ({ seed, slots: ranks.map((rank) => (top[rank] as RankedSlot).slot), names, score }))
}

/** A route by the places of its passages among the best, in order and as bits. */
interface RankedRoute { readonly seed: number; readonly ranks: readonly number[]; readonly names: readonly number[]; readonly score: number; readonly bits: number }

/** What a name not yet started from, and documents not yet shown, are worth beside a route's score. */
const NEW_SEED = 0.25, SHOWN_DOCUMENTS = 0.25

/** The best route first, then each time the one that adds most: other names and other documents before variants of what is there. */
function pickDistinct(routes: readonly RankedRoute[], most: number): RankedRoute[] {
  const kept: RankedRoute[] = [], seeds = new Set<number>(), left = [...routes]
  let shown = 0
  while (kept.length < most && left.length > 0) {
    let best = left[0] as RankedRoute, worth = -Infinity
    for (const route of left) {
      let known = 0
      for (const rank of route.ranks) if ((shown >>> rank) & 1) known++
      const value = route.score + (kept.length > 0 && !seeds.has(route.seed) ? NEW_SEED : 0) - SHOWN_DOCUMENTS * (known / route.ranks.length)
      if (value > worth) { worth = value; best = route }
    }
    kept.push(best)
    seeds.add(best.seed)
    shown |= best.bits
    let keep = 0
    for (const route of left) if ((route.bits & ~best.bits) !== 0) left[keep++] = route
    left.length = keep
  }
  return kept
}

/** name -> whether it is the passage's title. */
function readMentions(index: TextIndex, slot: number): Map<number, boolean> {
  const { mentions } = index.graph, from = mentions.offset(slot), out = new Map<number, boolean>()
  for (const mention of mentions.data.subarray(from, from + mentions.length(slot))) out.set(mention >>> 1, (mention & 1) === 1)
  return out
}

function linkAll(top: readonly RankedSlot[], mentions: readonly Map<number, boolean>[], seeds: ReadonlySet<number>, index: TextIndex, same: SameDocument): (Link | null)[][] {
  const whole = ln(1 + index.size)
  const links: (Link | null)[][] = top.map(() => top.map(() => null))
  for (let a = 0; a < top.length; a++) {
    for (let b = a + 1; b < top.length; b++) {
      if (same((top[a] as RankedSlot).slot, (top[b] as RankedSlot).slot)) continue
      let best: Link | null = null
      for (const [name, titlesA] of mentions[a] as Map<number, boolean>) {
        const titlesB = (mentions[b] as Map<number, boolean>).get(name)
        if (titlesB === undefined || seeds.has(name)) continue
        const strength = ln(1 + index.size / index.graph.documentFrequency(name)) / whole * (titlesA || titlesB ? 1 : UNTITLED)
        if (!best || strength > best.strength || (strength === best.strength && index.nameText(name) < index.nameText(best.name))) best = { name, strength }
      }
      const row = links[a] as (Link | null)[], column = links[b] as (Link | null)[]
      row[b] = best
      column[a] = best
    }
  }
  return links
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  return a.length - b.length
}
