/** Walks the graph hop by hop, for agents and people. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { roundScore } from '../base/math.ts'
import { invalid } from '../base/options.ts'
import { distinctRoutes } from '../graph/distinct_routes.ts'
import { slotsOf } from '../graph/neighbours.ts'
import type {
  EntityNeighbor,
  EntityType,
  GraphStats,
  PathNode,
  PathStep,
  ResolvedEntity,
  RouteBetween,
} from '../types.ts'
import { typeOf } from '../explain/entity_types.ts'
import { labelOf } from '../explain/labels.ts'
import { MentionReader } from '../explain/mentions.ts'
import { documentNode, entityNode, stepOf } from '../explain/reasoning.ts'
import { findNames } from '../explain/name_lookup.ts'
import { ShownNames } from '../explain/shown_names.ts'
import { StatedRelations } from '../explain/stated_relations.ts'

/** Documents of a name that are listed. */
const MOST_DOCUMENTS = 1000

/** Documents that mention a name, by id, at most so many. */
function documentsOf(name: number, corpus: Corpus, most: number): string[] {
  return [...new Set(holdersOf(name, corpus).map((slot) => corpus.table.entry(slot).id))].slice(
    0,
    most,
  )
}

/** What the corpus knows of each mention; null for those it does not know. */
export async function resolveNames(
  mentions: readonly string[],
  corpus: Corpus,
): Promise<(ResolvedEntity | null)[]> {
  const { text, table } = corpus,
    reader = new MentionReader(text, table)
  return Promise.all(
    mentions.map(async (mention): Promise<ResolvedEntity | null> => {
      const [name, ...others] = findNames(mention, corpus).sort(
        (a, b) =>
          text.graph.documentFrequency(b) - text.graph.documentFrequency(a) ||
          compareIds(text.nameText(a), text.nameText(b)),
      )
      if (name === undefined) return null
      const refOf = (of: number): { name: string; label: string; passages: number } => ({
          name: text.nameText(of),
          label: labelOf(of, text, table, reader),
          passages: text.graph.documentFrequency(of),
        }),
        known = { mention, ...refOf(name), documents: documentsOf(name, corpus, MOST_DOCUMENTS) }
      return {
        ...known,
        type: await typeOf(known.label),
        ...(others.length === 0 ? {} : { alternatives: others.map(refOf) }),
      }
    }),
  )
}

/** Neighbours whose kind is looked at: kinds are read off one name at a time. */
const MOST_TYPED = 1000

/** `kind` as it was given, or null for any. */
export function kindOption(kind: unknown): EntityType | null {
  if (kind === undefined) return null
  if (kind === 'person' || kind === 'place' || kind === 'organisation' || kind === 'other')
    return kind
  throw invalid(
    'kind',
    String(kind).slice(0, 20),
    'Use "person", "place", "organisation" or "other".',
  )
}

/**
 * Names that share passages with this one, by the summed weight of what they share; ties by name.
 */
export async function neighborsOf(
  name: number,
  limit: number,
  kind: EntityType | null,
  corpus: Corpus,
): Promise<EntityNeighbor[]> {
  if (kind === null) return heaviestNeighbors(name, limit, corpus)
  const found: EntityNeighbor[] = []
  for (const neighbor of heaviestNeighbors(name, MOST_TYPED, corpus)) {
    if (found.length === limit) break
    if ((await typeOf(neighbor.label)) === kind) found.push(neighbor)
  }
  return found
}

function heaviestNeighbors(name: number, limit: number, corpus: Corpus): EntityNeighbor[] {
  const { graph } = corpus.text,
    shared = new Map<number, { weight: number; slots: number[] }>()
  for (const slot of holdersOf(name, corpus)) {
    for (const other of namesIn(slot, corpus)) {
      if (other === name) continue
      const entry = shared.get(other) ?? { weight: 0, slots: [] }
      entry.weight += graph.weight(other)
      entry.slots.push(slot)
      shared.set(other, entry)
    }
  }
  const reader = new MentionReader(corpus.text, corpus.table)
  const heaviest = [...shared]
    .map(([other, { weight, slots }]) => ({
      other,
      weight,
      slots,
      text: corpus.text.nameText(other),
    }))
    .sort((a, b) => b.weight - a.weight || compareIds(a.text, b.text))
  const shown = new ShownNames(corpus.text, corpus.table)
  return firstWhere(heaviest, limit, ({ other }) => shown.isShown(other)).map(
    ({ other, weight, slots, text }) => ({
      name: text,
      label: labelOf(other, corpus.text, corpus.table, reader),
      weight: roundScore(weight / 65536),
      documents: [...new Set(slots.map((slot) => corpus.table.entry(slot).id))].sort(compareIds),
    }),
  )
}

function firstWhere<T>(all: readonly T[], most: number, fits: (one: T) => boolean): T[] {
  const out: T[] = []
  for (let i = 0; i < all.length && out.length < most; i++) if (fits(all[i]!)) out.push(all[i]!)
  return out
}

/** Passages visited in a search for routes; beyond it two names are called unconnected. */
const MOST_VISITED = 20_000

