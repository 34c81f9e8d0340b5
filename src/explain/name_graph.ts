/** A part of the graph of names to draw or to walk, its communities, and passages of a name. */
import { append } from '../base/grown.ts'
import { compareIds } from '../base/compare_ids.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { roundScore } from '../base/math.ts'
import { yieldToEvents } from '../base/platform.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { isGeneric } from '../graph/generic_names.ts'
import { Pace, slotsOf } from '../graph/neighbours.ts'
import type { Community, NamePassage, Subgraph, SubgraphEdge } from '../types.ts'
import { typeOf } from './entity_types.ts'
import { labelOf } from './labels.ts'
import { communitiesOf, type WeightedEdge } from './louvain.ts'
import { MentionReader } from './mentions.ts'

/** Passages of a name in which neighbours are looked for: the first by document. */
const PASSAGES_READ = 256
/** A passage with more of the names is a list: it joins everything and costs its square. */
const MOST_BESIDE = 64
/** Edges of a part for each of its names, the heaviest. */
const EDGES_EACH = 4
/** Names whose communities are told: the most telling. */
const COMMUNITY_NAMES = 2000
const COMMUNITY_SHOWN = 5
/** Times that a corpus which changes meanwhile is read anew. */
const ATTEMPTS = 3

/** Work in turns; each `yield` lets others have one. */
type Turns<T> = Generator<void, T>

interface Part {
  /** Most telling first. */
  readonly names: readonly number[]
  readonly edges: readonly WeightedEdge[]
}

export interface Reading {
  readonly corpus: Corpus
  readonly generation: () => number
  readonly signal?: AbortSignal | undefined
}

/** Names around one, or the most telling of all; see `Engine.subgraph`. */
export async function subgraphOf(
  reading: Reading,
  { around, depth, limit }: { around: number | null; depth: number; limit: number },
): Promise<Subgraph> {
  const { corpus } = reading,
    { text, table } = corpus
  const { part, nodes } = await whole(reading, function* () {
    const names =
      around === null ? yield* telling(limit, corpus) : near(around, depth, limit, corpus)
    const found: Part = { names, edges: yield* edgesOf(names, corpus) },
      communities = communitiesOf(names.length, found.edges),
      reader = new MentionReader(text, table)
    return {
      part: found,
      nodes: names.map((name, i) => ({
        name: text.nameText(name),
        label: labelOf(name, text, table, reader),
        passages: text.graph.documentFrequency(name),
        community: communities[i]!,
      })),
    }
  })
  const edges = part.edges.map(({ a, b, weight }): SubgraphEdge => ({
    source: nodes[a]!.name,
    target: nodes[b]!.name,
    weight: roundScore(weight / 65536),
  }))
  const typed: Subgraph['nodes'][number][] = []
  for (const [i, node] of nodes.entries()) {
    if (i % 50 === 49) await yieldToEvents()
    throwIfAborted(reading.signal)
    typed.push({ ...node, kind: await typeOf(node.label) })
  }
  return { nodes: typed, edges, total: text.graph.entities }
}

/** The largest first; see `Engine.communities`. */
export function listCommunities(reading: Reading, limit: number): Promise<Community[]> {
  const { text, table } = reading.corpus
  return whole(reading, function* () {
    const names = yield* telling(COMMUNITY_NAMES, reading.corpus),
      of = communitiesOf(names.length, yield* edgesOf(names, reading.corpus)),
      members = new Map<number, number[]>(),
      reader = new MentionReader(text, table)
    for (const [i, community] of of.entries())
      members.set(community, [...(members.get(community) ?? []), names[i]!])
    return [...members.values()]
      .filter((group) => group.length > 1)
      .sort((a, b) => b.length - a.length)
      .slice(0, limit)
      .map((group, id) => ({
        id,
        size: group.length,
        names: group.slice(0, COMMUNITY_SHOWN).map((name) => ({
          name: text.nameText(name),
          label: labelOf(name, text, table, reader),
        })),
      }))
  })
}

