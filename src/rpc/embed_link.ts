/**
 * Owns the way between the engine worker, which embeds, and the page, which alone can make workers: the engine asks for an
 * embedding worker, the page makes one and joins both by a channel, and tells when it died. Refuses: texts or vectors on the page's thread.
 */
import { transfer } from 'comlink'
import type { Endpoint } from 'comlink'
import { abortedError, HubmeshError, throwIfAborted } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { EngineService, PortEvent, PortMessage, WireError } from './protocol.ts'
import { spawnWorker } from './spawn.ts'
import type { LiveWorker, WorkerFactory } from './spawn.ts'
import { fromWireError, toWireError } from './wire_error.ts'

/** The page's half: one for each engine. */
export class EmbedWorkers {
  readonly #factory: WorkerFactory | undefined
  readonly #live = new Map<number, LiveWorker>()
  readonly #wanted = new Set<number>()

  constructor(factory: WorkerFactory | undefined) {
    this.#factory = factory
  }

  /** Answers the events of the engine worker that concern embedding workers; others are left alone. */
  onEvent(event: PortEvent, connection: Connection<EngineService>): void {
    if (event.kind === 'embed-wanted') void this.#spawn(event.slot, connection)
    if (event.kind === 'embed-done') this.#end(event.slot)
  }

  /** Ends all: the engine worker that used them is gone. */
  clear(): void {
    this.#wanted.clear()
    for (const slot of [...this.#live.keys()]) this.#end(slot)
  }

  async #spawn(slot: number, connection: Connection<EngineService>): Promise<void> {
    this.#wanted.add(slot)
    // The engine worker may die while these are under way; then nobody waits for the word.
    const tell = (method: 'embedFailed' | 'embedDied', error: unknown): void => {
      connection.call(method, [slot, toWireError(error)]).catch(() => undefined)
    }
    try {
      const live = await spawnWorker('embed', { factory: this.#factory })
      if (!this.#wanted.has(slot)) {
        live.terminate()
        return
      }
      this.#live.set(slot, live)
      live.onDeath((error) => {
        this.#live.delete(slot)
        tell('embedDied', error)
      })
      const { port1, port2 } = new MessageChannel()
      const message: PortMessage = { hubmesh: 'port', port: port1 }
      live.worker.postMessage(message, [port1])
      await connection.call('embedSpawned', [slot, transfer({ port: port2 }, [port2])])
    } catch (thrown) {
      this.#end(slot)
      tell('embedFailed', thrown)
    }
  }

  #end(slot: number): void {
    this.#wanted.delete(slot)
    this.#live.get(slot)?.terminate()
    this.#live.delete(slot)
  }
}

/** An embedding worker as the engine worker sees it; the shape that the pool of src/embed takes. */
export interface RemoteEmbedWorker {
  readonly worker: Endpoint
  onDeath(listener: (error: HubmeshError) => void): void
  terminate(): void
}

interface Slot {
  readonly resolve: (worker: RemoteEmbedWorker) => void
  readonly reject: (error: HubmeshError) => void
  listeners: ((error: HubmeshError) => void)[]
  death: HubmeshError | null
}

/** The engine worker's half. */
export class EmbedWorkerRequests {
  readonly #emit: (event: PortEvent) => void
  readonly #slots = new Map<number, Slot>()
  #next = 0

  constructor(emit: (event: PortEvent) => void) {
    this.#emit = emit
  }

  /** Asks the page for an embedding worker. Rejects with `worker/start-failed`, `worker/timeout` or `aborted`. */
  async spawn(signal?: AbortSignal): Promise<RemoteEmbedWorker> {
    throwIfAborted(signal)
    const slot = ++this.#next
    const onAbort = (): void => {
      this.#slots.get(slot)?.reject(abortedError(signal))
      this.#done(slot)
    }
    signal?.addEventListener('abort', onAbort)
    try {
      return await new Promise<RemoteEmbedWorker>((resolve, reject) => {
        this.#slots.set(slot, { resolve, reject, listeners: [], death: null })
        this.#emit({ kind: 'embed-wanted', slot })
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  spawned(slot: number, port: MessagePort): void {
    const held = this.#slots.get(slot)
    if (held === undefined) {
      port.close()
      return
    }
    port.start()
    held.resolve({
      worker: port,
      onDeath: (listener) => {
        if (held.death === null) held.listeners.push(listener)
        else listener(held.death)
      },
      terminate: () => {
        held.listeners = []
        port.close()
        this.#done(slot)
      },
    })
  }

  failed(slot: number, error: WireError): void {
    this.#slots.get(slot)?.reject(fromWireError(error))
    this.#slots.delete(slot)
  }

  died(slot: number, wire: WireError): void {
    const held = this.#slots.get(slot)
    if (held === undefined) return
    this.#slots.delete(slot)
    held.death = fromWireError(wire)
    held.reject(held.death)
    for (const listener of held.listeners) listener(held.death)
    held.listeners = []
  }

  #done(slot: number): void {
    if (this.#slots.delete(slot)) this.#emit({ kind: 'embed-done', slot })
  }
}
