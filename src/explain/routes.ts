/**
 * Reasoning paths among the best passages: seed -> document -> name -> document …
 *
 * Two passages are linked by the rarest name that both mention, a title counting for more. A route
 * scores the relative scores of its passages, each times the links that lead to it, in falling
 * shares.
 */
import { ln } from '../base/math.ts'
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

/**
 * Best passages that routes go through; a picture shows no more. At most 15: each takes two bits of
 * an int32.
 */
const PASSAGES = 12
/** What the first, second and third document of a route add. */
const SHARES = [0.5, 0.35, 0.15]
/** Of a link by a name that is nobody's title here. */
const UNTITLED = 0.6

interface Link {
  readonly name: number
  readonly strength: number
}

/**
 * Distinct routes, best first; equal ones by their passages' ranks. A route within another's
 * documents is left out.
 */
export function findRoutes(
  ranked: readonly RankedSlot[],
  seeds: readonly Seed[],
  index: TextIndex,
  same: SameDocument,
  most: number,
): Route[] {
  const top = ranked.slice(0, PASSAGES),
    best = Math.max(top[0]?.score ?? 0, 1e-9)
  const value = top.map((passage) => Math.max(0, passage.score) / best)
  const seedNames = new Set(seeds.map((seed) => seed.name))
  const holders = holdersOf(top, index),
    links = linkAll(top, holders, seedNames, index, same)

  // bit b of `kin[a]`: a and b are of one document
  const kin = top.map((a) =>
    top.reduce((bits, b, rank) => (same(a.slot, b.slot) ? bits | (1 << rank) : bits), 0),
  )
  const routes: RankedRoute[] = []
  const extend = (
    before: RankedRoute | null,
    seed: number,
    rank: number,
    name: number,
    taken: number,
    strength: number,
    score: number,
  ): void => {
    const length = before ? before.length + 1 : 1
    const route: RankedRoute = {
      before,
      seed,
      rank,
      name,
      length,
      score,
      bits: (before?.bits ?? 0) | (1 << rank),
      order: (before?.order ?? 0) + (rank + 1) * PLACES[length - 1]!,
    }
    routes.push(route)
    const share = SHARES[length]
    if (share === undefined) return
    const row = links[rank] as (Link | null)[]
    for (let next = 0; next < top.length; next++) {
      const link = row[next]
      if (!link || (taken & (1 << next)) !== 0 || link.name === name || link.name === before?.name)
        continue
      const reached = strength * link.strength
      extend(
        route,
        seed,
        next,
        link.name,
        taken | kin[next]!,
        reached,
        score + share * value[next]! * reached,
      )
    }
  }
  const begin = (seed: number, rank: number): void => {
    extend(null, seed, rank, -1, kin[rank]!, 1, SHARES[0]! * value[rank]!)
  }
  for (const seed of seeds) {
    for (let rank = 0; rank < top.length; rank++)
      if (((holders.get(seed.name) ?? 0) & (1 << rank)) !== 0) begin(seed.name, rank)
  }
  // without a seed in any of the best, routes between the best themselves still explain
  if (routes.length === 0)
    for (let rank = 0; rank < Math.min(3, top.length); rank++) begin(-1, rank)

  const seedText = new Map([...seedNames].map((name) => [name, index.nameText(name)])).set(-1, '')
  const ahead = (a: RankedRoute, b: RankedRoute): boolean =>
    a.score !== b.score
      ? a.score > b.score
      : a.order !== b.order
        ? a.order < b.order
        : (seedText.get(a.seed) as string) < (seedText.get(b.seed) as string)
  return pickDistinct(
    routes.filter((route) => route.seed >= 0 || route.length > 1),
    most,
    ahead,
  ).map((route) => {
    const slots: number[] = [],
      names: number[] = []
    for (let at: RankedRoute | null = route; at; at = at.before) {
      slots.unshift(top[at.rank]!.slot)
      if (at.before) names.unshift(at.name)
    }
    return { seed: route.seed, slots, names, score: route.score }
  })
}