/** A passage (even) or a name (odd) inside a route. */
type Stop = number
const passageStop = (slot: number): Stop => slot * 2
const nameStop = (name: number): Stop => name * 2 + 1

/**
 * Up to k distinct routes between two names, by hops (passages passed), then by what is on the way.
 * A route whose inner passages and names hold all those of one before it is left out: see
 * distinctRoutes.
 */
export function routesBetween(from: number, to: number, k: number, corpus: Corpus): RouteBetween[] {
  const { text, table } = corpus,
    reader = new MentionReader(text, table),
    stated = new StatedRelations(corpus)
  if (from === to)
    return [
      { hops: 0, nodes: [entityNode(from, text, labelOf(from, text, table, reader))], steps: [] },
    ]
  const key = (stop: Stop): string =>
    stop % 2 === 0
      ? `d${table.entry(stop / 2).id}\u0000${table.entry(stop / 2).slots.indexOf(stop / 2)}`
      : `e${text.nameText((stop - 1) / 2)}`
  const compare = (a: readonly Stop[], b: readonly Stop[]): number => {
    const at = a.findIndex((stop, i) => stop !== b[i])
    return at < 0 ? 0 : compareIds(key(a[at]!), key(b[at]!))
  }
  return distinctRoutes(({ nodes }) => shortest(from, to, nodes, corpus), k, compare).map(
    (stops) => {
      const labelled = (name: number): PathNode =>
        entityNode(name, text, labelOf(name, text, table, reader))
      const nodes: PathNode[] = [labelled(from)],
        steps: PathStep[] = []
      let name = from
      for (let i = 0; i < stops.length; i += 2) {
        const slot = stops[i]! / 2,
          next = i + 1 < stops.length ? (stops[i + 1]! - 1) / 2 : to
        nodes.push(documentNode(slot, table), labelled(next))
        const about = text.aboutOf(slot)
        steps.push(
          stepOf(slot, name, text, table, reader),
          stepOf(
            slot,
            next,
            text,
            table,
            reader,
            next === about ? null : stated.between(slot, next, [name, about]),
          ),
        )
        name = next
      }
      return { hops: (stops.length + 1) / 2, nodes, steps }
    },
  )
}

/** Inner stops of a shortest route that passes nothing barred: passage, name, passage … */
function shortest(
  from: number,
  to: number,
  barred: ReadonlySet<Stop>,
  corpus: Corpus,
): Stop[] | null {
  const reachedBy = new Map<number, { slot: number; previous: number }>([
    [from, { slot: -1, previous: -1 }],
  ])
  const seen = new Set<number>()
  let frontier = [from]
  while (frontier.length > 0 && seen.size < MOST_VISITED) {
    const next: number[] = []
    for (const name of frontier) {
      for (const slot of holdersOf(name, corpus)) {
        if (seen.has(slot) || barred.has(passageStop(slot))) continue
        seen.add(slot)
        for (const other of namesIn(slot, corpus)) {
          if (reachedBy.has(other) || (other !== to && barred.has(nameStop(other)))) continue
          reachedBy.set(other, { slot, previous: name })
          if (other === to) return unwind(to, reachedBy)
          next.push(other)
        }
      }
    }
    frontier = next
  }
  return null
}

function unwind(
  to: number,
  reachedBy: ReadonlyMap<number, { slot: number; previous: number }>,
): Stop[] {
  const stops: Stop[] = []
  for (
    let name = to, at = reachedBy.get(to);
    at && at.slot >= 0;
    name = at.previous, at = reachedBy.get(name)
  ) {
    if (name !== to) stops.push(nameStop(name))
    stops.push(passageStop(at.slot))
  }
  return stops.reverse()
}

/** Counts of the graph and its ten most mentioned names. */
export function graphStats(corpus: Corpus): GraphStats {
  const { text, table } = corpus,
    { graph } = text,
    names = text.gazetteer.trie.size
  const degrees: { name: number; degree: number }[] = []
  for (let name = 0; name < names; name++) {
    const degree = graph.documentFrequency(name)
    if (degree > 0) degrees.push({ name, degree })
  }
  degrees.sort(
    (a, b) => b.degree - a.degree || compareIds(text.nameText(a.name), text.nameText(b.name)),
  )
  const shown = new ShownNames(text, table),
    hubs = firstWhere(degrees, 10, ({ name }) => shown.isShown(name))
  const reader = new MentionReader(text, table)
  return {
    documents: table.documents,
    passages: table.passages,
    entities: graph.entities,
    edges: graph.edges,
    hubs: hubs.map(({ name, degree }) => ({
      name: text.nameText(name),
      label: labelOf(name, text, table, reader),
      degree,
    })),
  }
}

/** Slots that mention a name, in the order of ids. */
function holdersOf(name: number, { text, table }: Corpus): number[] {
  return slotsOf(name, text).sort(table.compare)
}

/** Names in a passage, by their text. */
function namesIn(slot: number, { text }: Corpus): number[] {
  return Array.from(text.graph.mentions.values(slot), (mention) => mention >>> 1).sort((a, b) =>
    compareIds(text.nameText(a), text.nameText(b)),
  )
}
