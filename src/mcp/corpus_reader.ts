/** What a tool can ask of one corpus, in the words of its results. Types and small helpers. */
import type { Metadata } from '../types.ts'

export interface NodeRef {
  /** `ent:<canonical name>` or `doc:<document id>`. */
  readonly node: string
  readonly label: string
}

export interface ResolvedRef extends NodeRef {
  /** Other names that the mention may stand for; absent where it stands for one. */
  readonly alternatives?: readonly NodeRef[]
}

export interface RetrieveRequest {
  readonly query: string
  readonly topK: number
  readonly seedEntities: readonly string[]
  readonly excludeDocs: readonly string[]
  /** 0: no context. */
  readonly budgetTokens: number
  /** Earlier questions and answers, oldest first. */
  readonly history?: readonly string[]
  readonly signal?: AbortSignal
}

/** Fields beyond those of hubmesh 0.4.2 are ours. */
export interface RetrieveAnswer {
  /** Sentences that answer; left out where the Python planner ranks. */
  readonly answer?: {
    readonly state: 'found' | 'unsure' | 'none'
    /** Says where the state is `none` that quotes and sources are only the nearest. */
    readonly note?: string
    readonly confidence: number
    readonly quotes: readonly {
      readonly id: string
      readonly title: string
      readonly start: number
      readonly end: number
      readonly text: string
      readonly highlight: string
    }[]
  }
  /** The question as it was completed from the history, where it was. */
  readonly read_as?: string
  readonly sources: readonly {
    readonly id: string
    readonly snippet: string
    readonly score: number
    readonly cosine: number | null
    readonly graph_score: number
    readonly title: string
    readonly passage?: number
    readonly start?: number
    readonly end?: number
  }[]
  readonly seeds_used: readonly string[]
  readonly reasoning_paths: readonly {
    readonly nodes: readonly string[]
    readonly score: number
    readonly sentence?: string
  }[]
  /** Why there is no path. */
  readonly no_reasoning?: string
  /** Fenced quotes; only where a budget was given. */
  readonly context?: string
  readonly unknown_seeds?: readonly string[]
  readonly warnings?: readonly string[]
}

export interface NeighborsAnswer {
  readonly entity: string
  readonly label: string
  readonly connected_entities: readonly (NodeRef & {
    readonly weight: number
    readonly predicates?: readonly string[]
  })[]
  readonly documents: readonly string[]
}

export interface PathAnswer {
  readonly nodes: readonly NodeRef[]
  readonly hops: number
  readonly via_documents: number
}

export interface StatsAnswer {
  readonly documents: number
  readonly entities: number
  readonly edges: number
  readonly top_hub_entities: readonly { readonly label: string; readonly degree: number }[]
  readonly passages?: number
}

/** A part of the graph of names. */
export interface SubgraphAnswer {
  readonly nodes: readonly (NodeRef & {
    readonly kind: string | null
    readonly passages: number
    readonly community: number
  })[]
  readonly edges: readonly {
    readonly source: string
    readonly target: string
    readonly weight: number
  }[]
  readonly total: number
}

export interface CommunitiesAnswer {
  readonly communities: readonly { readonly size: number; readonly names: readonly NodeRef[] }[]
}

export interface PassagesAnswer {
  readonly passages: readonly {
    readonly id: string
    readonly title: string
    readonly start: number
    readonly end: number
    readonly snippet: string
  }[]
}

/** One corpus, open. */
export interface CorpusReader {
  retrieve(request: RetrieveRequest): Promise<RetrieveAnswer>
  /** Null where the corpus does not have the name. */
  resolve(mentions: readonly string[]): Promise<readonly (ResolvedRef | null)[]>
  /** Names spelt like one that the corpus does not have. Left out where nothing tells them. */
  nearest?(entity: string): Promise<readonly string[]>
  /** Null where it does not have the name. */
  neighbors(entity: string, limit: number): Promise<NeighborsAnswer | null>
  /** Both names are known to be there. Empty: not connected. */
  paths(a: string, b: string, k: number): Promise<readonly PathAnswer[]>
  document(id: string): Promise<{
    readonly id: string
    readonly text: string
    readonly metadata: Metadata
    readonly title?: string
  } | null>
  stats(): Promise<StatsAnswer>
  /** Null where it does not have the name. Left out where the corpus has another graph. */
  subgraph?(
    around: string | null,
    depth: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<SubgraphAnswer | null>
  communities?(limit: number, signal?: AbortSignal): Promise<CommunitiesAnswer>
  passages?(entity: string, limit: number): Promise<PassagesAnswer | null>
}

export const entityNodeId = (name: string): string => `ent:${name}`
export const documentNodeId = (id: string): string => `doc:${id}`

export function rounded(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}

/** The first units of a text, never half of a surrogate pair. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)
}
