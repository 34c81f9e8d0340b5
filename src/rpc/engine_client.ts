/**
 * The engine as a page holds it: every call goes to the engine worker, which is restarted when it
 * dies. Never answers from a corpus that was lost with its worker.
 */
import { HubmeshError, invariant } from '../base/errors.ts'
import { functionOption } from '../base/options.ts'
import { Subscribable } from '../base/subscribable.ts'
import { addressOf, streamBlob } from '../archive/open_archive.ts'
import { addStream, isStream } from '../engine/adding/add_stream.ts'
import { CALL_NAMES, checkCall, specOf, type EngineCall } from '../engine/calls.ts'
import { retrieveStream } from '../engine/retrieve_stream.ts'
import type {
  AddInput,
  AddOptions,
  AddResult,
  AddStream,
  ArchiveSource,
  Engine,
  EngineStatus,
  RetrieveOptions,
  TokenCounter,
} from '../types.ts'
import { Connection } from '../port/connection.ts'
import type { CallOptions } from '../port/connection.ts'
import { startHeartbeat } from '../port/heartbeat.ts'
import type { PortEvent } from '../port/protocol.ts'
import { closedError, lostWithWorker, silent } from './client_errors.ts'
import { ENGINE_METHODS, type EngineService } from './protocol.ts'
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

type AnyOptions = Pick<AddOptions, 'signal' | 'onProgress'>

/**
 * Starts the worker and opens the corpus in it. Rejects with `worker/*`, `store/*`, `input/invalid`
 * or `aborted`.
 */
export async function openEngineClient(options: EngineClientOptions): Promise<Engine> {
  return (await EngineClient.open(options)).engine()
}

class EngineClient {
  private readonly statuses = new Subscribable<[EngineStatus]>()
  private supervisor: Supervisor<Connection<EngineService>> | null = null
  private connection: Connection<EngineService> | null = null
  private stopHeartbeat: () => void = () => undefined
  private stages = 0
  private added = false
  private closing: Promise<void> | null = null

  private constructor(private readonly options: EngineClientOptions) {}

  static async open(options: EngineClientOptions): Promise<EngineClient> {
    const client = new EngineClient(options)
    try {
      client.supervisor = await Supervisor.start<Connection<EngineService>>(
        {
          role: 'engine',
          factory: options.factory,
          restart: options.durable,
          connect: (live) => client.connect(live),
          onDeath: (error, final) => {
            client.onDeath(error, final)
          },
        },
        options.signal,
      )
    } catch (thrown) {
      client.disconnect(closedError(options.corpus))
      options.onDeath?.()
      throw thrown
    }
    return client
  }

  /** All calls of the table forwarded; those with a part on the page are replaced. */
  engine(): Engine {
    const forwarded = Object.fromEntries(
      CALL_NAMES.map((call) => [
        call,
        async (...given: readonly unknown[]) => this.forward(call, given),
      ]),
    ) as unknown as { readonly [C in EngineCall]: Engine[C] }
    const engine: Engine = {
      ...forwarded,
      corpus: this.options.corpus,
      add: async (input, options = {}) => this.put('add', input, options),
      update: async (input, options = {}) => this.put('update', input, options),
      retrieve: async (query, options = {}) => {
        const { countTokens } = this.options
        if (countTokens === undefined) return forwarded.retrieve(query, options)
        const { packOnPage, rankingOnly } = await import('./page_packing.ts')
        const ranked = await forwarded.retrieve(query, rankingOnly<RetrieveOptions>(options))
        return packOnPage(ranked, query, options, countTokens)
      },
      retrieveStream: (query, options) => retrieveStream(engine, query, options),
      // an extraction holds more than its relations
      addRelations: async (given, options) =>
        forwarded.addRelations('relations' in given ? given.relations : given, options),
      import: async (archive, options = {}) => {
        const source = await crossing(archive, options.signal)
        this.firstAdd()
        return forwarded.import(source, options)
      },
      sync: async (source, options = {}) => {
        this.firstAdd()
        return forwarded.sync(Array.isArray(source) ? [...source] : source, options)
      },
      onStatus: (listener) => {
        functionOption('listener', listener)
        return this.statuses.subscribe(listener)
      },
      destroy: async () => {
        await forwarded.destroy()
        this.closing = this.end()
        return this.closing
      },
      close: async () => {
        this.closing ??= this.finish()
        return this.closing
      },
    }
    return engine
  }

