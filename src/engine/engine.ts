/**
 * Owns the order of the stages, and is the only file that knows it: documents are read, cut, saved,
 * indexed, embedded; a question is read, embedded, ranked, explained, packed. Refuses: threads and
 * workers; it runs where it is made.
 */
import { Corpus } from '../corpus/corpus.ts'
import { listDocuments, viewDocument } from './document_views.ts'
import { Follower } from './follower.ts'
import { Ingest } from './ingest.ts'
import { Mutex } from '../base/mutex.ts'
import { Readiness } from './readiness.ts'
import { Curation } from './curation.ts'
import { Snapshots } from './snapshots.ts'
import { Settler } from './settler.ts'
import { statusOf } from './status.ts'
import { StatusListeners } from './status_listeners.ts'
import { Vectorizer } from './vectorizer.ts'
import { sameIdentity } from '../embed/embedder.ts'
import { checkCall, type OptionedCall } from './call_options.ts'
import { checkEngineOptions, isPythonRanking, type EngineOptions } from './engine_options.ts'
import type { PageConditions } from '../embed/pace.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { findName, graphStats, neighborsOf, resolveNames, routesBetween } from './graph_queries.ts'
import { listRelations } from './given_listing.ts'
import { suggestMerges } from './merge_suggestions.ts'
import { LIMITS } from '../base/limits.ts'
import { Retriever } from './retriever.ts'
import type { PlannedRanking } from './planned_ranking.ts'
import { strings, whole } from '../base/options.ts'
import { openArchive } from '../archive/open_archive.ts'
import { archiveBlob } from '../archive/write_archive.ts'
import { createStorage } from '../store/create_storage.ts'
import { FORMAT_VERSION } from '../store/records/settings_codec.ts'
import type { CorpusSettings, CorpusStorage } from '../store/storage.ts'
import type {
  AddInput,
  AddOptions,
  AddRelationsResult,
  AddResult,
  ArchiveSource,
  DocumentListing,
  DocumentView,
  Engine,
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
import { createVectorIndex } from '../vector/create_vector_index.ts'

const DEFAULT_CHUNK: CorpusSettings['chunk'] = {
  strategy: 'sentences',
  tokens: LIMITS.passageTokens,
  overlap: 0,
}

export class LocalEngine implements Engine {
  readonly corpus: string
  private readonly memory = new Corpus()
  private readonly writeQueue = new Mutex()
  private readonly listeners = new StatusListeners(() => this.status())
  private readonly vectorizer: Vectorizer | null
  private readonly settler: Settler
  private readonly snapshots: Snapshots
  private readonly readiness: Readiness
  private readonly curation: Curation
  private readonly ingest: Ingest
  private readonly follower: Follower
  private readonly retriever: Retriever
  private readonly warnings: string[] = []
  private closed = false

  private constructor(
    private readonly options: EngineOptions,
    private readonly storage: CorpusStorage,
    planned: PlannedRanking | null,
  ) {
    const { embedder } = options,
      changed = (): void => {
        this.changed()
      }
    this.corpus = options.corpus
    this.vectorizer = embedder
      ? new Vectorizer(embedder, this.memory, storage, changed, this.writeQueue)
      : null
    this.settler = new Settler(this.memory, changed)
    this.snapshots = new Snapshots(this.memory, storage, this.writeQueue)
    this.readiness = new Readiness(this.memory, this.settler, this.vectorizer)
    this.curation = new Curation(
      this.memory,
      storage,
      this.writeQueue,
      this.snapshots,
      this.settler,
      changed,
    )
    this.ingest = new Ingest({
      corpus: this.memory,
      storage,
      writeQueue: this.writeQueue,
      vectorizer: this.vectorizer,
      settler: this.settler,
      snapshots: this.snapshots,
      curation: this.curation,
      embedder,
      changed,
    })
    this.follower = new Follower(
      this.memory,
      storage,
      this.writeQueue,
      this.vectorizer,
      this.settler,
      this.readiness,
      this.snapshots,
      this.curation,
      changed,
    )
    this.retriever = new Retriever(
      this.memory,
      storage,
      embedder,
      this.vectorizer,
      options,
      planned,
    )
  }

  /**
   * Opens a corpus, or begins it: documents are there and the text tier answers when this resolves;
   * vectors and the model load behind it. `python` is the ranking behind `ranking: 'python'`.
   * Rejects with `input/invalid`, `store/*`, `model/incompatible` or `aborted`.
   */
  static async open(options: EngineOptions, python?: PlannedRanking): Promise<LocalEngine> {
    throwIfAborted(options.signal)
    checkEngineOptions(options)
    const planned = isPythonRanking(options.ranking) ? python : null
    if (planned === undefined)
      throw new HubmeshError(
        'input/invalid',
        'This engine was opened without the Python planner: ranking "python" is for createEngine().',
        { details: { option: 'ranking' } },
      )
    const identity = options.embedder?.identity ?? null
    const storage = await createStorage({
      corpus: options.corpus,
      storage: options.storage,
      settings: {
        formatVersion: FORMAT_VERSION,
        chunk: { ...DEFAULT_CHUNK, ...options.chunk },
        embedder: identity,
      },
      ...(options.encryption === undefined ? {} : { encryption: options.encryption }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const engine = new LocalEngine(options, storage, planned)
    try {
      await engine.load(options)
    } catch (error) {
      await engine.close().catch(() => undefined)
      throw error
    }
    return engine
  }

  private async load(options: EngineOptions): Promise<void> {
    const identity = options.embedder?.identity,
      stored = this.storage.settings.embedder
    if (identity && (!stored || !sameIdentity(identity, stored))) {
      // vectors of two embedders must not be compared: the old ones go, and every passage is
      // embedded again
      await this.storage.setEmbedder(identity).catch((error: unknown) => {
        // another tab is writing: it says which embedder the corpus has, and this one only follows
        if (stored || !isHubmeshError(error) || error.code !== 'writer/not-leader') throw error
      })
      if (stored)
        this.warnings.push(
          `The corpus had vectors by ${stored.model} (${stored.dtype}); they were dropped, and ` +
            `its passages are embedded again by ${identity.model} (${identity.dtype}).`,
        )
    }
    const dims = (identity ?? stored)?.dims
    await this.follower.loadDocuments(options.signal)
    if (dims !== undefined) {
      this.memory.vectors = await createVectorIndex({
        dims,
        index: options.index ?? 'auto',
        expectedRows: this.memory.table.passages,
      })
    }
    this.follower.start()
    void this.vectorizer?.start().catch(() => undefined) // kept for status() and for whoever waits
  }

  add(input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.checkedCall('add', options, () =>
      this.withForegroundPriority(() => this.ingest.add(input, options)),
    )
  }

  update(input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.checkedCall('update', options, () =>
      this.add(input, { ...options, onConflict: 'replace' }),
    )
  }

  remove(
    ids: string | readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): ReturnType<Engine['remove']> {
    return this.checkedCall('remove', options, () =>
      this.ingest.remove(typeof ids === 'string' ? [ids] : strings('ids', ids), options.signal),
    )
  }

  retrieve(query: string, options: RetrieveOptions = {}): Promise<RetrieveResult> {
    return this.whileOpen(() =>
      this.withForegroundPriority(() => this.retriever.retrieve(query, options)),
    )
  }

  search(query: string, options: SearchOptions = {}): Promise<readonly Source[]> {
    return this.whileOpen(() =>
      this.withForegroundPriority(() => this.retriever.search(query, options)),
    )
  }

  resolveEntities(mentions: readonly string[]): Promise<readonly (ResolvedEntity | null)[]> {
    return this.whileOpen(() => resolveNames(strings('mentions', mentions), this.memory))
  }

  entityNeighbors(
    name: string,
    options: { readonly limit?: number } = {},
  ): Promise<readonly EntityNeighbor[]> {
    return this.checkedCall('entityNeighbors', options, async () =>
      neighborsOf(this.named(name), whole('limit', options.limit ?? 20, 1, 1000), this.memory),
    )
  }

  pathBetween(
    a: string,
    b: string,
    options: { readonly k?: number } = {},
  ): Promise<readonly RouteBetween[]> {
    return this.checkedCall('pathBetween', options, async () =>
      routesBetween(this.named(a), this.named(b), whole('k', options.k ?? 3, 1, 10), this.memory),
    )
  }

  getDocument(id: string): Promise<DocumentView | null> {
    return this.whileOpen(async () => viewDocument(this.memory, id))
  }

  listDocuments(
    options: { readonly offset?: number; readonly limit?: number } = {},
  ): Promise<DocumentListing> {
    return this.checkedCall('listDocuments', options, async () =>
      listDocuments(this.memory, options),
    )
  }

  graphStats(): Promise<GraphStats> {
    return this.whileOpen(async () => graphStats(this.memory))
  }

  mergeNames(names: readonly string[], options: MergeNamesOptions = {}): Promise<NameMerge> {
    return this.checkedCall('mergeNames', options, () => this.curation.merge(names, options))
  }

  splitName(name: string): Promise<void> {
    return this.whileOpen(() => this.curation.split(name))
  }

  undoMerge(id: string): Promise<void> {
    return this.whileOpen(() => this.curation.undo(id))
  }

  mergedNames(): Promise<readonly NameMerge[]> {
    return this.whileOpen(async () => this.curation.merges())
  }

  suggestMerges(options: SuggestMergesOptions = {}): Promise<readonly MergeSuggestion[]> {
    return this.checkedCall('suggestMerges', options, () =>
      suggestMerges(
        this.memory,
        () => this.storage.generation,
        this.vectorizer?.ready ? this.options.embedder : null,
        options,
      ),
    )
  }

  addRelations(
    relations: RelationsInput,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AddRelationsResult> {
    return this.checkedCall('addRelations', options, () =>
      this.curation.addRelations(relations, options),
    )
  }

  removeRelations(documentIds?: readonly string[]): ReturnType<Engine['removeRelations']> {
    return this.whileOpen(() => this.curation.removeRelations(documentIds))
  }

  relations(options: RelationsOptions = {}): Promise<RelationListing> {
    return this.checkedCall('relations', options, async () => listRelations(this.memory, options))
  }

  export(options: ExportOptions = {}): Promise<Blob> {
    return this.checkedCall('export', options, async () => {
      const { index = false, ...rest } = options
      await this.vectorizer?.flush()
      return this.writeQueue.run(() =>
        archiveBlob(this.storage, {
          ...rest,
          ...(index ? { index: this.memory.freshIndex() } : {}),
        }),
      )
    })
  }

  import(archive: ArchiveSource, options: ImportOptions = {}): Promise<AddResult> {
    return this.checkedCall('import', options, () =>
      this.withForegroundPriority(async () => {
        const { crossOrigin, ...rest } = options
        return this.ingest.importArchive(
          await openArchive(archive, {
            ...rest,
            ...(crossOrigin === undefined ? {} : { crossOrigin }),
          }),
          rest,
        )
      }),
    )
  }

  status(): Promise<EngineStatus> {
    return this.whileOpen(() =>
      statusOf(this.corpus, this.memory, this.storage, this.vectorizer, this.options.embedder, [
        ...this.warnings,
        ...(this.snapshots.warning ? [this.snapshots.warning] : []),
        ...(this.curation.warning ? [this.curation.warning] : []),
        ...(this.follower.warning ? [this.follower.warning] : []),
      ]),
    )
  }

  onStatus(listener: (status: EngineStatus) => void): () => void {
    return this.listeners.add(listener)
  }

  ready(step: ReadyStep, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return this.checkedCall('ready', options, () => this.readiness.wait(step, options.signal))
  }

  pauseEmbedding(): Promise<void> {
    return this.whileOpen(async () => {
      this.vectorizer?.pause()
    })
  }

  resumeEmbedding(): Promise<void> {
    return this.whileOpen(async () => {
      this.vectorizer?.resume()
    })
  }

  /** What the page tells of itself: embedding goes slowly while it is hidden or saves power. */
  setConditions(conditions: PageConditions): void {
    this.vectorizer?.setConditions(conditions)
  }

  destroy(): Promise<void> {
    return this.whileOpen(async () => {
      await this.shut(true)
      await this.storage.destroy()
    })
  }

  /** Saves the vectors that are waiting and ends; a second call does nothing. */
  async close(): Promise<void> {
    if (this.closed) return
    await this.shut(false)
    await this.storage.close()
  }

  private async shut(destroying: boolean): Promise<void> {
    this.closed = true
    this.listeners.close()
    this.follower.close()
    this.settler.close()
    this.readiness.close()
    await this.vectorizer?.close()
    if (!destroying) await this.snapshots.close()
    await this.writeQueue.run(() => Promise.resolve())
    await this.options.embedder?.close()
    this.memory.vectors?.close()
  }

  /** Somebody waits for it: embedding leaves it a core. */
  private withForegroundPriority<T>(work: () => Promise<T>): Promise<T> {
    return this.vectorizer ? this.vectorizer.during(work) : work()
  }

  private named(text: string): number {
    const name = typeof text === 'string' ? findName(text, this.memory) : -1
    if (name < 0)
      throw new HubmeshError(
        'input/invalid',
        'The corpus does not know this name. resolveEntities() tells which names it knows.',
        { details: { field: 'name' } },
      )
    return name
  }

  private async whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed)
      throw new HubmeshError(
        'store/closed',
        `The engine of corpus "${this.corpus}" is closed. Call createEngine() again.`,
      )
    return work()
  }

  /** A call that takes options: none but those it has. */
  private checkedCall<T>(call: OptionedCall, options: unknown, work: () => Promise<T>): Promise<T> {
    return this.whileOpen(() => {
      checkCall(call, options)
      return work()
    })
  }

  private changed(): void {
    this.readiness.check()
    this.listeners.changed()
  }
}
