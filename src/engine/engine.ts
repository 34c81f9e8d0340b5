/**
 * Orders the stages, and is the only file that knows the order: documents are read, cut, saved,
 * indexed, embedded; a question is read, embedded, ranked, explained, packed. Runs in the thread it
 * is made in.
 */
import { retrieveStream } from './retrieve_stream.ts'
import { listDocuments, statusOf, viewDocument } from './status.ts'
import { StatusListeners } from './status_listeners.ts'
import { assembleParts, type EngineParts } from './parts.ts'
import { adoptModel, openStorage } from './open_storage.ts'
import { nameCalls } from './name_calls.ts'
import { checkCall, specOf, type EngineCall } from './calls.ts'
import { checkEngineOptions, isPythonRanking, type EngineOptions } from './engine_options.ts'
import type { PageConditions } from '../embed/pace.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { countFacets } from '../retrieve/facets.ts'
import { graphStats } from './graph_queries.ts'
import { suggestionsFor } from '../explain/suggest.ts'
import { listRelations } from './given_listing.ts'
import { suggestMerges } from './merge_suggestions.ts'
import type { PlannedRanking } from './planned_ranking.ts'
import { functionOption, strings, textOf } from '../base/options.ts'
import { openArchive } from '../archive/open_archive.ts'
import { archiveBlob } from '../archive/write_archive.ts'
import type { CorpusStorage } from '../store/storage.ts'
import type { AddInput, AddOptions, AddResult, AddStream, Engine } from '../types.ts'
import { addStream, isStream } from './adding/add_stream.ts'
import { listSource } from './adding/list_folder.ts'
import { createVectorIndex } from '../vector/create_vector_index.ts'

export class LocalEngine implements Engine {
  readonly corpus: string
  private readonly parts: EngineParts
  private readonly names: ReturnType<typeof nameCalls>
  private readonly listeners = new StatusListeners(() => this.status())
  private readonly warnings: string[] = []
  private closed = false

  private constructor(
    private readonly options: EngineOptions,
    private readonly storage: CorpusStorage,
    planned: PlannedRanking | null,
  ) {
    this.corpus = options.corpus
    this.parts = assembleParts(options, storage, planned, () => {
      this.changed()
    })
    this.names = nameCalls(this.parts.corpus, () => storage.generation)
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
    const storage = await openStorage(options)
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
    const dropped = await adoptModel(options, this.storage),
      dims = (options.embedder?.identity ?? this.storage.settings.embedder)?.dims
    if (dropped !== null) this.warnings.push(dropped)
    await this.parts.follower.loadDocuments(options.signal)
    if (dims !== undefined) {
      this.parts.corpus.vectors = await createVectorIndex({
        dims,
        index: options.index ?? 'auto',
        expectedRows: this.parts.corpus.table.passages,
      })
    }
    this.parts.follower.start()
    void this.parts.vectorizer?.start().catch(() => undefined) // kept for status() and pending calls
  }

  readonly add: Engine['add'] = (input, options = {}) =>
    this.call('add', options, () => this.put(input, options))

  readonly update: Engine['update'] = (input, options = {}) =>
    this.call('update', options, () => this.put(input, { ...options, onConflict: 'replace' }))

  readonly sync: Engine['sync'] = (source, options = {}) =>
    this.call('sync', options, async () =>
      this.parts.ingest.sync(
        await listSource(source, this.options.openFolder, options.signal),
        options,
      ),
    )

  readonly updateMetadata: Engine['updateMetadata'] = (id, patch, options = {}) =>
    this.call('updateMetadata', options, () =>
      this.parts.ingest.updateMetadata(id, patch, options.signal),
    )

  readonly remove: Engine['remove'] = (ids, options = {}) =>
    this.call('remove', options, () =>
      this.parts.ingest.remove(
        typeof ids === 'string' ? [ids] : strings('ids', ids),
        options.signal,
      ),
    )

  readonly retrieve: Engine['retrieve'] = (query, options = {}) =>
    this.call('retrieve', options, async () => {
      await this.parts.readiness.beforeAnswer(options)
      return this.parts.retriever.retrieve(query, options)
    })

  readonly retrieveStream: Engine['retrieveStream'] = (query, options) =>
    retrieveStream(this, query, options)

  readonly search: Engine['search'] = (query, options = {}) =>
    this.call('search', options, () => this.parts.retriever.search(query, options))

  readonly facets: Engine['facets'] = (fields, options = {}) =>
    this.call('facets', options, () => countFacets(this.parts.corpus, fields, options))

  readonly suggest: Engine['suggest'] = (prefix, options = {}) =>
    this.call('suggest', options, () => suggestionsFor(prefix, options, this.parts.corpus))

  readonly resolveEntities: Engine['resolveEntities'] = (mentions) =>
    this.call('resolveEntities', null, () => this.names.resolveEntities(mentions))