/** Passages that mention a name, in the order of their documents. */
export function passagesOfName(
  name: number,
  limit: number,
  { text, table }: Corpus,
): NamePassage[] {
  return slotsOf(name, text)
    .sort(table.compare)
    .slice(0, limit)
    .map((slot) => {
      const entry = table.entry(slot),
        { start, end } = table.span(slot)
      return {
        ...{ documentId: entry.id, title: entry.title, passage: table.passage(slot), start, end },
        text: entry.text.slice(start, end),
      }
    })
}

/** Reads the corpus as it is at one moment, from the start again where it changes meanwhile. */
async function whole<T>({ corpus, generation, signal }: Reading, make: () => Turns<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    throwIfAborted(signal)
    const { text } = corpus,
      began = generation(),
      moved = (): boolean => corpus.text !== text || generation() !== began
    const turns = make()
    for (let step = turns.next(); !moved(); step = turns.next()) {
      if (step.done) return step.value
      throwIfAborted(signal)
      await yieldToEvents()
      if (moved()) break
    }
  }
  throw new HubmeshError(
    'index/stale',
    'The corpus changed each time while its names were read. Ask again when it rests.',
  )
}

/** Names of two passages or more that are no mere words: by mentions times rarity. */
function* telling(limit: number, { text }: Corpus): Turns<number[]> {
  const { graph, gazetteer } = text,
    pace = new Pace(),
    found: { name: number; worth: number }[] = []
  for (let name = 0; name < gazetteer.trie.size; name++) {
    const passages = graph.documentFrequency(name)
    if (passages > 0) found.push({ name, worth: passages * graph.weight(name) })
    if (pace.spent(1)) yield
  }
  found.sort(
    (a, b) => b.worth - a.worth || compareIds(text.nameText(a.name), text.nameText(b.name)),
  )
  const names: number[] = []
  for (const { name } of found) {
    if (names.length === limit) break
    if (!isGeneric(name, text)) names.push(name)
    if (pace.spent(1)) yield
  }
  return names
}

/** A name, those beside it, and at depth 2 those beside them, the heaviest first. */
function near(around: number, depth: number, limit: number, corpus: Corpus): number[] {
  const { text, table } = corpus,
    names = [around],
    taken = new Set(names)
  let from = [around]
  for (let level = 1; level <= depth; level++) {
    const weights = new Map<number, number>()
    for (const name of from)
      for (const slot of slotsOf(name, text).sort(table.compare).slice(0, PASSAGES_READ)) {
        if (text.graph.mentions.length(slot) > 4 * MOST_BESIDE) continue
        for (const mention of text.graph.mentions.values(slot)) {
          const other = mention >>> 1
          if (!taken.has(other))
            weights.set(other, (weights.get(other) ?? 0) + text.graph.weight(other))
        }
      }
    const share = level < depth ? Math.ceil(limit / 2) : limit
    from = [...weights]
      .filter(([name]) => !isGeneric(name, text))
      .sort(([a, x], [b, y]) => y - x || compareIds(text.nameText(a), text.nameText(b)))
      .slice(0, Math.max(0, share - names.length))
      .map(([name]) => name)
    for (const name of from) taken.add(name)
    append(names, from)
  }
  return names
}

/** What two of the names share: the rarer one's weight for each passage that mentions both. */
function* edgesOf(names: readonly number[], { text }: Corpus): Turns<WeightedEdge[]> {
  const { graph } = text,
    pace = new Pace(),
    at = new Map(names.map((name, i) => [name, i])),
    slots = new Set(names.flatMap((name) => slotsOf(name, text))),
    weights = new Map<number, number>()
  for (const slot of slots) {
    const here = Array.from(graph.mentions.values(slot), (mention) => at.get(mention >>> 1) ?? -1)
      .filter((i) => i >= 0)
      .sort((a, b) => a - b)
    if (pace.spent(here.length * here.length)) yield
    if (here.length > MOST_BESIDE) continue
    for (const [k, a] of here.entries())
      for (const b of here.slice(k + 1)) {
        const key = a * names.length + b,
          weight = Math.min(graph.weight(names[a]!), graph.weight(names[b]!))
        weights.set(key, (weights.get(key) ?? 0) + weight)
      }
  }
  return [...weights]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, EDGES_EACH * names.length)
    .map(([key, weight]) => ({
      a: Math.floor(key / names.length),
      b: key % names.length,
      weight,
    }))
}
