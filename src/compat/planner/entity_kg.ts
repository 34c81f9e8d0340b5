/**
 * A graph of documents and the names in them, and how a name as written leads to its
 * node.
 */
import { canonicalize } from '../../graph/canonicalize.ts'
import { LIMITS } from '../../base/limits.ts'
import { decodeEntityKG, encodeEntityKG } from './entity_kg_json.ts'
import type { EntityKGParts, EntityKGJson } from './entity_kg_json.ts'
import { byCodeUnits } from './graph.ts'
import type { PlannerGraph } from './graph.ts'
import { DOCUMENT_PREFIX } from './ppr.ts'

/**
 * Nodes are `doc:<document id>` and `ent:<canonical name>`. What is in the maps stays; make a new
 * graph to change one.
 */
export class EntityKG {
  readonly graph: PlannerGraph
  /** Document id -> entity nodes. */
  readonly docToEntities: ReadonlyMap<string, ReadonlySet<string>>
  /** Entity node -> document ids. */
  readonly entityToDocs: ReadonlyMap<string, ReadonlySet<string>>
  readonly canonicalToNode: ReadonlyMap<string, string>
  /** Node -> name as it is shown. */
  readonly nodeToLabel: ReadonlyMap<string, string>
  /**
   * Canonical form of every way a name is written -> entity node. Empty in a graph saved before
   * aliases existed.
   */
  readonly aliasToNode: ReadonlyMap<string, string>
  private byWord: Map<string, string[]> | null = null
  private longest = 0

  constructor(parts: EntityKGParts) {
    this.graph = parts.graph
    this.docToEntities = parts.docToEntities
    this.entityToDocs = parts.entityToDocs
    this.canonicalToNode = parts.canonicalToNode
    this.nodeToLabel = parts.nodeToLabel
    this.aliasToNode = parts.aliasToNode ?? new Map()
  }

  /** A graph from the kg.json of hubmesh, parsed. Throws `archive/invalid` for another shape. */
  static fromJSON(value: unknown): EntityKG {
    return new EntityKG(decodeEntityKG(value))
  }

  /** The kg.json of hubmesh, to be stringified. */
  toJSON(): EntityKGJson {
    return encodeEntityKG(this)
  }

  /** Ids of the documents in the graph, in order of code units. */
  documentIds(): string[] {
    const ids: string[] = []
    for (const [node] of this.graph.nodes())
      if (node.startsWith(DOCUMENT_PREFIX)) ids.push(node.slice(DOCUMENT_PREFIX.length))
    return ids.sort(byCodeUnits)
  }

  /**
   * Nodes of the names, each once, in order of the mentions: by alias, then by the exact canonical
   * name, then, unless `allowSubstring` is false, the one with the longest label among the names
   * that hold the mention's words or whose words it holds, ties by id. Words are whole: "Amazed"
   * does not hold "zed". A mention without a node is passed over; a node that is not in the graph
   * is never given.
   */
  queryEntityNodes(mentions: readonly string[], allowSubstring = true): string[] {
    const nodes = new Set<string>()
    for (const mention of mentions) {
      const canonical = canonicalize(mention.slice(0, LIMITS.queryChars))
      if (canonical === '') continue
      const node = this.nodeOf(canonical) ?? (allowSubstring ? this.bySubstring(canonical) : null)
      if (node !== null) nodes.add(node)
    }
    return [...nodes]
  }

  /** The node of a canonical name or alias; null where it has none in the graph. */
  nodeOf(canonical: string): string | null {
    const alias = this.aliasToNode.get(canonical)
    if (alias !== undefined && this.graph.hasNode(alias)) return alias
    const exact = this.canonicalToNode.get(canonical)
    return exact !== undefined && this.graph.hasNode(exact) ? exact : null
  }

  /** Words of the longest canonical name. */
  get mostWords(): number {
    this.words()
    return this.longest
  }

  private bySubstring(canonical: string): string | null {
    const byWord = this.words(),
      words = canonical.split(' ')
    const hits = new Set<string>()
    const offer = (name: string): void => {
      const node = this.nodeOf(name)
      if (node !== null) hits.add(node)
    }
    // Names that hold the mention: all of them hold its rarest word.
    const lists = words.map((word) => byWord.get(word) ?? []).sort((a, b) => a.length - b.length)
    for (const name of lists[0] ?? []) if (` ${name} `.includes(` ${canonical} `)) offer(name)
    // Names that the mention holds.
    for (let from = 0; from < words.length; from++) {
      let name = ''
      for (let to = from; to < Math.min(words.length, from + this.longest); to++) {
        name = to === from ? words[to]! : `${name} ${words[to]!}`
        if (this.canonicalToNode.has(name)) offer(name)
      }
    }
    let best: string | null = null
    for (const node of hits) {
      const longer = best === null ? 1 : this.labelLength(node) - this.labelLength(best)
      if (best === null || longer > 0 || (longer === 0 && node < best)) best = node
    }
    return best
  }

  private labelLength(node: string): number {
    return this.nodeToLabel.get(node)?.length ?? 0
  }

  private words(): Map<string, string[]> {
    if (this.byWord) return this.byWord
    const byWord = new Map<string, string[]>()
    for (const name of this.canonicalToNode.keys()) {
      const words = name.split(' ')
      this.longest = Math.max(this.longest, words.length)
      for (const word of new Set(words)) {
        const list = byWord.get(word)
        if (list) list.push(name)
        else byWord.set(word, [name])
      }
    }
    this.byWord = byWord
    return byWord
  }
}
