/**
 * Owns the engine as a page holds it: every call goes to the engine worker, which is restarted when
 * it dies. Refuses: work of its own on the page's thread beyond handing things over, and answering
 * from a corpus that was lost with its worker.
 */
import { checkCall } from '../engine/call_options.ts'
import { HubmeshError } from '../base/errors.ts'
import { addressOf, streamBlob } from '../archive/open_archive.ts'
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
  TokenCounter,
} from '../types.ts'
import { closedError, lostWithWorker, silent } from './client_errors.ts'
import { Connection } from '../port/connection.ts'
import type { CallOptions } from '../port/connection.ts'
import { startHeartbeat } from '../port/heartbeat.ts'
import { ENGINE_METHODS } from './methods.ts'
import type { ArgumentsOf, MethodOf, PortEvent, ResultOf } from '../port/protocol.ts'
import type { EngineService } from './protocol.ts'
import type { LiveWorker, WorkerFactory } from '../port/spawn.ts'
import { stageInput } from './staging.ts'
import { Supervisor } from '../port/supervisor.ts'

/** What the client needs to know of the corpus, and how to open it in a fresh worker. */
export interface EngineClientOptions {
  readonly corpus: string
  /** True where a new worker finds the corpus again. */
  readonly durable: boolean
  readonly factory?: WorkerFactory | undefined
  readonly signal?: AbortSignal | undefined
  /** Opens the corpus over a new connection; called again for every restart. */
  readonly open: (
    connection: Connection<EngineService>,
    signal: AbortSignal | undefined,
  ) => Promise<void>
  /** Everything that the worker tells without being asked. */
  readonly onEvent?: (event: PortEvent) => void
  /** Called whenever a worker is gone: dead, or closed. */
  readonly onDeath?: () => void
  /** Called once, before the first `add`; a page asks for storage that is not evicted. */
  readonly onFirstAdd?: (() => void) | undefined
  /** A counter of the page's own; packing then runs on the page. */
  readonly countTokens?: TokenCounter | undefined
}

export class EngineClient implements Engine {
  readonly corpus: string
  readonly #options: EngineClientOptions
  readonly #listeners = new Set<(status: EngineStatus) => void>()
  #supervisor: Supervisor<Connection<EngineService>> | null = null
  #connection: Connection<EngineService> | null = null
  #stopHeartbeat: () => void = () => undefined
  #stages = 0
  #added = false
  #closing: Promise<void> | null = null

  private constructor(options: EngineClientOptions) {
    this.corpus = options.corpus
    this.#options = options
  }

