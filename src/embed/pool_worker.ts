/** One worker of the pool: start, load, one text at a time under a deadline, end. */
import type { Endpoint } from 'comlink'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import { Connection } from '../port/connection.ts'
import type { EmbedKind } from './embedder.ts'
import { isUnitVector } from './pooling.ts'
import { EMBED_METHODS } from './worker_protocol.ts'
import type { EmbedService, EmbedWorkerOptions, EmbedWorkerReport } from './worker_protocol.ts'

/** A worker that listens, from `spawnWorker('embed')`. */
export interface EmbedWorkerHandle {
  readonly worker: Endpoint
  /** Called once when the worker ended by itself. */
  onDeath(listener: (error: HubmeshError) => void): void
  terminate(): void
}

export interface DownloadProgress {
  readonly loadedBytes: number
  readonly totalBytes: number
}

export class PoolWorker {
  private readonly connection: Connection<EmbedService>

  private deadline: ReturnType<typeof setTimeout> | null = null
  report: EmbedWorkerReport = { threads: 1, notices: [] }
  /** Why the worker is of no use any more. */
  death: HubmeshError | null = null
  /** Texts embedded so far. */
  texts = 0
  /** Called when the worker ends by itself, also while it is idle. */
  onDeath: (error: HubmeshError) => void = () => undefined

  private constructor(
    private readonly handle: EmbedWorkerHandle,
    private readonly dims: number,
  ) {
    this.connection = new Connection<EmbedService>(handle.worker, EMBED_METHODS)
    handle.onDeath((error) => {
      this.die(error)
    })
  }

  /** Loads the model into a fresh worker; ends the worker when that fails. */
  static async start(
    handle: EmbedWorkerHandle,
    load: EmbedWorkerOptions,
    signal: AbortSignal,
    onDownload: (progress: DownloadProgress) => void,
  ): Promise<PoolWorker> {
    const worker = new PoolWorker(handle, load.manifest.identity.dims)
    try {
      worker.report = await worker.connection.call('load', [load], {
        signal,
        onEvent: (event) => {
          if (event.kind === 'download') onDownload(event)
        },
      })
      return worker
    } catch (error) {
      worker.terminate()
      throw error
    }
  }

  /** One text; the worker counts as hung after `deadlineMs`. See `death` for whether it is gone. */
  async embed(text: string, kind: EmbedKind, deadlineMs: number): Promise<Float32Array> {
    this.hurry(deadlineMs)
    try {
      const vector = await this.connection.call('embed', [text, kind])
      this.texts++
      if (isUnitVector(vector, this.dims)) return vector
      throw new HubmeshError(
        'model/incompatible',
        'The embedding worker answered with something that is not a unit vector of ' +
          `${this.dims} dimensions. The text keeps no vector.`,
        { details: { scope: 'text' } },
      )
    } catch (error) {
      if (isHubmeshError(error) && error.code === 'model/memory') this.die(error)
      throw error
    } finally {
      if (this.deadline !== null) clearTimeout(this.deadline)
      this.deadline = null
    }
  }

  /** Restarts the running text's deadline. */
  hurry(deadlineMs: number): void {
    if (this.deadline !== null) clearTimeout(this.deadline)
    this.deadline = setTimeout(() => {
      this.die(
        new HubmeshError(
          'worker/timeout',
          `An embedding worker did not answer within ${deadlineMs} ms and is replaced.`,
          { details: { deadlineMs }, retryable: true },
        ),
      )
    }, deadlineMs)
  }

  terminate(): void {
    this.onDeath = () => undefined
    this.die(new HubmeshError('aborted', 'The embedding worker was ended by its owner.'))
  }

  private die(error: HubmeshError): void {
    if (this.death !== null) return
    this.death = error
    if (this.deadline !== null) clearTimeout(this.deadline)
    this.handle.terminate()
    this.connection.fail(error)
    this.onDeath(error)
  }
}

export function asWorkerError(thrown: unknown): HubmeshError {
  return isHubmeshError(thrown)
    ? thrown
    : new HubmeshError(
        'worker/crashed',
        'An embedding worker failed in a way nobody foresaw. This is a fault of hubmesh; ' +
          'please report it with its cause.',
        { cause: thrown },
      )
}
