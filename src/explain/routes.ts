/**
 * Reasoning paths among the best passages: seed -> document -> name -> document …
 *
 * Two passages are linked by the rarest name that both mention, a title counting for more. A beam
 * search over the few best passages; each route is weighed by where it starts, what joins its
 * passages and how likely the last of them holds the answer, so that it ends at the evidence.
 */
import { append } from '../base/grown.ts'
import { exp, ln } from '../base/math.ts'
import { TermSets } from '../retrieve/term_sets.ts'
import { compareDrafts, pickDistinct } from './distinct_paths.ts'
import { linksOf, type Link } from './passage_links.ts'
import { readRoutePassages, type RoutePassage } from './route_passages.ts'
import type { Draft, Route, RouteRequest } from './route_types.ts'
import { ROUTE_WEIGHTS as WEIGHTS } from './route_weights.ts'

/** Best passages that routes go through; a picture shows no more. */
const PASSAGES = 12
/** Documents of a route at most. */
const MOST_DOCUMENTS = WEIGHTS.longer.length
/** Routes of one length that are gone on with: work stays under a thousand routes. */
const BEAM = 40
/** Best passages that a route may start at where none of them has a seed. */
const UNSEEDED = 3
/** A route with less of the likelihood is not worth showing. */
const LEAST_SCORE = 0.01
/** Shares of likelihood below it tell nothing. */
const LEAST_SHARE = 1e-4

/** A draft with what its score is made of. */
interface Way extends Draft {
  /** Without its end. */
  readonly weight: number
  readonly covered: number
}

/** Distinct routes, best first; equal ones by their passages' ranks. None without a name. */
export function findRoutes(request: RouteRequest): Route[] {
  const search = new RouteSearch(request),
    ways = search.run()
  if (ways.length === 0) return []
  const most = Math.max(...ways.map(({ score }) => score)),
    likelihoods = ways.map(({ score }) => exp(score - most)),
    sum = likelihoods.reduce((a, b) => a + b, 0)
  const drafts = ways
    .map((way, i) => ({ ...way, score: likelihoods[i]! / sum }))
    .sort((a, b) => compareDrafts(a, b, request.index))
  // what is likeliest joins nothing: there is no path to show
  if (!isPath(drafts[0]!)) return []
  const worth = drafts.filter((draft) => isPath(draft) && draft.score >= LEAST_SCORE)
  return pickDistinct(worth, request.most)
    .sort((a, b) => compareDrafts(a, b, request.index))
    .map(({ seed, ranks, names, score }) => ({
      seed,
      names,
      score,
      slots: ranks.map((rank) => search.passages[rank]!.slot),
    }))
}

function isPath({ seed, ranks }: Draft): boolean {
  return seed >= 0 || ranks.length > 1
}

class RouteSearch {
  readonly passages: readonly RoutePassage[]
  private readonly links: readonly (readonly (Link | null)[])[]
  private readonly sets: TermSets

  constructor(private readonly request: RouteRequest) {
    const top = request.ranked.slice(0, PASSAGES)
    this.sets = new TermSets(request.question, request.index)
    this.passages = readRoutePassages(top, this.sets, request)
    this.links = linksOf(top, request)
  }

  run(): Way[] {
    const ways: Way[] = []
    let last = this.starts()
    while (last.length > 0) {
      append(ways, last)
      if (last[0]!.ranks.length === MOST_DOCUMENTS) break
      last = [...last]
        .sort((a, b) => b.weight - a.weight || compareDrafts(a, b, this.request.index))
        .slice(0, BEAM)
        .flatMap((way) => this.extend(way))
    }
    return ways
  }

  private starts(): Way[] {
    const ranks = [...this.passages.keys()],
      seeded = ranks.filter((rank) => this.passages[rank]!.seed >= 0)
    // without a seed in any of the best, routes between the best themselves still explain
    return (seeded.length > 0 ? seeded : ranks.slice(0, UNSEEDED)).map((rank) => {
      const { seed, about, value, mask } = this.passages[rank]!,
        titled = seed >= 0 && seed === about ? WEIGHTS.titled : 0
      return this.ended([rank], [], WEIGHTS.start * value + titled, mask)
    })
  }

  private extend(way: Way): Way[] {
    const { ranks, names, covered } = way,
      longer: Way[] = []
    this.links[ranks.at(-1)!]!.forEach((link, next) => {
      if (!link || link.name === way.seed || names.includes(link.name)) return
      if (!this.isNew(next, ranks)) return
      const { value, mask } = this.passages[next]!,
        weight =
          way.weight +
          WEIGHTS.link * ln(link.strength) +
          WEIGHTS.next * value +
          WEIGHTS.left * this.share(covered & ~mask) +
          WEIGHTS.longer[ranks.length]!
      longer.push(this.ended([...ranks, next], [...names, link.name], weight, covered | mask))
    })
    return longer
  }

  private ended(ranks: number[], names: number[], weight: number, covered: number): Way {
    const { answers } = this.request,
      first = this.passages[ranks[0]!]!,
      end = ranks.at(-1)!,
      { mask, asked } = this.passages[end]!,
      single = ranks.length === 1,
      share = (single ? answers.oneFact : answers.twoFacts)[end] ?? 0,
      facts = single ? 1 - answers.needsTwo : answers.needsTwo
    const score =
      weight +
      WEIGHTS.covered * this.share(covered) +
      (single ? WEIGHTS.oneFact : WEIGHTS.twoFacts) * ln(Math.max(LEAST_SHARE, share)) +
      WEIGHTS.facts * ln(Math.max(1e-3, facts)) +
      WEIGHTS.askedNew * asked(mask & ~first.mask) +
      WEIGHTS.askedMore * (asked(mask) - asked(first.mask))
    return { seed: first.seed, ranks, names, score, weight, covered }
  }

  private isNew(next: number, ranks: readonly number[]): boolean {
    const { slot } = this.passages[next]!
    return ranks.every(
      (rank) => rank !== next && !this.request.same(this.passages[rank]!.slot, slot),
    )
  }

  private share(mask: number): number {
    return this.sets.total === 0 ? 0 : this.sets.share(mask)
  }
}
