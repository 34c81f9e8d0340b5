/** Owns the shapes that cross a worker's port, both ways. Types only; refuses behaviour. */
import type { PageConditions } from '../embed/pace.ts'
import type { EmbedWorkerOptions } from '../embed/worker_protocol.ts'
import type { EngineOptions } from '../engine.ts'
import type { ErrorCode, ErrorDetails } from '../errors.ts'
import type {
  AddOptions, AddRelationsResult, AddResult, DocumentListing, DocumentView, EmbedderIdentity, EngineStatus, EntityNeighbor, ExportOptions, GraphStats, ImportOptions, MergeNamesOptions, MergeSuggestion, NameMerge, Progress, ReadyStep,
  RelationListing, RelationsInput, RelationsOptions, ResolvedEntity, RetrieveOptions, RetrieveResult, RouteBetween, SearchOptions, Source, SuggestMergesOptions,
} from '../types.ts'

/** Bumped whenever a shape below changes: a page of one build must not talk to a worker of another. */
export type ProtocolVersion = 2

export type WorkerRole = 'engine' | 'embed'

/** The first message of every worker, once its listeners are in place. */
export interface ReadyMessage {
  readonly hubmesh: 'ready'
  readonly role: WorkerRole
  readonly version: number
}

/** Sent beside the replies, on the same port and so in order with them. */
export interface EventMessage {
  readonly hubmesh: 'event'
  /** The call it belongs to; 0 for events of the service as a whole. */
  readonly call: number
  readonly event: PortEvent
}

export type PortEvent =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'status'; readonly status: EngineStatus }
  | { readonly kind: 'embed-wanted'; readonly slot: number }
  | { readonly kind: 'embed-done'; readonly slot: number }
  /** Files of a model arriving in an embedding worker. */
  | { readonly kind: 'download'; readonly loadedBytes: number; readonly totalBytes: number }

/** Gives an embedding worker the port on which the engine worker will speak to it. */
export interface PortMessage {
  readonly hubmesh: 'port'
  readonly port: MessagePort
}

/** A cause as it survives the port: a HubmeshError keeps its code, any other error its name. */
export interface WireCause {
  readonly name: string
  readonly message: string
  readonly stack: string | null
  readonly cause: WireCause | WireError | null
}

/** A HubmeshError in transit. Structured cloning keeps of an error class its name alone, so errors travel as data. */
export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
  readonly retryable: boolean
  readonly stack: string | null
  readonly cause: WireCause | WireError | null
}

export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: WireError }

/** What a facade answers: the methods of a service by name, with plain, cloneable arguments and results. */
export type Service = Record<never, never>

export type MethodOf<S> = keyof S & string
export type ArgumentsOf<S, M extends keyof S> = S[M] extends (...args: infer A) => unknown ? A : never
export type ResultOf<S, M extends keyof S> = S[M] extends (...args: never[]) => infer R ? Awaited<R> : never

/** Reads may be repeated without harm. A write that lost its worker may or may not have happened. */
export type CallKind = 'read' | 'write'

/** The allow-list of a service: nothing else can be reached over its port. */
export type MethodTable<S> = { readonly [M in MethodOf<S>]: CallKind }

export type WireAddOptions = Omit<AddOptions, 'onProgress' | 'signal'>
export type WireImportOptions = Omit<ImportOptions, 'onProgress' | 'signal'>
export type WireRetrieveOptions = Omit<RetrieveOptions, 'signal'>
export type WireSearchOptions = Omit<SearchOptions, 'signal'>

/** Where vectors come from, as the page describes it to the engine worker. */
export type WireEmbedder =
  | { readonly kind: 'model'; readonly load: EmbedWorkerOptions; readonly workers: number }
  /** An Embedder of the page, which answers on `port`. */
  | { readonly kind: 'page'; readonly identity: EmbedderIdentity; readonly port: MessagePort }

export type WireOpenOptions = Omit<EngineOptions, 'embedder' | 'signal'> & { readonly embedder: WireEmbedder | null }

/** The methods of the engine that cross the port as they are. */
export interface EngineService {
  ping(): void
  /** Opens the corpus; once per worker, before everything else but ping. */
  open(options: WireOpenOptions): void
  /** The page's answers to `embed-wanted`, and its word of a later death. */
  embedSpawned(slot: number, joined: { readonly port: MessagePort }): void
  embedFailed(slot: number, error: WireError): void
  embedDied(slot: number, error: WireError): void
  /** Holds a slice of an `add` under the caller's key, so that no single message is large enough to stall the page. */
  stage(key: number, items: readonly unknown[]): void
  unstage(key: number): void
  add(key: number, options: WireAddOptions): AddResult
  update(key: number, options: WireAddOptions): AddResult
  remove(ids: string | readonly string[]): { readonly removed: readonly string[]; readonly missing: readonly string[]; readonly generation: number }
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
  removeRelations(documentIds: readonly string[] | undefined): { readonly removed: number; readonly generation: number }
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
