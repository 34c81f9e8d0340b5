/** Filters of the map: kind of name, weight of ties; the name in the middle always stays. */
import type { EntityType } from '../../src/index.ts'
import type { GraphPart } from './source.ts'

export interface Narrowing {
  readonly kind: EntityType | 'all'
  /** Ties of less weight are left out. */
  readonly least: number
}

export function narrowed(
  part: GraphPart,
  { kind, least }: Narrowing,
  centred: string | null,
): GraphPart {
  if (kind === 'all' && least <= 0) return part
  const nodes = part.nodes.filter(
      (node) => kind === 'all' || node.kind === kind || node.name === centred,
    ),
    kept = new Set(nodes.map(({ name }) => name))
  const edges = part.edges.filter(
    ({ source, target, weight }) => weight >= least && kept.has(source) && kept.has(target),
  )
  const tied = new Set(edges.flatMap(({ source, target }) => [source, target]))
  return {
    ...part,
    edges,
    nodes: least <= 0 ? nodes : nodes.filter(({ name }) => tied.has(name) || name === centred),
  }
}
