/** Links between the best passages of an answer: the rarest name that both mention. */
import { ln } from '../base/math.ts'
import { isCommon, isGeneric } from '../graph/generic_names.ts'
import type { RankedSlot } from '../retrieve/rank.ts'
import type { RouteRequest } from './route_types.ts'

export interface Link {
  readonly name: number
  /** In (0, 1]: rarity, less for a name that is no title here. */
  readonly strength: number
}

/** Of a link by a name that is no title here. */
const UNTITLED = 0.6

interface Holder {
  readonly rank: number
  readonly own: boolean
}

/** `links[a][b]`, the same both ways; null where nothing joins the two. */
export function linksOf(
  top: readonly RankedSlot[],
  { index, seeds, same }: Pick<RouteRequest, 'index' | 'seeds' | 'same'>,
): readonly (readonly (Link | null)[])[] {
  const links: (Link | null)[][] = top.map(() => top.map(() => null)),
    whole = ln(1 + index.size),
    started = new Set(seeds.map(({ name }) => name))
  for (const [name, holders] of holdersOf(top, index)) {
    if (holders.length < 2) continue
    const rarity = ln(1 + index.size / index.graph.documentFrequency(name)) / whole
    for (const [i, a] of holders.entries())
      for (const b of holders.slice(i + 1)) {
        if (same(top[a.rank]!.slot, top[b.rank]!.slot)) continue
        const titled = a.own || b.own
        if (titled ? isGeneric(name, index) : started.has(name) || isCommon(name, index)) continue
        const link = { name, strength: titled ? rarity : rarity * UNTITLED }
        if (!isBetter(link, links[a.rank]![b.rank]!, index)) continue
        links[a.rank]![b.rank] = links[b.rank]![a.rank] = link
      }
  }
  return links
}

function isBetter(a: Link, b: Link | null, index: RouteRequest['index']): boolean {
  return (
    !b ||
    a.strength > b.strength ||
    (a.strength === b.strength && index.nameText(a.name) < index.nameText(b.name))
  )
}

function holdersOf(
  top: readonly RankedSlot[],
  { graph }: RouteRequest['index'],
): ReadonlyMap<number, readonly Holder[]> {
  const out = new Map<number, Holder[]>()
  for (const [rank, { slot }] of top.entries())
    for (const mention of graph.mentions.values(slot)) {
      const holders = out.get(mention >>> 1) ?? []
      holders.push({ rank, own: (mention & 1) === 1 })
      out.set(mention >>> 1, holders)
    }
  return out
}
