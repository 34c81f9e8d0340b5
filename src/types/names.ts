/** Names of a corpus as they are looked up, with neighbours and counts. */

/** What compromise makes of a name; for display and filters only, it does not rank. */
export type EntityType = 'person' | 'place' | 'organisation' | 'other'

export interface ResolvedEntity {
  readonly mention: string
  readonly name: string
  readonly label: string
  readonly passages: number
  readonly type: EntityType | null
  /** Documents that mention it, by id; the first thousand. */
  readonly documents?: readonly string[]
  /**
   * Where the mention stands for several names ("Dahl" with two Dahls): the other ones, those of
   * most passages first. Absent where it stands for one.
   */
  readonly alternatives?: readonly {
    readonly name: string
    readonly label: string
    readonly passages: number
  }[]
}

export interface EntityNeighbor {
  readonly name: string
  readonly label: string
  readonly weight: number
  readonly documents: readonly string[]
}

export interface GraphStats {
  readonly documents: number
  readonly passages: number
  readonly entities: number
  readonly edges: number
  readonly hubs: readonly {
    readonly name: string
    readonly label: string
    readonly degree: number
  }[]
}

/** A name of a part of the graph. */
export interface SubgraphNode {
  readonly name: string
  readonly label: string
  readonly kind: EntityType | null
  /** Passages that mention it. */
  readonly passages: number
  /** Names with the same number are joined more among themselves than to others, from 0. */
  readonly community: number
}

export interface SubgraphEdge {
  readonly source: string
  readonly target: string
  /** The rarer name's idf, added up over the passages that mention both. */
  readonly weight: number
}

export interface Subgraph {
  /** The name it is around first; else the most telling first. */
  readonly nodes: readonly SubgraphNode[]
  /** Heaviest first, at most four for each node. */
  readonly edges: readonly SubgraphEdge[]
  /** Names of the whole graph. */
  readonly total: number
}

/** Names that share passages more often than chance would have it, by modularity. */
export interface Community {
  readonly id: number
  /** Names in it. */
  readonly size: number
  /** Its five most telling names. */
  readonly names: readonly { readonly name: string; readonly label: string }[]
}

/** A passage that mentions a name: `document.text.slice(start, end) === text`. */
export interface NamePassage {
  readonly documentId: string
  readonly title: string
  /** Number of the passage in its document. */
  readonly passage: number
  readonly start: number
  readonly end: number
  readonly text: string
}
