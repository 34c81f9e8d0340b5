/**
 * Orders the stages, and is the only file that knows the order: documents are read, cut, saved,
 * indexed, embedded; a question is read, embedded, ranked, explained, packed. Runs in the thread it
 * is made in.
 */
import { Corpus } from '../corpus/corpus.ts'
import { Follower } from './follower.ts'
import { Ingest } from './ingest.ts'
import { retrieveStream } from './retrieve_stream.ts'
import { Readiness } from './readiness.ts'
import { Curation } from './curation.ts'
import { Snapshots } from './snapshots.ts'
import { Settler } from './settler.ts'
import { listDocuments, statusOf, viewDocument } from './status.ts'
import { StatusListeners } from './status_listeners.ts'
import { Vectorizer } from './vectorizer.ts'
import { WriteQueue } from './write_queue.ts'
import { sameIdentity } from '../embed/embedder.ts'
import type { EmbedderIdentity } from '../types/embedder_identity.ts'
import { checkCall, specOf, type EngineCall } from './calls.ts'
import { checkEngineOptions, isPythonRanking, type EngineOptions } from './engine_options.ts'
import type { PageConditions } from '../embed/pace.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { countFacets } from '../retrieve/facets.ts'
import {
  graphStats,
  kindOption,
  neighborsOf,
  resolveNames,
  routesBetween,
} from './graph_queries.ts'
import { listCommunities, passagesOfName, subgraphOf, type Reading } from '../explain/name_graph.ts'
import { suggestionsFor } from '../explain/suggest.ts'
import { nameMeant } from '../explain/name_lookup.ts'
import { listRelations } from './given_listing.ts'
import { suggestMerges } from './merge_suggestions.ts'
import { LIMITS } from '../base/limits.ts'
import { Retriever } from './asking/retriever.ts'
import type { PlannedRanking } from './planned_ranking.ts'
import { functionOption, strings, textOf, whole } from '../base/options.ts'
import { openArchive } from '../archive/open_archive.ts'
import { archiveBlob } from '../archive/write_archive.ts'
import { createStorage } from '../store/create_storage.ts'
import { modelChanged } from '../store/records/model_change.ts'
import { FORMAT_VERSION } from '../store/records/settings_codec.ts'
import type { CorpusSettings, CorpusStorage } from '../store/storage.ts'
import type { AddInput, AddOptions, AddResult, AddStream, Engine } from '../types.ts'
import { CUTTING_VERSION, EMBEDDED_TEXT_VERSION } from '../chunk/versions.ts'
import { addStream, isStream } from './adding/add_stream.ts'
import { listSource } from './adding/list_folder.ts'
import { syncFolder } from './adding/sync.ts'
import { createVectorIndex } from '../vector/create_vector_index.ts'

const DEFAULT_CHUNK: CorpusSettings['chunk'] = {
  strategy: 'sentences',
  tokens: LIMITS.passageTokens,
  overlap: 0,
  cutting: CUTTING_VERSION,
  embeddedText: EMBEDDED_TEXT_VERSION,
}

export class LocalEngine implements Engine {
  readonly corpus: string
  private readonly memory: Corpus
  private readonly writeQueue: WriteQueue
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
    this.memory = new Corpus(storage.settings.chunk.embeddedText)
    this.writeQueue = new WriteQueue(storage)
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
      // vectors of two embedders must not be compared
      const { onModelChange = 'refuse' } = options
      if (stored && onModelChange === 'refuse')
        throw modelChanged(`corpus "${this.corpus}"`, stored, identity)
      await this.storage.setEmbedder(identity, onModelChange).catch((error: unknown) => {
        // another tab is writing: it says which embedder the corpus has, and this one only follows
        if (stored || !isHubmeshError(error) || error.code !== 'writer/not-leader') throw error
      })
      if (stored)
        this.warnings.push(
          `The corpus had vectors by ${nameOf(stored)}; they were dropped, and its passages are ` +
            `embedded again by ${nameOf(identity)}.`,
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
    void this.vectorizer?.start().catch(() => undefined) // kept for status() and pending calls
  }

  readonly add: Engine['add'] = (input, options = {}) =>
    this.call('add', options, () => this.put(input, options))

  readonly update: Engine['update'] = (input, options = {}) =>
    this.call('update', options, () => this.put(input, { ...options, onConflict: 'replace' }))

