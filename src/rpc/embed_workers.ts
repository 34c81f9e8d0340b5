/**
 * The page's half of embedding: only a page can make workers. It joins each with the engine worker
 * by a channel and reports its death; texts and vectors never cross the page's thread. The other
 * half is embed_requests.ts.
 */
import { transfer } from 'comlink'
import type { Connection } from '../port/connection.ts'
import type { PortEvent, PortMessage } from '../port/protocol.ts'
import type { EngineService } from './protocol.ts'
import { spawnWorker } from '../port/spawn.ts'
import type { LiveWorker, WorkerFactory } from '../port/spawn.ts'
import { toWireError } from '../port/wire_error.ts'

/** One for each engine. */
export class EmbedWorkers {
  private readonly factory: WorkerFactory | undefined
  private readonly live = new Map<number, LiveWorker>()
  private readonly wanted = new Set<number>()

  constructor(factory: WorkerFactory | undefined) {
    this.factory = factory
  }

  /**
   * Answers the events of the engine worker that concern embedding workers; others are left alone.
   */
  onEvent(event: PortEvent, connection: Connection<EngineService>): void {
    if (event.kind === 'embed-wanted') void this.spawn(event.slot, connection)
    if (event.kind === 'embed-done') this.end(event.slot)
  }

  /** Ends all: the engine worker that used them is gone. */
  clear(): void {
    this.wanted.clear()
    for (const slot of [...this.live.keys()]) this.end(slot)
  }

  private async spawn(slot: number, connection: Connection<EngineService>): Promise<void> {
    this.wanted.add(slot)
    // The engine worker may die while these are under way; then no one awaits the reply.
    const tell = (method: 'embedFailed' | 'embedDied', error: unknown): void => {
      connection.call(method, [slot, toWireError(error)]).catch(() => undefined)
    }
    try {
      const live = await spawnWorker('embed', { factory: this.factory })
      if (!this.wanted.has(slot)) {
        live.terminate()
        return
      }
      this.live.set(slot, live)
      live.onDeath((error) => {
        this.live.delete(slot)
        tell('embedDied', error)
      })
      const { port1, port2 } = new MessageChannel()
      const message: PortMessage = { hubmesh: 'port', port: port1 }
      live.worker.postMessage(message, [port1])
      await connection.call('embedSpawned', [slot, transfer({ port: port2 }, [port2])])
    } catch (thrown) {
      this.end(slot)
      tell('embedFailed', thrown)
    }
  }

  private end(slot: number): void {
    this.wanted.delete(slot)
    this.live.get(slot)?.terminate()
    this.live.delete(slot)
  }
}
