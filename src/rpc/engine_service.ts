/** The answering side of the engine worker: opens one engine and hands calls to it. */
import type { Endpoint } from 'comlink'
import type { PageConditions } from '../embed/pace.ts'
import { EmbedderPool } from '../embed/pool.ts'
import type { Embedder } from '../embed/embedder.ts'
import { CALL_NAMES, specOf, type EngineCall } from '../engine/calls.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { invariant } from '../base/errors.ts'
import type { Engine, Progress } from '../types.ts'
import { EmbedWorkerRequests } from './embed_requests.ts'
import { PageEmbedder } from './page_embedder.ts'
import type { PortEvent } from '../port/protocol.ts'
import { ENGINE_METHODS } from './protocol.ts'
import type { EngineService, PortCalls, WireCalls, WireEmbedder } from './protocol.ts'
import { serve } from '../port/serve.ts'
import type { CallContext, Handlers } from '../port/serve.ts'
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
    invariant(engine, 'The engine worker was called before its corpus was open.')
    return engine
  }
  const control: Handlers<PortCalls> = {
    ping: () => undefined,
    async open({ signal, report }, options) {
      invariant(!opening, 'The engine worker was told to open twice.')
      opening = true
      const embedder = embedderOf(options.embedder, requests, report)
      engine = await open({ ...options, embedder, signal })
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
    conditions: (_context, { hidden, savingPower }) => {
      opened().setConditions?.({ hidden: hidden === true, savingPower: savingPower === true })
    },
    close: () => opened().close(),
  }
  const server = serve<EngineService>(endpoint, ENGINE_METHODS, {
    ...control,
    ...forwardedTo(opened, stage),
  })
}

/** Handlers of all calls of the engine, from the table. */
function forwardedTo(opened: () => Engine, stage: Stage): Handlers<WireCalls> {
  const forward =
    (call: EngineCall) =>
    ({ signal, report }: CallContext, args: readonly unknown[], options: object): unknown => {
      const { args: count, options: known } = specOf(call)
      const given = Array.from({ length: count }, (_, i) => args[i])
      if (call === 'add' || call === 'update') given[0] = stage.take(args[0] as number)
      if (known !== null)
        given.push({
          ...options,
          ...('signal' in known ? { signal } : {}),
          ...('onProgress' in known
            ? {
                onProgress: (progress: Progress) => {
                  report({ kind: 'progress', progress })
                },
              }
            : {}),
        })
      const engine = opened()
      return (engine[call] as (...all: unknown[]) => unknown).apply(engine, given)
    }
  return Object.fromEntries(
    CALL_NAMES.map((call) => [call, forward(call)]),
  ) as unknown as Handlers<WireCalls>
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
