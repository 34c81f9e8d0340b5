/**
 * Owns the names of a corpus as they are looked up, with their neighbours and counts. Refuses:
 * merges and given relations.
 */

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
