/**
 * Makes an engine in a page: checks the options, starts the engine worker, joins it with what stays
 * on the page.
 */
import { transfer } from 'comlink'
import type { Embedder } from '../embed/embedder.ts'
import { checkManifest, manifestFor } from '../embed/manifests.ts'
import type { ModelManifest } from '../embed/manifests.ts'
import { watchPage } from '../embed/page_conditions.ts'
import { poolSize, threadsPerWorker } from '../embed/pool_size.ts'
import type { PlannerSettings } from '../compat/parity.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { checkOptions, functionOption, signalOption, type KnownOptions } from '../base/options.ts'
import { cores, isIsolated, memoryGiB } from '../base/platform.ts'
import type { Engine, EngineEvent, Metadata, TokenCounterChoice } from '../types.ts'
import type { Connection } from '../port/connection.ts'
import { EmbedWorkers } from './embed_workers.ts'
import { openEngineClient } from './engine_client.ts'
import { serveEmbedder } from './page_embedder.ts'
import { traced } from './traced.ts'
import type { EngineService, WireEmbedder, WireOpenOptions } from './protocol.ts'
import type { WorkerFactory } from '../port/spawn.ts'

/** Options of `createEngine` in a page. */
export interface CreateEngineOptions extends Pick<
  EngineOptions,
  'chunk' | 'index' | 'ranking' | 'encryption' | 'languages' | 'onModelChange'
> {
  /** Fields of PlannerConfig and the mode, beside `ranking: 'python'`. */
  readonly planner?: PlannerSettings
  /** Name of the corpus, 1 to 64 characters; each has its own storage. */
  readonly corpus: string
  /**
   * `indexeddb` (default) lasts; `memory` ends with the page. A page without IndexedDB is told so,
   * never moved to memory.
   */
  readonly storage?: 'indexeddb' | 'memory'
  /**
   * Where meaning comes from: the folder of a model's files (its name must be that of a known
   * model, or pass `manifest`), an Embedder of the page's own, which stays on the page, or null
   * (default) for the text tier alone.
   */
  readonly model?: string | URL | Embedder | null
  /** Sizes and hashes of the model's files; needed only for a model that hubmesh does not know. */
  readonly manifest?: ModelManifest
  /**
   * The folder of ONNX Runtime's wasm and glue; default `../../ort/` from the model's folder, where
   * `hubmesh assets` puts them.
   */
  readonly ort?: string | URL
  /** How the budget is counted; default `approx`, an upper estimate. A function stays here. */
  readonly countTokens?: TokenCounterChoice
  /**
   * How much of the machine embedding takes: `workers` of about 150 MB each, 1 to 4, by default one
   * a core where the memory allows it, of which a core is left alone while a question or an `add`
   * is under way; `throttle: false` goes on at full speed while the tab is hidden or the battery
   * low, where it otherwise takes half of one core.
   */
  readonly embedding?: { readonly workers?: number; readonly throttle?: boolean }
  /**
   * Makers of the two workers, for a page with Trusted Types or with its files on another origin.
   */
  readonly workers?: { readonly engine?: WorkerFactory; readonly embed?: WorkerFactory }
  /** Hears of every call that has ended, with its times: for logs and traces. */
  readonly onEvent?: (event: EngineEvent) => void
  /** Cancels the start. */
  readonly signal?: AbortSignal
}

const KNOWN_OPTIONS: KnownOptions<CreateEngineOptions> = {
  corpus: true,
  storage: true,
  encryption: true,
  onModelChange: true,
  model: true,
  manifest: checkManifest,
  ort: true,
  embedding: true,
  countTokens: true,
  languages: true,
  workers: true,
  signal: signalOption,
  onEvent: functionOption,
  chunk: true,
  index: true,
  ranking: true,
  planner: true,
}

/**
 * Opens a corpus, or begins it. Rejects with `input/invalid` (an option), `worker/start-failed`,
 * `worker/timeout`, `store/*` (storage missing, refused, damaged, of a newer version) or `aborted`.
 * A model that cannot be loaded does not keep the corpus from opening: `status().embedding` says
 * so, and the text tier answers.
 */
