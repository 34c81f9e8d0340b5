/**
 * Areas of the map: the engine's communities, else label propagation (Raghavan et al. 2007) in the
 * order of the names, ties to the smaller label, so that one graph has one partition.
 */
import type { GraphName, GraphTie } from './source.ts'

/** Rounds after which labels rest on all but contrived graphs. */
const ROUNDS = 20

/** Area of each name, numbered by size, the largest first. */
export function areasOf(
  nodes: readonly Pick<GraphName, 'name' | 'community'>[],
  edges: readonly GraphTie[],
): ReadonlyMap<string, number> {
  const labels = nodes.every(({ community }) => community !== undefined)
    ? nodes.map(({ community }) => community!)
    : propagated(nodes, edges)
  const sizes = new Map<number, number>()
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1)
  const order = [...sizes].sort(([a, m], [b, n]) => n - m || a - b).map(([label]) => label),
    number = new Map(order.map((label, i) => [label, i]))
  return new Map(nodes.map(({ name }, i) => [name, number.get(labels[i]!)!]))
}

function propagated(
  nodes: readonly Pick<GraphName, 'name'>[],
  edges: readonly GraphTie[],
): readonly number[] {
  const at = new Map(nodes.map(({ name }, i) => [name, i])),
    near: [number, number][][] = nodes.map(() => []),
    labels = nodes.map((_, i) => i)
  for (const { source, target, weight } of edges) {
    const a = at.get(source),
      b = at.get(target)
    if (a === undefined || b === undefined || a === b) continue
    near[a]!.push([b, weight])
    near[b]!.push([a, weight])
  }
  for (let round = 0; round < ROUNDS; round++) {
    let changed = false
    for (let i = 0; i < labels.length; i++) {
      const best = heaviest(near[i]!, labels)
      if (best === null || best === labels[i]) continue
      labels[i] = best
      changed = true
    }
    if (!changed) break
  }
  return labels
}

function heaviest(near: readonly [number, number][], labels: readonly number[]): number | null {
  const sums = new Map<number, number>()
  for (const [other, weight] of near)
    sums.set(labels[other]!, (sums.get(labels[other]!) ?? 0) + weight)
  let best: number | null = null
  for (const [label, sum] of sums)
    if (best === null || sum > sums.get(best)! || (sum === sums.get(best)! && label < best))
      best = label
  return best
}
