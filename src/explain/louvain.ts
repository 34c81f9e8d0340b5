/**
 * Communities of a weighted graph by modularity (Blondel et al., Fast unfolding of communities in
 * large networks, 2008). Nodes move in their order and ties go to the smaller community, so that
 * equal graphs give equal communities.
 */

export interface WeightedEdge {
  readonly a: number
  readonly b: number
  readonly weight: number
}

/** Rounds of moves at one level; moves that are left then gain little. */
const ROUNDS = 16
/** A move gains at least this part of all weight: sums of equal parts differ by rounding. */
const LEAST_GAIN = 1e-9

/** Community of each node, numbered from 0 in the order of their first nodes. */
export function communitiesOf(nodes: number, edges: readonly WeightedEdge[]): number[] {
  let of = Array.from({ length: nodes }, (_, i) => i),
    level = edges,
    size = nodes
  for (;;) {
    const moved = numbered(moveNodes(size, level)),
      count = new Set(moved).size
    of = of.map((community) => moved[community]!)
    if (count === size) return numbered(of)
    level = joined(level, moved)
    size = count
  }
}

function moveNodes(nodes: number, edges: readonly WeightedEdge[]): number[] {
  const of = Array.from({ length: nodes }, (_, i) => i),
    near: [number, number][][] = of.map(() => []),
    degree = of.map(() => 0)
  let total = 0
  for (const { a, b, weight } of edges) {
    degree[a]! += weight
    degree[b]! += weight
    total += 2 * weight
    if (a === b) continue
    near[a]!.push([b, weight])
    near[b]!.push([a, weight])
  }
  const held = [...degree]
  for (let round = 0, moves = 1; round < ROUNDS && moves > 0; round++) {
    moves = 0
    for (const node of of.keys()) {
      const own = of[node]!,
        into = new Map([[own, 0]])
      for (const [other, weight] of near[node]!)
        into.set(of[other]!, (into.get(of[other]!) ?? 0) + weight)
      held[own]! -= degree[node]!
      const gain = (community: number): number =>
        into.get(community)! - (held[community]! * degree[node]!) / total
      let best = own
      for (const community of [...into.keys()].sort((x, y) => x - y))
        if (gain(community) > gain(best) + LEAST_GAIN * total) best = community
      held[best]! += degree[node]!
      if (best !== own) moves++
      of[node] = best
    }
  }
  return of
}

/** Edges between communities; those inside one become a loop. */
function joined(edges: readonly WeightedEdge[], of: readonly number[]): WeightedEdge[] {
  const weights = new Map<string, WeightedEdge>()
  for (const edge of edges) {
    const [a, b] = [of[edge.a]!, of[edge.b]!].sort((x, y) => x - y) as [number, number],
      key = `${a} ${b}`
    weights.set(key, { a, b, weight: (weights.get(key)?.weight ?? 0) + edge.weight })
  }
  return [...weights.values()]
}

function numbered(of: readonly number[]): number[] {
  const numbers = new Map<number, number>()
  return of.map((community) => {
    const number = numbers.get(community) ?? numbers.size
    numbers.set(community, number)
    return number
  })
}
