/**
 * Owns the answering side of the engine worker: it opens one engine, hands calls to it, and builds
 * the embedder that the page described. Refuses: calls before `open`, a second `open`, and any
 * behaviour of its own.
 */
import type { Endpoint } from 'comlink'
import type { PageConditions } from '../embed/pace.ts'
import { EmbedderPool } from '../embed/pool.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { HubmeshError } from '../base/errors.ts'
import type { AddInput, AddOptions, Engine } from '../types.ts'
import { EmbedWorkerRequests } from './embed_requests.ts'
import { ENGINE_METHODS } from './methods.ts'
import { PageEmbedder } from './page_embedder.ts'
import type { PortEvent } from '../port/protocol.ts'
import type { EngineService, WireEmbedder } from './protocol.ts'
import { serve } from '../port/serve.ts'
import type { CallContext } from '../port/serve.ts'
import { Stage } from './staging.ts'

/** Opens the engine; `LocalEngine.open` in the worker, a double in tests. */
export type EngineOpener = (options: EngineOptions) => Promise<ServedEngine>

/** The engine, and where the page's word of its own state goes. */
export type ServedEngine = Engine & { setConditions?(conditions: PageConditions): void }

/** Serves one engine on `endpoint`. */
export function serveEngine(endpoint: Endpoint, open: EngineOpener): void {
  const stage = new Stage()
  const requests = new EmbedWorkerRequests((event) => {
    server.emit(event)
  })
  let opening = false
  let engine: ServedEngine | null = null

  const opened = (): ServedEngine => {
    if (engine === null)
      throw new HubmeshError(
        'bug/invariant',
        'The engine worker was called before its corpus was open. This is a fault of hubmesh; please report it.',
      )
    return engine
  }
  const server = serve<EngineService>(endpoint, ENGINE_METHODS, {
    ping: () => undefined,
    async open({ signal, report }, options) {
      if (opening)
        throw new HubmeshError(
          'bug/invariant',
          'The engine worker was told to open twice. This is a fault of hubmesh; please report it.',
        )
      opening = true
      const { embedder, ...rest } = options
      engine = await open({ ...rest, embedder: embedderOf(embedder, requests, report), signal })
      engine.onStatus((status) => {
        server.emit({ kind: 'status', status })
      })
    },
    embedSpawned: (_context, slot, { port }) => {
      requests.spawned(slot, port)
    },
    embedFailed: (_context, slot, error) => {
      requests.failed(slot, error)
    },
    embedDied: (_context, slot, error) => {
      requests.died(slot, error)
    },
    stage: (_context, key, items) => {
      stage.push(key, items)
    },
    unstage: (_context, key) => {
      stage.drop(key)
    },
    add: (context, key, options) =>
      opened().add(stage.take(key) as AddInput, addOptions(context, options)),
    update: (context, key, options) =>
      opened().update(stage.take(key) as AddInput, addOptions(context, options)),
    remove: ({ signal }, ids) => opened().remove(ids, { signal }),
    retrieve: ({ signal }, query, options) => opened().retrieve(query, { ...options, signal }),
    search: ({ signal }, query, options) => opened().search(query, { ...options, signal }),
    resolveEntities: (_context, mentions) => opened().resolveEntities(mentions),
    entityNeighbors: (_context, name, options) => opened().entityNeighbors(name, options),
    pathBetween: (_context, a, b, options) => opened().pathBetween(a, b, options),
    getDocument: (_context, id) => opened().getDocument(id),
    listDocuments: (_context, options) => opened().listDocuments(options),
    graphStats: () => opened().graphStats(),
    mergeNames: ({ signal }, names, options) => opened().mergeNames(names, { ...options, signal }),
    splitName: (_context, name) => opened().splitName(name),
    undoMerge: (_context, id) => opened().undoMerge(id),
    mergedNames: () => opened().mergedNames(),
    suggestMerges: ({ signal }, options) => opened().suggestMerges({ ...options, signal }),
    addRelations: ({ signal }, relations) => opened().addRelations(relations, { signal }),
    removeRelations: (_context, documentIds) => opened().removeRelations(documentIds),
    relations: (_context, options) => opened().relations(options),
    export: ({ signal }, options) => opened().export({ ...options, signal }),
    import: (context, archive, { crossOrigin, ...options }) =>
      opened().import(archive, {
        ...addOptions(context, options),
        ...(crossOrigin === undefined ? {} : { crossOrigin }),
      }),
    status: () => opened().status(),
    ready: ({ signal }, step) => opened().ready(step, { signal }),
    pauseEmbedding: () => opened().pauseEmbedding(),
    resumeEmbedding: () => opened().resumeEmbedding(),
    conditions: (_context, { hidden, savingPower }) => {
      opened().setConditions?.({ hidden: hidden === true, savingPower: savingPower === true })
    },
    destroy: () => opened().destroy(),
    close: () => opened().close(),
  })
}

function addOptions(
  { signal, report }: CallContext,
  options: Omit<AddOptions, 'signal' | 'onProgress'>,
): AddOptions {
  return {
    ...options,
    signal,
    onProgress: (progress) => {
      report({ kind: 'progress', progress })
    },
  }
}

function embedderOf(
  wire: WireEmbedder | null,
  requests: EmbedWorkerRequests,
  report: (event: PortEvent) => void,
): Embedder | null {
  if (wire === null) return null
  if (wire.kind === 'page') return new PageEmbedder(wire.identity, wire.port)
  return new EmbedderPool({
    load: wire.load,
    size: wire.workers,
    spawn: (signal) => requests.spawn(signal),
    onDownload: ({ loadedBytes, totalBytes }) => {
      report({ kind: 'download', loadedBytes, totalBytes })
    },
  })
}
