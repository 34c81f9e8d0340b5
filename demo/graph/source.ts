/** The names of a corpus as a graph to draw. */
import type { Engine, Subgraph, SubgraphEdge, SubgraphNode } from '../../src/index.ts'

export type GraphName = SubgraphNode
export type GraphTie = SubgraphEdge
export type GraphPart = Subgraph

/** Names of the overview, and around one: as many as can be told apart beside the thread. */
const OVERVIEW = 400
const NEAR = 120

/** The most telling names and their ties; with `around`, those near one name. */
export function readGraph(
  engine: Engine,
  around: string | null,
  signal: AbortSignal,
): Promise<GraphPart> {
  return engine.subgraph(
    around === null ? { limit: OVERVIEW, signal } : { limit: NEAR, signal, around, depth: 2 },
  )
}
