/**
 * Reasoning paths among the best passages: seed -> document -> name -> document …
 *
 * Two passages are linked by the rarest name that both mention, a title counting for more. A route
 * goes on only where the next passage is good in itself and has words of the question that the
 * route lacks so far: it ends at the evidence. Depth-first over the few best passages.
 */
import type { RankedSlot } from '../retrieve/rank.ts'
import { pickDistinct } from './distinct_paths.ts'
import { linksOf, type Link } from './passage_links.ts'
import type { Draft, Route, RouteRequest } from './route_types.ts'

/**
 * A second document goes on with a route where its score is this share of the best one's and it
 * brings words of the question, or where it is nearly as good as the best; a further one needs more.
 */
const SECOND = { value: 0.2, gain: 0.02, anyway: 0.7 }
const FURTHER = { value: 0.6, gain: 0.1 }
/** For a route that starts at the document about its seed. */
const TITLED = 0.1
/** Best passages that routes go through; a picture shows no more. */
const PASSAGES = 12
/** What each further document of a route adds at most; a route has no more documents. */
const SHARES = [0.5, 0.3, 0.13, 0.07]

/** Distinct routes, best first; equal ones by their passages' ranks. */
export function findRoutes(request: RouteRequest): Route[] {
  const search = new RouteSearch(request)
  return pickDistinct(search.run(), request.most, request.index).map(
    ({ seed, ranks, names, score }) => ({
      seed,
      names,
      score,
      slots: ranks.map((rank) => search.top[rank]!.slot),
    }),
  )
}

class RouteSearch {
  readonly top: readonly RankedSlot[]
  private readonly values: readonly number[]
  private readonly links: readonly (readonly (Link | null)[])[]
  /** Bit j: the passage has the question's j-th term. */
  private readonly masks: readonly number[]
  private readonly idfs: readonly number[]
  private readonly drafts: Draft[] = []

  constructor(private readonly request: RouteRequest) {
    const { ranked, index, question, reader } = request
    this.top = ranked.slice(0, PASSAGES)
    const best = Math.max(this.top[0]?.score ?? 0, 1e-9)
    this.values = this.top.map(({ score }) => Math.max(0, score) / best)
    const terms = question.distinct.slice(0, 31),
      bits = new Map(terms.map((term, j) => [term, 1 << j]))
    const idfs = terms.map((term) => index.lexical.idf(term)),
      total = idfs.reduce((sum, idf) => sum + idf, 0) || 1
    this.idfs = idfs.map((idf) => idf / total)
    this.masks = this.top.map(({ slot }) => {
      const about = index.aboutOf(slot),
        title = about < 0 ? [] : index.gazetteer.trie.wordsOf(about)
      return [...reader.wordsOf(slot).ids, ...title].reduce(
        (mask, id) => mask | (id < 0 ? 0 : (bits.get(index.vocabulary.termOf(id)) ?? 0)),
        0,
      )
    })
    this.links = linksOf(this.top, request)
  }

  run(): readonly Draft[] {
    const { seeds, index } = this.request
    for (const { name } of seeds)
      this.top.forEach(({ slot }, rank) => {
        if (index.graph.mentions.values(slot).some((mention) => mention >>> 1 === name))
          this.begin(name, rank)
      })
    // without a seed in any of the best, routes between the best themselves still explain
    if (this.drafts.length === 0)
      for (let rank = 0; rank < Math.min(3, this.top.length); rank++) this.begin(-1, rank)
    return this.drafts.filter(({ seed, ranks }) => seed >= 0 || ranks.length > 1)
  }

  private begin(seed: number, rank: number): void {
    const titled = seed >= 0 && this.request.index.aboutOf(this.top[rank]!.slot) === seed
    this.extend(
      {
        seed,
        ranks: [rank],
        names: [],
        score: SHARES[0]! * this.values[rank]! + (titled ? TITLED : 0),
      },
      this.masks[rank]!,
      1,
    )
  }

  private extend(draft: Draft, covered: number, strength: number): void {
    this.drafts.push(draft)
    const { ranks, names } = draft,
      share = SHARES[ranks.length],
      last = ranks.at(-1)!
    if (share === undefined) return
    this.links[last]!.forEach((link, next) => {
      if (
        !link ||
        link.name === draft.seed ||
        names.includes(link.name) ||
        !this.isNew(next, ranks)
      )
        return
      if (!this.goesOn(next, covered, ranks.length > 1)) return
      const reached = strength * link.strength
      this.extend(
        {
          seed: draft.seed,
          ranks: [...ranks, next],
          names: [...names, link.name],
          score: draft.score + share * this.values[next]! * reached,
        },
        covered | this.masks[next]!,
        reached,
      )
    })
  }

  private goesOn(next: number, covered: number, far: boolean): boolean {
    const gain = this.worth(this.masks[next]! & ~covered),
      value = this.values[next]!
    if (far) return value >= FURTHER.value && gain >= FURTHER.gain
    return value >= SECOND.anyway || (value >= SECOND.value && gain >= SECOND.gain)
  }

  private isNew(next: number, ranks: readonly number[]): boolean {
    const { slot } = this.top[next]!
    return ranks.every((rank) => rank !== next && !this.request.same(this.top[rank]!.slot, slot))
  }

  private worth(mask: number): number {
    let sum = 0
    for (let j = 0; mask >>> j !== 0; j++) if ((mask >>> j) & 1) sum += this.idfs[j] ?? 0
    return sum
  }
}
