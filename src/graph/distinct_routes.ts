/** K shortest distinct routes between two nodes of any graph. */

/** What a search may not pass: inner nodes, and whether the two ends may be joined without any. */
export interface Barred<Node> {
  readonly nodes: ReadonlySet<Node>
  readonly direct: boolean
}

/**
 * Searches of one call: each bars one node more, and more of them only find variants.
 */
const MOST_SEARCHES = 48

/**
 * Up to `k` routes, shortest first, none of which passes all inner nodes of one before it: that
 * would be the same bridge with extra stops. `shortest` gives the inner nodes of a shortest route
 * that avoids what is barred, or null; `compare` orders routes of equal length.
 *
 * A new route lacks some inner node of every route found before, so each of those is answered by
 * barring one of its nodes (the branching of Lawler 1972 for k best solutions). Barring never makes
 * a route shorter, so they come in order of length. After 48 searches fewer than `k` are given.
 */
export function distinctRoutes<Node>(
  shortest: (barred: Barred<Node>) => readonly Node[] | null,
  k: number,
  compare: (a: readonly Node[], b: readonly Node[]) => number,
): (readonly Node[])[] {
  const found: (readonly Node[])[] = [],
    waiting: { readonly route: readonly Node[]; readonly barred: Barred<Node> }[] = []
  const tried: Barred<Node>[] = []
  const search = (barred: Barred<Node>): void => {
    if (tried.length >= MOST_SEARCHES || tried.some((other) => same(other, barred))) return
    tried.push(barred)
    const route = shortest(barred)
    if (route !== null) waiting.push({ route, barred })
  }
  const beyond = (route: readonly Node[], { nodes, direct }: Barred<Node>): void => {
    if (route.length === 0) search({ nodes, direct: true })
    for (const node of route) search({ nodes: new Set([...nodes, node]), direct })
  }
  search({ nodes: new Set(), direct: false })
  while (found.length < k && waiting.length > 0) {
    waiting.sort((a, b) => a.route.length - b.route.length || compare(a.route, b.route))
    const { route, barred } = waiting.shift()!
    const held = found.find((before) => holds(route, before))
    if (held === undefined) found.push(route)
    beyond(held ?? route, barred)
  }
  return found
}

/**
 * True where `route` has every inner node of `before`; a direct edge, which has none, is held by
 * itself alone.
 */
function holds<Node>(route: readonly Node[], before: readonly Node[]): boolean {
  if (before.length === 0) return route.length === 0
  const nodes = new Set(route)
  return before.every((node) => nodes.has(node))
}

function same<Node>(a: Barred<Node>, b: Barred<Node>): boolean {
  return (
    a.direct === b.direct &&
    a.nodes.size === b.nodes.size &&
    [...a.nodes].every((node) => b.nodes.has(node))
  )
}
