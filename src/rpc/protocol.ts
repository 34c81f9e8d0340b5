/** The engine worker's service: its methods, and the options that can be cloned. Types only. */
import type { PageConditions } from '../embed/pace.ts'
import type { EmbedWorkerOptions } from '../embed/worker_protocol.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import type { WireError } from '../port/protocol.ts'
import type {
  AddOptions,
  AddRelationsResult,
  AddResult,
  DocumentListing,
  DocumentView,
  EmbedderIdentity,
  EngineStatus,
  EntityNeighbor,
  ExportOptions,
  GraphStats,
  ImportOptions,
  MergeNamesOptions,
  MergeSuggestion,
  NameMerge,
  ReadyStep,
  RelationListing,
  RelationsInput,
  RelationsOptions,
  ResolvedEntity,
  RetrieveOptions,
  RetrieveResult,
  RouteBetween,
  SearchOptions,
  Source,
  SuggestMergesOptions,
} from '../types.ts'

export type WireAddOptions = Omit<AddOptions, 'onProgress' | 'signal'>
export type WireImportOptions = Omit<ImportOptions, 'onProgress' | 'signal'>
export type WireRetrieveOptions = Omit<RetrieveOptions, 'signal'>
export type WireSearchOptions = Omit<SearchOptions, 'signal'>

/** Where vectors come from, as the page describes it to the engine worker. */
export type WireEmbedder =
  | { readonly kind: 'model'; readonly load: EmbedWorkerOptions; readonly workers: number }
  /** An Embedder of the page, which answers on `port`. */
  | { readonly kind: 'page'; readonly identity: EmbedderIdentity; readonly port: MessagePort }

export type WireOpenOptions = Omit<EngineOptions, 'embedder' | 'signal'> & {
  readonly embedder: WireEmbedder | null
}

/** The methods of the engine that cross the port as they are. */
export interface EngineService {
  ping(): void
  /** Opens the corpus; once per worker, before everything else but ping. */
  open(options: WireOpenOptions): void
  /** The page's answers to `embed-wanted`, and its word of a later death. */
  embedSpawned(slot: number, joined: { readonly port: MessagePort }): void
  embedFailed(slot: number, error: WireError): void
  embedDied(slot: number, error: WireError): void
  /**
   * Holds a slice of an `add` under the caller's key, so that no single message is large enough to
   * stall the page.
   */
  stage(key: number, items: readonly unknown[]): void
  unstage(key: number): void
  add(key: number, options: WireAddOptions): AddResult
  update(key: number, options: WireAddOptions): AddResult
  remove(ids: string | readonly string[]): {
    readonly removed: readonly string[]
    readonly missing: readonly string[]
    readonly generation: number
  }
  retrieve(query: string, options: WireRetrieveOptions): RetrieveResult
  search(query: string, options: WireSearchOptions): readonly Source[]
  resolveEntities(mentions: readonly string[]): readonly (ResolvedEntity | null)[]
  entityNeighbors(name: string, options: { readonly limit?: number }): readonly EntityNeighbor[]
  pathBetween(a: string, b: string, options: { readonly k?: number }): readonly RouteBetween[]
  getDocument(id: string): DocumentView | null
  listDocuments(options: { readonly offset?: number; readonly limit?: number }): DocumentListing
  graphStats(): GraphStats
  mergeNames(names: readonly string[], options: Omit<MergeNamesOptions, 'signal'>): NameMerge
  splitName(name: string): void
  undoMerge(id: string): void
  mergedNames(): readonly NameMerge[]
  suggestMerges(options: Omit<SuggestMergesOptions, 'signal'>): readonly MergeSuggestion[]
  addRelations(relations: RelationsInput): AddRelationsResult
  removeRelations(documentIds: readonly string[] | undefined): {
    readonly removed: number
    readonly generation: number
  }
  relations(options: RelationsOptions): RelationListing
  export(options: Omit<ExportOptions, 'signal'>): Blob
  /** A string is an absolute address, which the worker fetches. */
  import(archive: Blob | string, options: WireImportOptions): AddResult
  status(): EngineStatus
  ready(step: ReadyStep): void
  pauseEmbedding(): void
  resumeEmbedding(): void
  /** The page's word of its own state, whenever it changes. */
  conditions(conditions: PageConditions): void
  destroy(): void
  close(): void
}