/**
 * A route by the places of its passages among the best: the last one, the name that leads to it (-1
 * for none), and the route before it.
 */
interface RankedRoute {
  readonly before: RankedRoute | null
  readonly seed: number
  readonly rank: number
  readonly name: number
  readonly length: number
  readonly score: number
  /** Its places as bits, and as digits whose order is that of the routes with equal scores. */
  readonly bits: number
  readonly order: number
}

/**
 * Worth of the first, second and third digit of a route's order; a route comes before those that go
 * on from it.
 */
const PLACES = [256, 16, 1]

/**
 * What a name not yet started from, and documents not yet shown, are worth beside a route's score.
 */
const NEW_SEED = 0.25,
  SHOWN_DOCUMENTS = 0.25

/**
 * The best route first, then each time the one that adds most: other names and other documents
 * before variants of what is there; of equal ones the one that is `ahead`.
 */
function pickDistinct(
  routes: readonly RankedRoute[],
  most: number,
  ahead: (a: RankedRoute, b: RankedRoute) => boolean,
): RankedRoute[] {
  const kept: RankedRoute[] = [],
    seeds = new Set<number>(),
    left = [...routes]
  let shown = 0
  while (kept.length < most && left.length > 0) {
    let best = left[0]!,
      worth = -Infinity
    for (const route of left) {
      let known = 0
      for (let bits = route.bits & shown; bits !== 0; bits &= bits - 1) known++
      const value =
        route.score +
        (kept.length > 0 && !seeds.has(route.seed) ? NEW_SEED : 0) -
        SHOWN_DOCUMENTS * (known / route.length)
      if (value > worth || (value === worth && ahead(route, best))) {
        worth = value
        best = route
      }
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

/**
 * Which of the best passages mention a name: bit `rank`, and bit `PASSAGES + rank` where it is the
 * passage's title.
 */
function holdersOf(
  top: readonly RankedSlot[],
  { graph: { mentions } }: TextIndex,
): Map<number, number> {
  const out = new Map<number, number>(),
    { data } = mentions
  for (const [rank, { slot }] of top.entries()) {
    const from = mentions.offset(slot),
      to = from + mentions.length(slot)
    for (let i = from; i < to; i++) {
      const mention = data[i]!,
        name = mention >>> 1
      out.set(name, (out.get(name) ?? 0) | (1 << rank) | ((mention & 1) << (PASSAGES + rank)))
    }
  }
  return out
}

function linkAll(
  top: readonly RankedSlot[],
  holders: ReadonlyMap<number, number>,
  seeds: ReadonlySet<number>,
  index: TextIndex,
  same: SameDocument,
): (Link | null)[][] {
  const whole = ln(1 + index.size),
    links: (Link | null)[][] = top.map(() => top.map(() => null))
  const better = (a: Link, b: Link | null): boolean =>
    !b ||
    a.strength > b.strength ||
    (a.strength === b.strength && index.nameText(a.name) < index.nameText(b.name))
  for (const [name, bits] of holders) {
    const held = bits & ((1 << PASSAGES) - 1)
    // one passage alone is linked to none
    if ((held & (held - 1)) === 0 || seeds.has(name)) continue
    const rarity = ln(1 + index.size / index.graph.documentFrequency(name)) / whole
    const titled: Link = { name, strength: rarity },
      untitled: Link = { name, strength: rarity * UNTITLED }
    for (let a = 0; a < top.length; a++) {
      if ((held & (1 << a)) === 0) continue
      for (let b = a + 1; b < top.length; b++) {
        if ((held & (1 << b)) === 0 || same(top[a]!.slot, top[b]!.slot)) continue
        const row = links[a] as (Link | null)[],
          link = (bits & (((1 << a) | (1 << b)) << PASSAGES)) !== 0 ? titled : untitled
        if (!better(link, row[b] as Link | null)) continue
        row[b] = link
        ;(links[b] as (Link | null)[])[a] = link
      }
    }
  }
  return links
}
