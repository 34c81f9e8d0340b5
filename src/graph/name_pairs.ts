/** Pairs of names that may be one, with the reasons, each pair once. */
import type { MergeReason } from '../types.ts'

export interface MergeCandidate {
  readonly a: number
  readonly b: number
  readonly reasons: readonly MergeReason[]
}

type Kind = MergeReason['kind']
export interface Name {
  readonly name: number
  readonly words: readonly string[]
  readonly text: string
}

/** Names that share a key, at most: more of them are a pattern of the language. */
export const MOST_SHARING = 8
export class Pairs {
  private readonly found = new Map<string, { a: Name; b: Name; reasons: Map<Kind, number> }>()

  add(x: Name, y: Name, kind: Kind, value: number): void {
    if (x.name === y.name) return
    const [a, b] = x.text < y.text ? [x, y] : [y, x],
      key = `${a.name} ${b.name}`
    const pair = this.found.get(key) ?? { a, b, reasons: new Map<Kind, number>() }
    pair.reasons.set(kind, Math.max(value, pair.reasons.get(kind) ?? 0))
    this.found.set(key, pair)
  }

  all(): MergeCandidate[] {
    return [...this.found.values()]
      .sort((x, y) =>
        x.a.text === y.a.text ? (x.b.text < y.b.text ? -1 : 1) : x.a.text < y.a.text ? -1 : 1,
      )
      .map(({ a, b, reasons }) => ({
        a: a.name,
        b: b.name,
        reasons: Array.from(reasons, ([kind, value]) => ({ kind, value })),
      }))
  }
}

export function byKey(
  names: readonly Name[],
  keysOf: (name: Name) => Iterable<string>,
): Map<string, Name[]> {
  const groups = new Map<string, Name[]>()
  for (const name of names) {
    for (const key of keysOf(name)) {
      const group = groups.get(key)
      if (!group) groups.set(key, [name])
      else if (group.length <= MOST_SHARING && group.at(-1) !== name) group.push(name)
    }
  }
  return groups
}
