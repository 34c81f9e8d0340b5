/**
 * Where names stand on the map: ForceAtlas2 (Jacomy et al. 2014) from start positions that follow
 * from the names alone, so that the same corpus gives the same map.
 */
import Graph from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import { areasOf } from './areas.ts'
import type { GraphName, GraphTie } from './source.ts'

export interface Placed {
  readonly name: string
  readonly x: number
  readonly y: number
  /** Area it belongs to, numbered by size. */
  readonly area: number
}

export interface LayoutTask {
  readonly nodes: readonly Pick<GraphName, 'name' | 'community'>[]
  readonly edges: readonly GraphTie[]
}

/** Less of them on larger maps, so that a layout takes about a second. */
function iterationsFor(nodes: number): number {
  return nodes > 800 ? 120 : nodes > 300 ? 220 : 400
}

export function layout({ nodes, edges }: LayoutTask): readonly Placed[] {
  const areas = areasOf(nodes),
    graph = new Graph({ type: 'undirected', multi: false })
  const count = Math.max(1, ...areas.values()) + 1
  nodes.forEach(({ name }, i) => {
    // Areas on a ring, names of one on a spiral about its place (Vogel's model).
    const ring = (2 * Math.PI * (areas.get(name) ?? 0)) / count,
      turn = i * 2.399963,
      reach = 4 * Math.sqrt(i + 1)
    graph.addNode(name, {
      x: 60 * Math.cos(ring) + reach * Math.cos(turn),
      y: 60 * Math.sin(ring) + reach * Math.sin(turn),
    })
  })
  for (const { source, target, weight } of edges)
    if (source !== target && graph.hasNode(source) && graph.hasNode(target))
      graph.mergeEdge(source, target, { weight })
  if (graph.order > 1)
    forceAtlas2.assign(graph, {
      iterations: iterationsFor(graph.order),
      settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > 300 },
    })
  return nodes.map(({ name }) => ({
    name,
    x: graph.getNodeAttribute(name, 'x') as number,
    y: graph.getNodeAttribute(name, 'y') as number,
    area: areas.get(name) ?? 0,
  }))
}
