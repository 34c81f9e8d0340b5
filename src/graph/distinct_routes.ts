/** K shortest distinct routes between two nodes of any graph. */

/** What a search may not pass: inner nodes, and whether the two ends may be joined without any. */
export interface Barred<Node> {
  readonly nodes: ReadonlySet<Node>
  readonly direct: boolean
}

/**
 * Searches of one call: each bars one node more, and more of them find variants nobody asked for.
 */
const MOST_SEARCHES = 48

/**
 * Up to `k` ways, shortest first, none of whose inner nodes hold all the inner nodes of one before
 * it: such a way is the same bridge with extra stops. `shortest` gives the inner nodes of a
 * shortest way that passes nothing barred, or null. `compare` orders ways of equal length.
 *
 * A way is distinct when it lacks some inner node of every way already told, so each told way is
 * answered by barring one of its nodes (the branching of Lawler 1972 for k best solutions, over
 * sets that hit every told way). Ways come in order of length because a bar never makes a way
 * shorter. At most 48 searches are made; beyond them fewer than `k` ways are given.
 */
export function distinctRoutes<Node>(
  shortest: (barred: Barred<Node>) => readonly Node[] | null,
  k: number,
  compare: (a: readonly Node[], b: readonly Node[]) => number,
): (readonly Node[])[] {
  const told: (readonly Node[])[] = [],
    waiting: { readonly way: readonly Node[]; readonly barred: Barred<Node> }[] = []
  const tried: Barred<Node>[] = []
  const search = (barred: Barred<Node>): void => {
    if (tried.length >= MOST_SEARCHES || tried.some((other) => same(other, barred))) return
    tried.push(barred)
    const way = shortest(barred)
    if (way !== null) waiting.push({ way, barred })
  }
  const beyond = (way: readonly Node[], { nodes, direct }: Barred<Node>): void => {
    if (way.length === 0) search({ nodes, direct: true })
    for (const node of way) search({ nodes: new Set([...nodes, node]), direct })
  }
  search({ nodes: new Set(), direct: false })
  while (told.length < k && waiting.length > 0) {
    waiting.sort((a, b) => a.way.length - b.way.length || compare(a.way, b.way))
    const { way, barred } = waiting.shift()!
    const held = told.find((before) => holds(way, before))
    if (held === undefined) told.push(way)
    beyond(held ?? way, barred)
  }
  return told
}

/**
 * True where `way` has every inner node of `before`; a direct edge, which has none, is held by
 * itself alone.
 */
function holds<Node>(way: readonly Node[], before: readonly Node[]): boolean {
  if (before.length === 0) return way.length === 0
  const nodes = new Set(way)
  return before.every((node) => nodes.has(node))
}

function same<Node>(a: Barred<Node>, b: Barred<Node>): boolean {
  return (
    a.direct === b.direct &&
    a.nodes.size === b.nodes.size &&
    [...a.nodes].every((node) => b.nodes.has(node))
  )
}
