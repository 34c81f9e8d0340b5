/** Areas of the map: the engine's communities, the largest first. */
import type { GraphName } from './source.ts'

/** Area of each name, numbered by size. */
export function areasOf(
  nodes: readonly Pick<GraphName, 'name' | 'community'>[],
): ReadonlyMap<string, number> {
  const sizes = new Map<number, number>()
  for (const { community } of nodes) sizes.set(community, (sizes.get(community) ?? 0) + 1)
  const order = [...sizes].sort(([a, m], [b, n]) => n - m || a - b),
    number = new Map(order.map(([community], i) => [community, i]))
  return new Map(nodes.map(({ name, community }) => [name, number.get(community)!]))
}