export async function createEngine<M extends object = Metadata>(
  options: CreateEngineOptions,
): Promise<Engine<M>> {
  const { storage = 'indexeddb', workers = {}, signal } = checked(options)
  const embedWorkers = new EmbedWorkers(workers.embed)
  let connected: Connection<EngineService> | null = null
  let stopWatching = (): void => undefined
  const engine = await openEngineClient({
    corpus: options.corpus,
    durable: storage !== 'memory',
    factory: workers.engine,
    signal,
    countTokens: typeof options.countTokens === 'function' ? options.countTokens : undefined,
    async open(connection, startSignal) {
      embedWorkers.clear()
      connected = connection
      const { embedder, ports } = wireEmbedder(options)
      const wire: WireOpenOptions = {
        corpus: options.corpus,
        storage,
        embedder,
        ...(options.encryption === undefined ? {} : { encryption: options.encryption }),
        ...(options.chunk === undefined ? {} : { chunk: options.chunk }),
        ...(options.index === undefined ? {} : { index: options.index }),
        ...(options.ranking === undefined ? {} : { ranking: options.ranking }),
        ...(options.onModelChange === undefined ? {} : { onModelChange: options.onModelChange }),
        ...(options.languages === undefined ? {} : { languages: options.languages }),
        ...(options.planner === undefined ? {} : { planner: options.planner }),
        ...(typeof options.countTokens === 'string' ? { countTokens: options.countTokens } : {}),
      }
      await connection.call('open', [transfer(wire, ports)], { signal: startSignal })
      stopWatching()
      if (embedder !== null && options.embedding?.throttle !== false) {
        stopWatching = watchPage((conditions) => {
          connection.call('conditions', [conditions]).catch(() => undefined)
        })
      }
    },
    onEvent: (event) => {
      if (connected !== null) embedWorkers.onEvent(event, connected)
    },
    onDeath: () => {
      stopWatching()
      embedWorkers.clear()
    },
    onFirstAdd: storage === 'indexeddb' ? askToPersist : undefined,
  })
  // the fields of the metadata are the caller's word; at run time every engine takes any
  return (options.onEvent ? traced(engine, options.onEvent) : engine) as Engine<M>
}

function checked(options: CreateEngineOptions): CreateEngineOptions {
  checkOptions<CreateEngineOptions>('createEngine()', options, KNOWN_OPTIONS)
  const { storage, planner } = options
  if (planner?.detectCommunities !== undefined)
    throw invalid(
      "planner.detectCommunities is a function, and the engine's worker cannot call the page: " +
        'leave it out, or use hubmesh/node.',
      { option: 'planner.detectCommunities' },
    )
  if (storage !== undefined && storage !== 'indexeddb' && storage !== 'memory') {
    throw invalid(
      'The option storage must be "indexeddb" or "memory" in a page; folders are for hubmesh/node.',
      { option: 'storage' },
    )
  }
  const { model } = options
  const isPlace = typeof model === 'string' || model instanceof URL
  if (
    model !== undefined &&
    model !== null &&
    !isPlace &&
    (typeof model !== 'object' ||
      typeof model.embed !== 'function' ||
      typeof model.identity !== 'object')
  ) {
    throw invalid(
      "The option model must be the address of a model's folder, an Embedder { identity, embed, close }, or null.",
      { option: 'model' },
    )
  }
  if (isPlace && options.manifest === undefined) manifestFor(model)
  const workers = options.embedding?.workers
  if (
    workers !== undefined &&
    !(Number.isInteger(workers) && workers >= 1 && workers <= LIMITS.embedWorkers)
  ) {
    throw invalid(
      `The option embedding.workers is ${String(workers).slice(0, 40)}; it must be a whole ` +
        `number from 1 to ${LIMITS.embedWorkers}.`,
      { option: 'embedding' },
    )
  }
  return options
}

function wireEmbedder({ model, manifest, ort, embedding }: CreateEngineOptions): {
  readonly embedder: WireEmbedder | null
  readonly ports: Transferable[]
} {
  if (model === undefined || model === null) return { embedder: null, ports: [] }
  if (typeof model === 'string' || model instanceof URL) {
    // The worker's own address is another one: what is relative to the page is made absolute here.
    const modelUrl = folder(new URL(model, document.baseURI))
    const runtimeUrl = folder(
      ort === undefined ? new URL('../../ort/', modelUrl) : new URL(ort, document.baseURI),
    )
    const workers = embedding?.workers ?? poolSize(cores(), memoryGiB())
    const threads = threadsPerWorker(isIsolated(), cores(), workers)
    return {
      embedder: {
        kind: 'model',
        workers,
        load: {
          manifest: manifest ?? manifestFor(model),
          modelUrl,
          runtimeUrl,
          threads,
          cache: true,
        },
      },
      ports: [],
    }
  }
  const { port1, port2 } = new MessageChannel()
  serveEmbedder(model, port1)
  return {
    embedder: { kind: 'page', identity: { ...model.identity }, port: port2 },
    ports: [port2],
  }
}

function folder(url: URL): string {
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** Only a page may ask; the answer shows in `status().storage.persisted`. */
function askToPersist(): void {
  const { navigator } = globalThis as {
    readonly navigator?: { readonly storage?: { persist?(): Promise<boolean> } }
  }
  navigator?.storage?.persist?.().catch(() => undefined)
}

function invalid(message: string, details: { readonly option?: string }): HubmeshError {
  return new HubmeshError('input/invalid', message, { details })
}