  readonly entityNeighbors: Engine['entityNeighbors'] = (name, options = {}) =>
    this.call('entityNeighbors', options, () => this.names.entityNeighbors(name, options))

  readonly passagesOf: Engine['passagesOf'] = (name, options = {}) =>
    this.call('passagesOf', options, () => this.names.passagesOf(name, options))

  readonly subgraph: Engine['subgraph'] = (options = {}) =>
    this.call('subgraph', options, () => this.names.subgraph(options))

  readonly communities: Engine['communities'] = (options = {}) =>
    this.call('communities', options, () => this.names.communities(options))

  readonly pathBetween: Engine['pathBetween'] = (a, b, options = {}) =>
    this.call('pathBetween', options, () => this.names.pathBetween(a, b, options))

  readonly getDocument: Engine['getDocument'] = (id) =>
    this.call('getDocument', null, () => viewDocument(this.parts.corpus, textOf('id', id)))

  readonly listDocuments: Engine['listDocuments'] = (options = {}) =>
    this.call('listDocuments', options, () => listDocuments(this.parts.corpus, options))

  readonly graphStats: Engine['graphStats'] = () =>
    this.call('graphStats', null, () => graphStats(this.parts.corpus))

  readonly mergeNames: Engine['mergeNames'] = (names, options = {}) =>
    this.call('mergeNames', options, () => this.parts.curation.merge(names, options))

  readonly splitName: Engine['splitName'] = (name) =>
    this.call('splitName', null, () => this.parts.curation.split(name))

  readonly undoMerge: Engine['undoMerge'] = (id) =>
    this.call('undoMerge', null, () => this.parts.curation.undo(id))

  readonly mergedNames: Engine['mergedNames'] = () =>
    this.call('mergedNames', null, () => this.parts.curation.merges())

  readonly suggestMerges: Engine['suggestMerges'] = (options = {}) =>
    this.call('suggestMerges', options, () =>
      suggestMerges(
        this.parts.corpus,
        () => this.storage.generation,
        this.parts.vectorizer?.ready ? this.options.embedder : null,
        options,
      ),
    )

  readonly addRelations: Engine['addRelations'] = (relations, options = {}) =>
    this.call('addRelations', options, () => this.parts.curation.addRelations(relations, options))

  readonly removeRelations: Engine['removeRelations'] = (documentIds) =>
    this.call('removeRelations', null, () => this.parts.curation.removeRelations(documentIds))

  readonly relations: Engine['relations'] = (options = {}) =>
    this.call('relations', options, () => listRelations(this.parts.corpus, options))

  readonly export: Engine['export'] = (options = {}) =>
    this.call('export', options, async () => {
      const { index = false, ...rest } = options
      await this.parts.vectorizer?.flush()
      return this.parts.writeQueue.run(() =>
        archiveBlob(this.storage, {
          ...rest,
          ...(index ? { index: this.parts.corpus.freshIndex() } : {}),
        }),
      )
    })

  readonly import: Engine['import'] = (archive, options = {}) =>
    this.call('import', options, async () => {
      const { crossOrigin: _crossOrigin, ...rest } = options
      return this.parts.ingest.importArchive(await openArchive(archive, options), rest)
    })

  readonly status: Engine['status'] = () =>
    this.call('status', null, () =>
      statusOf(this.corpus, this.parts, this.storage, this.options.embedder, this.warnings),
    )

  readonly onStatus: Engine['onStatus'] = (listener) => {
    functionOption('listener', listener)
    return this.listeners.add(listener)
  }

  readonly ready: Engine['ready'] = (step, options = {}) =>
    this.call('ready', options, () => this.parts.readiness.wait(step, options.signal))

  readonly pauseEmbedding: Engine['pauseEmbedding'] = () =>
    this.call('pauseEmbedding', null, () => this.parts.vectorizer?.pause())

  readonly resumeEmbedding: Engine['resumeEmbedding'] = () =>
    this.call('resumeEmbedding', null, () => this.parts.vectorizer?.resume())

  /** What the page tells of itself: embedding goes slowly while it is hidden or saves power. */
  setConditions(conditions: PageConditions): void {
    this.parts.vectorizer?.setConditions(conditions)
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
    this.parts.follower.close()
    this.parts.settler.close()
    this.parts.readiness.close()
    await this.parts.vectorizer?.close()
    if (!destroying) await this.parts.snapshots.close()
    await this.parts.writeQueue.run(() => Promise.resolve())
    await this.options.embedder?.close()
    this.parts.corpus.vectors?.close()
  }

  private put(input: AddInput | AddStream, options: AddOptions): Promise<AddResult> {
    return isStream(input)
      ? addStream(input, options, (items, more) => this.parts.ingest.add(items, more))
      : this.parts.ingest.add(input, options)
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
    return specOf(call).foreground && this.parts.vectorizer
      ? this.parts.vectorizer.during(run)
      : run()
  }

  private changed(): void {
    this.parts.readiness.check()
    this.listeners.changed()
  }
}
