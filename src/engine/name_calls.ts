/** The engine's calls about names and their graph: options checked, names resolved. */
import { strings, textOf, whole } from '../base/options.ts'
import { LIMITS } from '../base/limits.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { listCommunities, passagesOfName, subgraphOf, type Reading } from '../explain/name_graph.ts'
import { nameMeant } from '../explain/name_lookup.ts'
import type { Engine } from '../types.ts'
import { kindOption, neighborsOf, resolveNames, routesBetween } from './graph_queries.ts'

type Result<C extends keyof NameCalls> =
  ReturnType<NameCalls[C]> | Awaited<ReturnType<NameCalls[C]>>
type NameCalls = Pick<
  Engine,
  'resolveEntities' | 'entityNeighbors' | 'passagesOf' | 'subgraph' | 'communities' | 'pathBetween'
>

/** Rejects with `input/invalid` for a name that is unknown or shared, and for wrong options. */
export function nameCalls(
  corpus: Corpus,
  generation: () => number,
): { readonly [C in keyof NameCalls]: (...given: Parameters<NameCalls[C]>) => Result<C> } {
  const named = (text: string): number => nameMeant(textOf('name', text), corpus),
    reading = (signal: AbortSignal | undefined): Reading => ({ corpus, generation, signal })
  return {
    resolveEntities: (mentions) => resolveNames(strings('mentions', mentions), corpus),
    entityNeighbors: (name, { limit = 20, kind } = {}) =>
      neighborsOf(named(name), whole('limit', limit, 1, 1000), kindOption(kind), corpus),
    passagesOf: (name, { limit = 20 } = {}) =>
      passagesOfName(named(name), whole('limit', limit, 1, 1000), corpus),
    subgraph: ({ around, depth = 1, limit = 100, signal } = {}) =>
      subgraphOf(reading(signal), {
        around: around === undefined ? null : named(around),
        depth: whole('depth', depth, 1, 2),
        limit: whole('limit', limit, 1, LIMITS.subgraphNames),
      }),
    communities: ({ limit = 20, signal } = {}) =>
      listCommunities(reading(signal), whole('limit', limit, 1, 200)),
    pathBetween: (a, b, { k = 3 } = {}) =>
      routesBetween(named(a), named(b), whole('k', k, 1, 10), corpus),
  }
}