  /** Lets the worker finish what it is writing, then ends it. */
  private async finish(): Promise<void> {
    try {
      await this.connection?.call('close', [])
    } finally {
      await this.end()
    }
  }

  private end(): Promise<void> {
    const closed = closedError(this.options.corpus)
    this.disconnect(closed)
    this.supervisor?.close(closed)
    this.statuses.clear()
    this.options.onDeath?.()
    return Promise.resolve()
  }

  private async forward(call: EngineCall, given: readonly unknown[]): Promise<unknown> {
    const { args } = specOf(call)
    return this.send(
      await this.connected(),
      call,
      Array.from({ length: args }, (_, i) => given[i]),
      given[args] ?? {},
    )
  }

  private send<C extends EngineCall>(
    connection: Connection<EngineService>,
    call: C,
    args: readonly unknown[],
    options: unknown,
  ): Promise<Awaited<ReturnType<Engine[C]>>> {
    checkCall(call, options)
    const { signal, onProgress, ...wire } = options as AnyOptions
    const callOptions: CallOptions = {
      signal,
      onEvent:
        onProgress &&
        ((event) => {
          if (event.kind === 'progress') onProgress(event.progress)
        }),
    }
    return connection.call<EngineCall>(call, [args, wire], callOptions) as Promise<
      Awaited<ReturnType<Engine[C]>>
    >
  }

  private put(
    call: 'add' | 'update',
    input: AddInput | AddStream,
    options: AddOptions,
  ): Promise<AddResult> {
    checkCall(call, options)
    this.firstAdd()
    return isStream(input)
      ? addStream(input, options, (items, more) => this.putList(call, items, more))
      : this.putList(call, input, options)
  }

  private async putList(
    call: 'add' | 'update',
    input: AddInput,
    options: AddOptions,
  ): Promise<AddResult> {
    // One connection for both steps: a stage in a worker that died is gone, and the caller must
    // hear of it.
    const connection = await this.connected()
    const key = ++this.stages
    await stageInput(connection, key, input, options.signal)
    return this.send(connection, call, [key], options)
  }

  private async connected(): Promise<Connection<EngineService>> {
    invariant(this.supervisor, 'The engine client was used before it was open.')
    return this.supervisor.get()
  }

  private firstAdd(): void {
    if (this.added) return
    this.added = true
    this.options.onFirstAdd?.()
  }

  private async connect(live: LiveWorker): Promise<Connection<EngineService>> {
    const connection = new Connection<EngineService>(
      live.worker,
      ENGINE_METHODS,
      (event) => {
        this.onEvent(event)
      },
      (error) => {
        live.terminate(error)
      },
    )
    this.connection = connection
    this.stopHeartbeat = startHeartbeat({
      ping: () => connection.call('ping', []),
      busy: () => connection.pending > 0,
      onSilence: (silentMs) => {
        live.terminate(silent(silentMs))
      },
    })
    await this.options.open(connection, this.supervisor === null ? this.options.signal : undefined)
    return connection
  }

  private onEvent(event: PortEvent): void {
    if (event.kind === 'status') this.statuses.emit(event.status)
    this.options.onEvent?.(event)
  }

  private onDeath(error: HubmeshError, final: boolean): void {
    this.disconnect(error)
    if (final && !this.options.durable)
      this.supervisor?.close(lostWithWorker(this.options.corpus, error))
    this.options.onDeath?.()
  }

  private disconnect(error: HubmeshError): void {
    this.stopHeartbeat()
    this.connection?.fail(error)
    this.connection = null
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
