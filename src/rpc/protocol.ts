/** The engine worker's service: the calls of the engine and those of the port itself. */
import { CALL_NAMES, ENGINE_CALLS, type EngineCall } from '../engine/calls.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import type { PageConditions } from '../embed/pace.ts'
import type { EmbedWorkerOptions } from '../embed/worker_protocol.ts'
import type { CallKind, MethodTable, WireError } from '../port/protocol.ts'
import type { EmbedderIdentity, Engine } from '../types.ts'

/** Where vectors come from, as the page describes it to the engine worker. */
export type WireEmbedder =
  | { readonly kind: 'model'; readonly load: EmbedWorkerOptions; readonly workers: number }
  /** An Embedder of the page, which answers on `port`. */
  | { readonly kind: 'page'; readonly identity: EmbedderIdentity; readonly port: MessagePort }

export type WireOpenOptions = Omit<EngineOptions, 'embedder' | 'signal'> & {
  readonly embedder: WireEmbedder | null
}

/**
 * A call of the engine as it crosses: arguments before the options, then the options without
 * `signal` and `onProgress`. `add` and `update` name a stage in place of their input; `import` takes
 * a Blob or an absolute address.
 */
export type WireCalls = {
  readonly [C in EngineCall]: (
    args: readonly unknown[],
    options: object,
  ) => Awaited<ReturnType<Engine[C]>>
}

export interface PortCalls {
  ping(): void
  /** Opens the corpus; once per worker, before everything else but ping. */
  open(options: WireOpenOptions): void
  /** The page's answers to `embed-wanted`, and its word of a later death. */
  embedSpawned(slot: number, joined: { readonly port: MessagePort }): void
  embedFailed(slot: number, error: WireError): void
  embedDied(slot: number, error: WireError): void
  /** Holds a slice of an `add` under the caller's key: no message is large enough to stall a page. */
  stage(key: number, items: readonly unknown[]): void
  unstage(key: number): void
  /** State of the page, whenever it changes. */
  conditions(conditions: PageConditions): void
  close(): void
}

export type EngineService = PortCalls & WireCalls

/** The allow-list of the port. */
export const ENGINE_METHODS: MethodTable<EngineService> = Object.freeze({
  ping: 'read',
  open: 'read',
  embedSpawned: 'read',
  embedFailed: 'read',
  embedDied: 'read',
  stage: 'read',
  unstage: 'read',
  conditions: 'read',
  close: 'read',
  ...(Object.fromEntries(CALL_NAMES.map((call) => [call, ENGINE_CALLS[call].kind])) as {
    readonly [C in EngineCall]: CallKind
  }),
})
