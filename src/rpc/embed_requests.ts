/**
 * The engine worker's half of embedding: asks the page for workers and is told of their end. The
 * other half is embed_workers.ts.
 */
import { onAbort } from '../base/signals.ts'
import type { Endpoint } from 'comlink'
import { abortedError, throwIfAborted } from '../base/errors.ts'
import type { HubmeshError } from '../base/errors.ts'
import type { PortEvent, WireError } from '../port/protocol.ts'
import { fromWireError } from '../port/wire_error.ts'

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

export class EmbedWorkerRequests {
  private readonly emit: (event: PortEvent) => void
  private readonly slots = new Map<number, Slot>()
  private next = 0

  constructor(emit: (event: PortEvent) => void) {
    this.emit = emit
  }

  /**
   * Asks the page for an embedding worker. Rejects with `worker/start-failed`, `worker/timeout` or
   * `aborted`.
   */
  async spawn(signal?: AbortSignal): Promise<RemoteEmbedWorker> {
    throwIfAborted(signal)
    const slot = ++this.next
    const unlisten = onAbort(signal, () => {
      this.slots.get(slot)?.reject(abortedError(signal))
      this.done(slot)
    })
    try {
      return await new Promise<RemoteEmbedWorker>((resolve, reject) => {
        this.slots.set(slot, { resolve, reject, listeners: [], death: null })
        this.emit({ kind: 'embed-wanted', slot })
      })
    } finally {
      unlisten()
    }
  }

  spawned(slot: number, port: MessagePort): void {
    const held = this.slots.get(slot)
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
        this.done(slot)
      },
    })
  }

  failed(slot: number, error: WireError): void {
    this.slots.get(slot)?.reject(fromWireError(error))
    this.slots.delete(slot)
  }

  died(slot: number, wire: WireError): void {
    const held = this.slots.get(slot)
    if (held === undefined) return
    this.slots.delete(slot)
    held.death = fromWireError(wire)
    held.reject(held.death)
    for (const listener of held.listeners) listener(held.death)
    held.listeners = []
  }

  private done(slot: number): void {
    if (this.slots.delete(slot)) this.emit({ kind: 'embed-done', slot })
  }
}
