/**
 * Workers for embedding and for reading files: only a page makes workers. It joins each with the
 * engine worker by a channel and reports its death; files, texts and vectors never cross the page's
 * thread. The other half is worker_requests.ts.
 */
import { transfer } from 'comlink'
import { HubmeshError } from '../base/errors.ts'
import type { Connection } from '../port/connection.ts'
import type { HelperRole, PortEvent, PortMessage, WorkerRole } from '../port/protocol.ts'
import type { EngineService } from './protocol.ts'
import { spawnWorker } from '../port/spawn.ts'
import type { LiveWorker, WorkerFactory } from '../port/spawn.ts'
import { toWireError } from '../port/wire_error.ts'

/** One for each engine. */
export class PageWorkers {
  private readonly live = new Map<number, LiveWorker>()
  private readonly wanted = new Set<number>()

  constructor(private readonly factories: { readonly [R in WorkerRole]?: WorkerFactory }) {}

  /**
   * Answers the events of the engine worker that ask for workers; others are left alone.
   */
  onEvent(event: PortEvent, connection: Connection<EngineService>): void {
    if (event.kind === 'worker-wanted') void this.spawn(event, connection)
    if (event.kind === 'worker-done') this.end(event.slot)
  }

  /** Ends all: the engine worker that used them is gone. */
  clear(): void {
    this.wanted.clear()
    for (const slot of [...this.live.keys()]) this.end(slot)
  }

  private async spawn(
    { slot, role }: { readonly slot: number; readonly role: HelperRole },
    connection: Connection<EngineService>,
  ): Promise<void> {
    this.wanted.add(slot)
    // The engine worker may die while these are under way; then no one awaits the reply.
    const tell = (method: 'workerFailed' | 'workerDied', error: unknown): void => {
      connection.call(method, [slot, toWireError(error)]).catch(() => undefined)
    }
    try {
      if (role === 'read' && this.factories.engine && !this.factories.read) throw withoutReading()
      const live = await spawnWorker(role, { factory: this.factories[role] })
      if (!this.wanted.has(slot)) {
        live.terminate()
        return
      }
      this.live.set(slot, live)
      live.onDeath((error) => {
        this.live.delete(slot)
        tell('workerDied', error)
      })
      const { port1, port2 } = new MessageChannel()
      const message: PortMessage = { hubmesh: 'port', port: port1 }
      live.worker.postMessage(message, [port1])
      await connection.call('workerSpawned', [slot, transfer({ port: port2 }, [port2])])
    } catch (thrown) {
      this.end(slot)
      tell('workerFailed', thrown)
    }
  }

  private end(slot: number): void {
    this.wanted.delete(slot)
    this.live.get(slot)?.terminate()
    this.live.delete(slot)
  }
}

/** A page that makes its own workers cannot load the package's: its policy would report it. */
function withoutReading(): HubmeshError {
  return new HubmeshError(
    'worker/start-failed',
    'The page makes its own workers and none that reads; pass `workers.read`, too.',
    { details: { role: 'read' } },
  )
}