  readonly sync: Engine['sync'] = (source, options = {}) =>
    this.call('sync', options, async () => {
      const { signal } = options,
        given = signal ? { signal } : {},
        folder = await listSource(source, this.options.openFolder, signal)
      return syncFolder(
        folder,
        {
          table: this.memory.table,
          generation: () => this.storage.generation,
          update: (documents) =>
            this.ingest.add(documents, { onConflict: 'replace', onInvalid: 'skip', ...given }),
          remove: (ids) => this.ingest.remove(ids, signal),
        },
        options,
      )
    })

  readonly updateMetadata: Engine['updateMetadata'] = (id, patch, options = {}) =>
    this.call('updateMetadata', options, () =>
      this.ingest.updateMetadata(id, patch, options.signal),
    )

  readonly remove: Engine['remove'] = (ids, options = {}) =>
    this.call('remove', options, () =>
      this.ingest.remove(typeof ids === 'string' ? [ids] : strings('ids', ids), options.signal),
    )

  readonly retrieve: Engine['retrieve'] = (query, options = {}) =>
    this.call('retrieve', options, async () => {
      const { settleMs = LIMITS.settleMs, tier, signal } = options
      await this.readiness.beforeAnswer(
        whole('settleMs', settleMs, 0, LIMITS.settleMostMs),
        tier === 'full',
        signal,
      )
      return this.retriever.retrieve(query, options)
    })

  readonly retrieveStream: Engine['retrieveStream'] = (query, options) =>
    retrieveStream(this, query, options)

  readonly search: Engine['search'] = (query, options = {}) =>
    this.call('search', options, () => this.retriever.search(query, options))

  readonly facets: Engine['facets'] = (fields, options = {}) =>
    this.call('facets', options, () => countFacets(this.memory, fields, options))

  readonly suggest: Engine['suggest'] = (prefix, options = {}) =>
    this.call('suggest', options, () => suggestionsFor(prefix, options, this.memory))

  readonly resolveEntities: Engine['resolveEntities'] = (mentions) =>
    this.call('resolveEntities', null, () =>
      resolveNames(strings('mentions', mentions), this.memory),
    )

  readonly entityNeighbors: Engine['entityNeighbors'] = (name, options = {}) =>
    this.call('entityNeighbors', options, () =>
      neighborsOf(
        this.named(name),
        whole('limit', options.limit ?? 20, 1, 1000),
        kindOption(options.kind),
        this.memory,
      ),
    )

  readonly passagesOf: Engine['passagesOf'] = (name, options = {}) =>
    this.call('passagesOf', options, () =>
      passagesOfName(this.named(name), whole('limit', options.limit ?? 20, 1, 1000), this.memory),
    )

  readonly subgraph: Engine['subgraph'] = (options = {}) =>
    this.call('subgraph', options, () =>
      subgraphOf(this.reading(options.signal), {
        around: options.around === undefined ? null : this.named(options.around),
        depth: whole('depth', options.depth ?? 1, 1, 2),
        limit: whole('limit', options.limit ?? 100, 1, LIMITS.subgraphNames),
      }),
    )

  readonly communities: Engine['communities'] = (options = {}) =>
    this.call('communities', options, () =>
      listCommunities(this.reading(options.signal), whole('limit', options.limit ?? 20, 1, 200)),
    )

  readonly pathBetween: Engine['pathBetween'] = (a, b, options = {}) =>
    this.call('pathBetween', options, () =>
      routesBetween(this.named(a), this.named(b), whole('k', options.k ?? 3, 1, 10), this.memory),
    )

  readonly getDocument: Engine['getDocument'] = (id) =>
    this.call('getDocument', null, () => viewDocument(this.memory, textOf('id', id)))

  readonly listDocuments: Engine['listDocuments'] = (options = {}) =>
    this.call('listDocuments', options, () => listDocuments(this.memory, options))

  readonly graphStats: Engine['graphStats'] = () =>
    this.call('graphStats', null, () => graphStats(this.memory))

  readonly mergeNames: Engine['mergeNames'] = (names, options = {}) =>
    this.call('mergeNames', options, () => this.curation.merge(names, options))

  readonly splitName: Engine['splitName'] = (name) =>
    this.call('splitName', null, () => this.curation.split(name))

