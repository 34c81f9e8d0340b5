/**
 * Groups of names that are one by the rules in force.
 *
 * Rules that share a name join, so groups depend on the set of rules and not on their order. A
 * group is known by the longest name that a rule prefers, else the longest of all, ties by UTF-16
 * code units. A group of which the corpus holds one name only is none.
 */
import { keyCheck, nameKey, type NameKey, type NameRule } from './name_rules.ts'
import type { NameTrie } from './name_trie.ts'

const NOBODY: ReadonlySet<number> = new Set()

export class NameMerges {
  private rules: readonly NameRule[] = []
  /** Checks of the keys that no name has answered yet. */
  private readonly wanted = new Set<string>()
  private readonly keys = new Map<NameKey, number>()
  /** Name in force that a rule speaks of -> what it is known by. */
  private known = new Map<number, number>()
  private spellings = new Map<number, readonly number[]>()

  constructor(
    private readonly trie: NameTrie,
    private readonly textOf: (name: number) => string,
  ) {}

  get any(): boolean {
    return this.known.size > 0
  }

  /** What a name is known by: itself, unless it was merged. */
  canonical(name: number): number {
    return this.known.get(name) ?? name
  }

  /** The names that are known by this one, itself among them, by their text. */
  members(name: number): readonly number[] {
    return this.spellings.get(name) ?? [name]
  }

  /** The name of a key, or -1 while the corpus does not hold it. */
  nameOf(key: NameKey): number {
    const name = this.keys.get(key)
    return name !== undefined && this.trie.isInForce(name) ? name : -1
  }

  /** Takes other rules; gives the names that are known by another one now. */
  setRules(rules: readonly NameRule[]): ReadonlySet<number> {
    this.rules = rules
    this.wanted.clear()
    for (const { names } of rules)
      for (const key of names) if (!this.keys.has(key)) this.wanted.add(key.slice(0, 8))
    if (this.wanted.size > 0)
      for (let name = 0; name < this.trie.size; name++)
        if (this.trie.isInForce(name)) this.look(name)
    return this.regroup()
  }

  /**
   * Takes names that came into or went out of force; gives those known by another name now.
   */
  refresh(changed: readonly number[]): ReadonlySet<number> {
    if (this.rules.length === 0) return NOBODY
    for (const name of changed) if (this.trie.isInForce(name)) this.look(name)
    return this.regroup()
  }

  /**
   * Mentions (name * 2 + own) as the rules have them, each name once; null where they stay as they
   * are.
   */
  mapped(mentions: readonly number[]): number[] | null {
    if (!this.any || !mentions.some((mention) => this.canonical(mention >>> 1) !== mention >>> 1))
      return null
    const own = new Map<number, number>()
    for (const mention of mentions) {
      const name = this.canonical(mention >>> 1)
      own.set(name, (own.get(name) ?? 0) | (mention & 1))
    }
    return Array.from(own, ([name, bit]) => name * 2 + bit)
  }

  private look(name: number): void {
    if (this.wanted.size === 0) return
    const text = this.textOf(name)
    if (this.wanted.has(keyCheck(text))) this.keys.set(nameKey(text), name)
  }

  private regroup(): ReadonlySet<number> {
    const before = this.known
    this.known = new Map()
    this.spellings = new Map()
    for (const { names, into } of groupsOf(this.rules)) {
      const live = names.map((key) => this.nameOf(key)).filter((name) => name >= 0)
      if (live.length < 2) continue
      const preferred = into.map((key) => this.nameOf(key)).filter((name) => name >= 0)
      const by = this.longest(preferred.length > 0 ? preferred : live)
      const texts = new Map(live.map((name) => [name, this.textOf(name)]))
      this.spellings.set(
        by,
        live.sort((a, b) => (texts.get(a)! < texts.get(b)! ? -1 : 1)),
      )
      for (const name of live) this.known.set(name, by)
    }
    const changed = new Set<number>()
    for (const [name, by] of this.known) if ((before.get(name) ?? name) !== by) changed.add(name)
    for (const [name, by] of before) if (this.canonical(name) !== by) changed.add(name)
    return changed
  }

  private longest(names: readonly number[]): number {
    const texts = names.map((name) => ({ name, text: this.textOf(name) }))
    return texts.sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1))[0]!
      .name
  }
}

/** Rules joined where they share a name. */
function groupsOf(
  rules: readonly NameRule[],
): { readonly names: readonly NameKey[]; readonly into: readonly NameKey[] }[] {
  const parent = new Map<NameKey, NameKey>()
  const root = (key: NameKey): NameKey => {
    let at = key
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) {
      // halve the way as it is walked (Tarjan and van Leeuwen 1984)
      parent.set(at, parent.get(up) ?? up)
      at = up
    }
    return at
  }
  for (const { names } of rules) {
    const first = names[0]!
    for (const key of names) {
      if (!parent.has(key)) parent.set(key, key)
      parent.set(root(key), root(first))
    }
  }
  const groups = new Map<NameKey, { names: NameKey[]; into: NameKey[] }>()
  for (const key of parent.keys()) {
    const group = groups.get(root(key))
    if (group) group.names.push(key)
    else groups.set(root(key), { names: [key], into: [] })
  }
  for (const { names, into } of rules)
    if (into !== null) groups.get(root(names[0]!))!.into.push(into)
  return [...groups.values()]
}
