/** The undirected graph that the planner walks: nodes and edges with attributes. */
import { HubmeshError } from '../../base/errors.ts'
import type { Metadata } from '../../types.ts'

export interface GraphEdge {
  readonly source: string
  readonly target: string
  readonly attributes: Metadata
}

type MutableEdge = { -readonly [K in keyof GraphEdge]: GraphEdge[K] }

/** Order of UTF-16 code units, the same on every engine. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Nodes and edges keep the order they were added in, so that a graph that was loaded is saved as it
 * was; nothing that ranks depends on that order.
 */
export class PlannerGraph {
  private readonly nodeMap = new Map<string, Metadata>()
  private readonly adjacent = new Map<string, Map<string, MutableEdge>>()
  private readonly edgeList: MutableEdge[] = []

  /** Number of nodes. */
  get order(): number {
    return this.nodeMap.size
  }

  /** Number of edges; a pair of nodes counts once. */
  get size(): number {
    return this.edgeList.length
  }

  /** Adds a node, or gives a known one these attributes. */
  addNode(id: string, attributes: Metadata = {}): void {
    if (!this.nodeMap.has(id)) this.adjacent.set(id, new Map())
    this.nodeMap.set(id, attributes)
  }

  /**
   * Joins two nodes of the graph, or gives their edge these attributes. Throws `input/invalid` for
   * a node that is not there.
   */
  setEdge(source: string, target: string, attributes: Metadata = {}): void {
    const from = this.adjacent.get(source),
      to = this.adjacent.get(target)
    if (!from || !to)
      throw new HubmeshError(
        'input/invalid',
        `An edge joins '${source}' and '${target}', of which '${from ? target : source}' is no ` +
          'node of the graph; add the node first.',
      )
    const known = from.get(target)
    if (known) {
      known.attributes = attributes
      return
    }
    const edge: MutableEdge = { source, target, attributes }
    this.edgeList.push(edge)
    from.set(target, edge)
    to.set(source, edge)
  }

  hasNode(id: string): boolean {
    return this.nodeMap.has(id)
  }

  node(id: string): Metadata | null {
    return this.nodeMap.get(id) ?? null
  }

  edge(a: string, b: string): GraphEdge | null {
    return this.adjacent.get(a)?.get(b) ?? null
  }

  nodes(): IterableIterator<[string, Metadata]> {
    return this.nodeMap.entries()
  }

  nodeIds(): string[] {
    return [...this.nodeMap.keys()]
  }

  edges(): readonly GraphEdge[] {
    return this.edgeList
  }

  /**
   * Ids of the nodes joined to this one (itself where it has a loop); empty for an unknown node.
   */
  neighbors(id: string): string[] {
    return [...(this.adjacent.get(id)?.keys() ?? [])]
  }

  /** The neighbours with the edges that lead there, in the order these were added. */
  edgesOf(id: string): Iterable<readonly [string, GraphEdge]> {
    return this.adjacent.get(id) ?? []
  }

  /** Ends of edges at the node: a loop counts twice. */
  degree(id: string): number {
    const adjacent = this.adjacent.get(id)
    return adjacent ? adjacent.size + (adjacent.has(id) ? 1 : 0) : 0
  }
}

/**
 * Weight of an edge: its attribute `weight`, 1 where it has none. Throws `input/invalid` for one
 * that is negative or not finite.
 */
export function edgeWeight(edge: GraphEdge): number {
  const weight = edge.attributes['weight'] ?? 1
  if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) {
    throw new HubmeshError(
      'input/invalid',
      `The edge of '${edge.source}' and '${edge.target}' has the weight ` +
        `${typeof weight === 'number' ? weight : `of type ${typeof weight}`}; a weight must be a ` +
        'finite number of at least 0.',
    )
  }
  return weight
}
