/** The engine's calls, the same in a page, in Node and over a port. */
import type {
  AddInput,
  AddOptions,
  AddResult,
  AddStream,
  SyncOptions,
  SyncResult,
  SyncSource,
} from './adding.ts'
import type { RetrieveResult, Source } from './answer.ts'
import type { ArchiveSource, ExportOptions, ImportOptions } from './archives.ts'
import type {
  Facet,
  FacetOptions,
  MetadataPath,
  RetrieveOptions,
  SearchOptions,
  Suggestion,
} from './asking.ts'
import type { DocumentListing, DocumentView, Metadata } from './documents.ts'
import type {
  MergeNamesOptions,
  MergeSuggestion,
  NameMerge,
  SuggestMergesOptions,
} from './merges.ts'
import type {
  Community,
  EntityNeighbor,
  EntityType,
  GraphStats,
  NamePassage,
  ResolvedEntity,
  Subgraph,
} from './names.ts'
import type { RouteBetween } from './paths.ts'
import type {
  AddRelationsResult,
  RelationListing,
  RelationsInput,
  RelationsOptions,
} from './relations.ts'
import type { EngineStatus, ReadyStep } from './status.ts'

/** The engine as a page or a Node program holds it. Every call rejects with a HubmeshError only. */
export interface Engine<M extends object = Metadata> {
  readonly corpus: string
  add(input: AddInput | AddStream, options?: AddOptions): Promise<AddResult>
  /** `add` with `onConflict: 'replace'`. */
  update(input: AddInput | AddStream, options?: AddOptions): Promise<AddResult>
  /**
   * Brings the corpus in step with a folder: adds what is new, replaces what changed, removes what
   * went, and leaves documents of elsewhere alone. Ids begin with the folder's name. A file of the
   * size and time it had is not read again, so a sync that was cut short goes on where it was.
   * Rejects with `input/invalid` for another source, and where the folder cannot be listed; then
   * nothing is removed.
   */
  sync(source: SyncSource, options?: SyncOptions): Promise<SyncResult>
  /**
   * Changes the metadata of a document by a JSON merge patch (RFC 7396: fields given replace those
   * that are there, objects are merged, null takes a field out). Text and vectors stay as they are.
   * Rejects with `input/invalid` for an unknown id.
   */
  updateMetadata(
    id: string,
    patch: Metadata,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly metadata: Metadata; readonly generation: number }>
  remove(
    ids: string | readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<{
    readonly removed: readonly string[]
    readonly missing: readonly string[]
    readonly generation: number
  }>
  /** After an addition waits up to `settleMs` for its names; see `debug.warnings` for what is not ready. */
  retrieve(query: string, options?: RetrieveOptions<M>): Promise<RetrieveResult>
  /**
   * The answer of `retrieve` now, and again whenever a better one can be given: once names are
   * settled, and once every passage has its vector. Ends after the best, or when the embedder fails.
   */
  retrieveStream(query: string, options?: RetrieveOptions<M>): AsyncIterable<RetrieveResult>
  /**
   * Passages by words, by meaning or by both, without the graph. By words alone (lexical, or no
   * vectors yet) only those that have a word of the question.
   */
  search(query: string, options?: SearchOptions<M>): Promise<readonly Source[]>
  /**
   * Counts documents by the values of metadata fields, `['author', 'place.town']`, 1 to 20 of them,
   * in their order. Rejects with `input/invalid` for other fields or options.
   */
  facets(
    fields: readonly (MetadataPath<M> & string)[],
    options?: FacetOptions<M>,
  ): Promise<readonly Facet[]>
  /**
   * Titles, names and words of the corpus by their beginning, or by that of one of their words; at
   * most `limit`, 1 to 100, default 10. Those that begin with it come first, then those of most
   * passages. Marks on letters need not be typed. Rejects with `input/invalid`.
   */
  suggest(prefix: string, options?: { readonly limit?: number }): Promise<readonly Suggestion[]>
  /**
   * What the corpus knows of each mention; null where it has no such name. Of several that share one
   * (a surname) the one of most passages, with the others as its `alternatives`.
   */
  resolveEntities(mentions: readonly string[]): Promise<readonly (ResolvedEntity | null)[]>
  /**
   * Names that share passages with this one, heaviest first: `limit` of them, 1 to 1000 (20), with
   * `kind` only those of it among the heaviest thousand.
   */
  entityNeighbors(
    name: string,
    options?: { readonly limit?: number; readonly kind?: EntityType },
  ): Promise<readonly EntityNeighbor[]>
  /**
   * Passages that mention a name, in the order of their documents: `limit` of them, 1 to 1000 (20).
   * Rejects with `input/invalid` for a name the corpus does not know.
   */
  passagesOf(name: string, options?: { readonly limit?: number }): Promise<readonly NamePassage[]>
  /**
   * A part of the graph of names, to draw or to walk: `limit` names, 1 to 2000 (100), with `around`
   * those beside it and, at `depth` 2, beside them; else the most telling of the corpus. Reads at
   * most 256 passages of a name, in turns. Rejects with `aborted`, and with `index/stale` where the
   * corpus changes faster than it is read.
   */
  subgraph(options?: {
    readonly around?: string
    readonly depth?: 1 | 2
    readonly limit?: number
    readonly signal?: AbortSignal
  }): Promise<Subgraph>
  /**
   * Communities of the two thousand most telling names (Louvain), the largest first: `limit` of
   * them, 1 to 200 (20). Rejects as `subgraph` does.
   */
  communities(options?: {
    readonly limit?: number
    readonly signal?: AbortSignal
  }): Promise<readonly Community[]>
  pathBetween(
    a: string,
    b: string,
    options?: { readonly k?: number },
  ): Promise<readonly RouteBetween[]>
  getDocument(id: string): Promise<DocumentView | null>
  listDocuments(options?: {
    readonly offset?: number
    readonly limit?: number
  }): Promise<DocumentListing>
  graphStats(): Promise<GraphStats>
  /**
   * Makes names one, for every question from now on, and for documents still to come; kept with the
   * corpus and its archives. Merges that share a name join; their order does not matter. Rejects
   * with `input/invalid` for a name the corpus does not know, and for fewer than two.
   */
  mergeNames(names: readonly string[], options?: MergeNamesOptions): Promise<NameMerge>
  /**
   * Takes a name out of every merge it is in. Rejects with `input/invalid` for one that is in none.
   */
  splitName(name: string): Promise<void>
  /**
   * Undoes one merge as if it had never been made. Rejects with `input/invalid` for an unknown id.
   */
  undoMerge(id: string): Promise<void>
  /** In order of their ids. */
  mergedNames(): Promise<readonly NameMerge[]>
  /** Pairs of names that may be one, most likely first; 1 to 200, default 20. */
  suggestMerges(options?: SuggestMergesOptions): Promise<readonly MergeSuggestion[]>
  /**
   * Takes relations of names, as a language model or a person reads them in documents of the
   * corpus. They show in reasoning paths with predicate and span, and their names count as names.
   * Those of a document that is removed or changed go with it. Rejects with `input/invalid` for
   * entries of another shape.
   */
  addRelations(
    relations: RelationsInput,
    options?: { readonly signal?: AbortSignal },
  ): Promise<AddRelationsResult>
  /** Forgets the relations of some documents, or all. */
  removeRelations(
    documentIds?: readonly string[],
  ): Promise<{ readonly removed: number; readonly generation: number }>
  /**
   * The relations that were given, by document id and place; of one document, or with a name at
   * either end.
   */
  relations(options?: RelationsOptions): Promise<RelationListing>
  /** One file of the whole corpus, `*.hubmesh`. */
  export(options?: ExportOptions): Promise<Blob>
  /**
   * Adds what an archive holds; its vectors are taken over when made by the same embedder. An
   * address is fetched, a string taken as relative to the page. Nothing is added before the last
   * byte was found right. Rejects with `archive/invalid` (no archive, cut short, changed),
   * `archive/version`, `archive/too-large`, `remote/unavailable` (no answer, or an error's status
   * in `details.status`), `input/invalid` (another origin without `crossOrigin`) or `aborted`.
   */
  import(archive: ArchiveSource, options?: ImportOptions): Promise<AddResult>
  status(): Promise<EngineStatus>
  /**
   * Calls back on every change of status, at most a few times a second; returns the unsubscribe
   * function.
   */
  onStatus(listener: (status: EngineStatus) => void): () => void
  ready(step: ReadyStep, options?: { readonly signal?: AbortSignal }): Promise<void>
  pauseEmbedding(): Promise<void>
  resumeEmbedding(): Promise<void>
  /** Removes every document and vector of the corpus, then closes. */
  destroy(): Promise<void>
  close(): Promise<void>
}
