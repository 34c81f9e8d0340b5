/** The names of a corpus as a graph to draw; by the engine's own calls where it has them. */
import type { Engine, EntityNeighbor, EntityType } from '../../src/index.ts'

export interface GraphName {
  readonly name: string
  readonly label: string
  readonly kind: EntityType | null
  readonly passages: number
  readonly community?: number
}

export interface GraphTie {
  readonly source: string
  readonly target: string
  /** Documents that mention both, or the engine's weight. */
  readonly weight: number
}

export interface GraphPart {
  readonly nodes: readonly GraphName[]
  readonly edges: readonly GraphTie[]
  /** Names of the whole corpus. */
  readonly total: number
}

export interface GraphPassage {
  readonly documentId: string
  readonly title: string
  readonly start: number
  readonly text: string
}

/** Names drawn at once at most; more are reached by centring one of them. */
export const MOST = 1500

interface GraphCalls {
  subgraph(options: {
    readonly around?: string
    readonly depth?: number
    readonly limit?: number
  }): Promise<GraphPart>
  passagesOf(name: string, options: { readonly limit: number }): Promise<readonly GraphPassage[]>
}

const calls = (engine: Engine): Partial<GraphCalls> => engine as unknown as Partial<GraphCalls>

/** The most telling names and their ties; with `around`, those near one name. */
export function readGraph(engine: Engine, around: string | null): Promise<GraphPart> {
  const own = calls(engine)
  if (own.subgraph)
    return own.subgraph({ limit: MOST, ...(around === null ? {} : { around, depth: 2 }) })
  return walk(engine, around)
}

/** Names whose neighbours are asked for, and neighbours of each, without `subgraph`. */
const ASKED = 60
const EACH = 12

async function walk(engine: Engine, around: string | null): Promise<GraphPart> {
  const { hubs, entities } = await engine.graphStats()
  const nodes = new Map<string, GraphName>(),
    edges = new Map<string, GraphTie>()
  const add = (name: string, label: string, passages: number): void => {
    if (!nodes.has(name)) nodes.set(name, { name, label, kind: null, passages })
  }
  const queue = around === null ? hubs.map(({ name }) => name) : [around]
  for (const { name, label, degree } of hubs) if (around === null) add(name, label, degree)
  if (around !== null) {
    const [found] = await engine.resolveEntities([around])
    add(around, found?.label ?? around, found?.passages ?? 1)
  }
  for (let i = 0; i < queue.length && i < ASKED; i++) {
    const from = queue[i]!
    for (const near of await engine.entityNeighbors(from, { limit: EACH })) {
      add(near.name, near.label, near.documents.length)
      if (!queue.includes(near.name)) queue.push(near.name)
      const [source, target] = from < near.name ? [from, near.name] : [near.name, from]
      edges.set(`${source}\n${target}`, { source, target, weight: weightOf(near) })
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], total: entities }
}

function weightOf({ weight, documents }: EntityNeighbor): number {
  return Math.max(1, documents.length || weight)
}

/** Passages listed of a name at most. */
const PASSAGES = 20

/** Where a name is mentioned, in the order of the engine. */
export async function passagesOf(engine: Engine, name: string): Promise<readonly GraphPassage[]> {
  const own = calls(engine)
  if (own.passagesOf) return await own.passagesOf(name, { limit: PASSAGES })
  const [found] = await engine.resolveEntities([name])
  const sources = await engine.search(found?.label ?? name, { topK: PASSAGES, mode: 'lexical' }),
    documents = new Set(found?.documents ?? [])
  return sources.filter(({ documentId }) => documents.size === 0 || documents.has(documentId))
}

/** The names that are mentioned together with one, the closest first. */
export function neighboursOf(engine: Engine, name: string): Promise<readonly EntityNeighbor[]> {
  return engine.entityNeighbors(name, { limit: 30 })
}