  /**
   * Starts the worker and opens the corpus in it. Rejects with `worker/*`, `store/*`,
   * `input/invalid` or `aborted`.
   */
  static async open(options: EngineClientOptions): Promise<EngineClient> {
    const client = new EngineClient(options)
    try {
      client.#supervisor = await Supervisor.start<Connection<EngineService>>(
        {
          role: 'engine',
          factory: options.factory,
          restart: options.durable,
          connect: (live) => client.#connect(live),
          onDeath: (error, final) => {
            client.#onDeath(error, final)
          },
        },
        options.signal,
      )
    } catch (thrown) {
      client.#disconnect(closedError(options.corpus))
      options.onDeath?.()
      throw thrown
    }
    return client
  }

  async add(input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.#put('add', input, options)
  }

  async update(input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.#put('update', input, options)
  }

  async remove(ids: string | readonly string[], options: { readonly signal?: AbortSignal } = {}) {
    checkCall('remove', options)
    return this.#call('remove', [ids], options)
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<RetrieveResult> {
    const { signal, ...wire } = options
    const { countTokens } = this.#options
    if (countTokens === undefined) return this.#call('retrieve', [query, wire], { signal })
    const { packOnPage, rankingOnly } = await import('./page_packing.ts')
    return packOnPage(
      await this.#call('retrieve', [query, rankingOnly(wire)], { signal }),
      query,
      options,
      countTokens,
    )
  }

  async search(query: string, options: SearchOptions = {}): Promise<readonly Source[]> {
    const { signal, ...wire } = options
    return this.#call('search', [query, wire], { signal })
  }

  async resolveEntities(mentions: readonly string[]): Promise<readonly (ResolvedEntity | null)[]> {
    return this.#call('resolveEntities', [mentions])
  }

  async entityNeighbors(
    name: string,
    options: { readonly limit?: number } = {},
  ): Promise<readonly EntityNeighbor[]> {
    return this.#call('entityNeighbors', [name, options])
  }

  async pathBetween(
    a: string,
    b: string,
    options: { readonly k?: number } = {},
  ): Promise<readonly RouteBetween[]> {
    return this.#call('pathBetween', [a, b, options])
  }

  async getDocument(id: string): Promise<DocumentView | null> {
    return this.#call('getDocument', [id])
  }

  async listDocuments(
    options: { readonly offset?: number; readonly limit?: number } = {},
  ): Promise<DocumentListing> {
    return this.#call('listDocuments', [options])
  }

  async graphStats(): Promise<GraphStats> {
    return this.#call('graphStats', [])
  }

  async mergeNames(names: readonly string[], options: MergeNamesOptions = {}): Promise<NameMerge> {
    const { signal, ...wire } = options
    return this.#call('mergeNames', [names, wire], { signal })
  }

  async splitName(name: string): Promise<void> {
    return this.#call('splitName', [name])
  }

  async undoMerge(id: string): Promise<void> {
    return this.#call('undoMerge', [id])
  }

  async mergedNames(): Promise<readonly NameMerge[]> {
    return this.#call('mergedNames', [])
  }

  async suggestMerges(options: SuggestMergesOptions = {}): Promise<readonly MergeSuggestion[]> {
    const { signal, ...wire } = options
    return this.#call('suggestMerges', [wire], { signal })
  }

  async addRelations(
    relations: RelationsInput,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AddRelationsResult> {
    checkCall('addRelations', options)
    // an extraction holds more than its relations
    return this.#call(
      'addRelations',
      ['relations' in relations ? relations.relations : relations],
      options,
    )
  }

  async removeRelations(documentIds?: readonly string[]) {
    return this.#call('removeRelations', [documentIds])
  }

  async relations(options: RelationsOptions = {}): Promise<RelationListing> {
    return this.#call('relations', [options])
  }

  async export(options: ExportOptions = {}): Promise<Blob> {
    const { signal, ...wire } = options
    return this.#call('export', [wire], { signal })
  }

  async import(archive: ArchiveSource, options: ImportOptions = {}): Promise<AddResult> {
    const { signal, onProgress, ...wire } = options
    const source = await crossing(archive, signal)
    this.#firstAdd()
    return this.#call('import', [source, wire], { signal, onEvent: progressTo(onProgress) })
  }

  async status(): Promise<EngineStatus> {
    return this.#call('status', [])
  }

  onStatus(listener: (status: EngineStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async ready(step: ReadyStep, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    checkCall('ready', options)
    return this.#call('ready', [step], options)
  }

  async pauseEmbedding(): Promise<void> {
    return this.#call('pauseEmbedding', [])
  }

  async resumeEmbedding(): Promise<void> {
    return this.#call('resumeEmbedding', [])
  }

  async destroy(): Promise<void> {
    await this.#call('destroy', [])
    this.#closing = this.#end()
    return this.#closing
  }

  /** Lets the worker finish what it is writing, then ends it. A second call waits for the first. */
  async close(): Promise<void> {
    this.#closing ??= this.#finish()
    return this.#closing
  }

  async #finish(): Promise<void> {
    const connection = this.#connection
    try {
      if (connection !== null) await connection.call('close', [])
    } finally {
      await this.#end()
    }
  }

  async #end(): Promise<void> {
    const closed = closedError(this.corpus)
    this.#disconnect(closed)
    this.#supervisor?.close(closed)
    this.#listeners.clear()
    this.#options.onDeath?.()
    return Promise.resolve()
  }

  async #put(method: 'add' | 'update', input: AddInput, options: AddOptions): Promise<AddResult> {
    const { signal, onProgress, ...wire } = options
    this.#firstAdd()
    // One connection for both steps: a stage in a worker that died is gone, and the caller must
    // hear of it.
    const connection = await this.#connected()
    const key = ++this.#stages
    await stageInput(connection, key, input, signal)
    return connection.call(method, [key, wire], { signal, onEvent: progressTo(onProgress) })
  }

  async #call<M extends MethodOf<EngineService>>(
    method: M,
    args: ArgumentsOf<EngineService, M>,
    options: CallOptions = {},
  ): Promise<ResultOf<EngineService, M>> {
    return (await this.#connected()).call(method, args, options)
  }

  #connected(): Promise<Connection<EngineService>> {
    if (this.#supervisor === null)
      throw new HubmeshError(
        'bug/invariant',
        'The engine client was used before it was open. This is a fault of hubmesh; please report it.',
      )
    return this.#supervisor.get()
  }

  #firstAdd(): void {
    if (this.#added) return
    this.#added = true
    this.#options.onFirstAdd?.()
  }

  async #connect(live: LiveWorker): Promise<Connection<EngineService>> {
    const connection = new Connection<EngineService>(
      live.worker,
      ENGINE_METHODS,
      (event) => {
        this.#onEvent(event)
      },
      (error) => {
        live.terminate(error)
      },
    )
    this.#connection = connection
    this.#stopHeartbeat = startHeartbeat({
      ping: () => connection.call('ping', []),
      busy: () => connection.pending > 0,
      onSilence: (silentMs) => {
        live.terminate(silent(silentMs))
      },
    })
    await this.#options.open(
      connection,
      this.#supervisor === null ? this.#options.signal : undefined,
    )
    return connection
  }

  #onEvent(event: PortEvent): void {
    if (event.kind === 'status') for (const listener of [...this.#listeners]) listener(event.status)
    this.#options.onEvent?.(event)
  }

  #onDeath(error: HubmeshError, final: boolean): void {
    this.#disconnect(error)
    if (final && !this.#options.durable) this.#supervisor?.close(lostWithWorker(this.corpus, error))
    this.#options.onDeath?.()
  }

  #disconnect(error: HubmeshError): void {
    this.#stopHeartbeat()
    this.#connection?.fail(error)
    this.#connection = null
  }
}

/**
 * What crosses the port without a copy on the page's thread: a Blob, or an absolute address. A
 * stream is read into a Blob, since not every browser can hand one over.
 */
async function crossing(
  archive: ArchiveSource,
  signal: AbortSignal | undefined,
): Promise<Blob | string> {
  if (archive instanceof Uint8Array) return new Blob([archive as Uint8Array<ArrayBuffer>])
  if (archive instanceof Blob) return archive
  const address = addressOf(archive, document.baseURI)
  return address === null ? streamBlob(archive, signal) : address.href
}

function progressTo(onProgress: AddOptions['onProgress']): CallOptions['onEvent'] {
  return onProgress === undefined
    ? undefined
    : (event) => {
        if (event.kind === 'progress') onProgress(event.progress)
      }
}