  readonly undoMerge: Engine['undoMerge'] = (id) =>
    this.call('undoMerge', null, () => this.curation.undo(id))

  readonly mergedNames: Engine['mergedNames'] = () =>
    this.call('mergedNames', null, () => this.curation.merges())

  readonly suggestMerges: Engine['suggestMerges'] = (options = {}) =>
    this.call('suggestMerges', options, () =>
      suggestMerges(
        this.memory,
        () => this.storage.generation,
        this.vectorizer?.ready ? this.options.embedder : null,
        options,
      ),
    )

  readonly addRelations: Engine['addRelations'] = (relations, options = {}) =>
    this.call('addRelations', options, () => this.curation.addRelations(relations, options))

  readonly removeRelations: Engine['removeRelations'] = (documentIds) =>
    this.call('removeRelations', null, () => this.curation.removeRelations(documentIds))

  readonly relations: Engine['relations'] = (options = {}) =>
    this.call('relations', options, () => listRelations(this.memory, options))

  readonly export: Engine['export'] = (options = {}) =>
    this.call('export', options, async () => {
      const { index = false, ...rest } = options
      await this.vectorizer?.flush()
      return this.writeQueue.run(() =>
        archiveBlob(this.storage, {
          ...rest,
          ...(index ? { index: this.memory.freshIndex() } : {}),
        }),
      )
    })

  readonly import: Engine['import'] = (archive, options = {}) =>
    this.call('import', options, async () => {
      const { crossOrigin: _crossOrigin, ...rest } = options
      return this.ingest.importArchive(await openArchive(archive, options), rest)
    })

  readonly status: Engine['status'] = () =>
    this.call('status', null, () =>
      statusOf(this.corpus, this.memory, this.storage, this.vectorizer, this.options.embedder, [
        ...this.warnings,
        ...[
          this.snapshots.warning,
          this.curation.warning,
          this.follower.warning,
          this.retriever.warning,
        ].filter((warning) => warning !== null),
      ]),
    )

  readonly onStatus: Engine['onStatus'] = (listener) => {
    functionOption('listener', listener)
    return this.listeners.add(listener)
  }

  readonly ready: Engine['ready'] = (step, options = {}) =>
    this.call('ready', options, () => this.readiness.wait(step, options.signal))

  readonly pauseEmbedding: Engine['pauseEmbedding'] = () =>
    this.call('pauseEmbedding', null, () => this.vectorizer?.pause())

  readonly resumeEmbedding: Engine['resumeEmbedding'] = () =>
    this.call('resumeEmbedding', null, () => this.vectorizer?.resume())

  /** What the page tells of itself: embedding goes slowly while it is hidden or saves power. */
  setConditions(conditions: PageConditions): void {
    this.vectorizer?.setConditions(conditions)
  }

  readonly destroy: Engine['destroy'] = () =>
    this.call('destroy', null, async () => {
      await this.shut(true)
      await this.storage.destroy()
    })

  /** Saves the vectors that are waiting and ends; a second call does nothing. */
  readonly close: Engine['close'] = async () => {
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

  private put(input: AddInput | AddStream, options: AddOptions): Promise<AddResult> {
    return isStream(input)
      ? addStream(input, options, (items, more) => this.ingest.add(items, more))
      : this.ingest.add(input, options)
  }

  private reading(signal: AbortSignal | undefined): Reading {
    return { corpus: this.memory, generation: () => this.storage.generation, signal }
  }

  private named(text: string): number {
    return nameMeant(textOf('name', text), this.memory)
  }

  /** Runs a call of the table while the engine is open; rejects unknown options. */
  private async call<T>(
    call: EngineCall,
    options: unknown,
    work: () => T | Promise<T>,
  ): Promise<T> {
    if (this.closed)
      throw new HubmeshError(
        'store/closed',
        `The engine of corpus "${this.corpus}" is closed. Call createEngine() again.`,
      )
    checkCall(call, options)
    const run = async (): Promise<T> => work()
    return specOf(call).foreground && this.vectorizer ? this.vectorizer.during(run) : run()
  }

  private changed(): void {
    this.readiness.check()
    this.listeners.changed()
  }
}

function nameOf({ model, dtype, runtime }: EmbedderIdentity): string {
  return `${model} (${dtype}${runtime === undefined ? '' : `, ${runtime}`})`
}
