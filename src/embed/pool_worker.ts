/**
 * Owns the life of one worker in the pool: start and load, one text at a time under a deadline, the
 * end however it comes. Refuses: deciding what happens after the end.
 */
import type { Endpoint } from 'comlink'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import { Connection } from '../port/connection.ts'
import type { EmbedKind } from './embedder.ts'
import { isUnitVector } from './pooling.ts'
import { EMBED_METHODS } from './worker_protocol.ts'
import type { EmbedService, EmbedWorkerOptions, EmbedWorkerReport } from './worker_protocol.ts'

/** A worker that is loaded and listens. `spawnWorker('embed')` of src/rpc gives one. */
export interface EmbedWorkerHandle {
  readonly worker: Endpoint
  /** Calls back once when the worker ended by itself. */
  onDeath(listener: (error: HubmeshError) => void): void
  terminate(): void
}

export interface DownloadProgress {
  readonly loadedBytes: number
  readonly totalBytes: number
}

export class PoolWorker {
  readonly #handle: EmbedWorkerHandle
  readonly #connection: Connection<EmbedService>
  readonly #dims: number
  #deadline: ReturnType<typeof setTimeout> | null = null
  #report: EmbedWorkerReport = { threads: 1, notices: [] }
  #death: HubmeshError | null = null
  #texts = 0
  #onDeath: (error: HubmeshError) => void = () => undefined

  private constructor(handle: EmbedWorkerHandle, dims: number) {
    this.#handle = handle
    this.#dims = dims
    this.#connection = new Connection<EmbedService>(handle.worker, EMBED_METHODS)
    handle.onDeath((error) => {
      this.#die(error)
    })
  }

  /** Loads the model into a fresh worker; the worker is ended when that fails. */
  static async start(
    handle: EmbedWorkerHandle,
    load: EmbedWorkerOptions,
    signal: AbortSignal,
    onDownload: (progress: DownloadProgress) => void,
  ): Promise<PoolWorker> {
    const worker = new PoolWorker(handle, load.manifest.identity.dims)
    try {
      worker.#report = await worker.#connection.call('load', [load], {
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

  get report(): EmbedWorkerReport {
    return this.#report
  }
  /** Texts embedded so far. */
  get texts(): number {
    return this.#texts
  }
  /** Why it is of no use any more. */
  get death(): HubmeshError | null {
    return this.#death
  }

  /** Told when the worker ends by itself while it has nothing to do, too. */
  set onDeath(listener: (error: HubmeshError) => void) {
    this.#onDeath = listener
  }

  /**
   * One text; the worker counts as hung after `deadlineMs`. Rejects with the code of the failure;
   * see `death` for whether the worker is gone.
   */
  async embed(text: string, kind: EmbedKind, deadlineMs: number): Promise<Float32Array> {
    this.hurry(deadlineMs)
    try {
      const vector = await this.#connection.call('embed', [text, kind])
      this.#texts++
      if (isUnitVector(vector, this.#dims)) return vector
      throw new HubmeshError(
        'model/incompatible',
        'The embedding worker answered with something that is not a unit vector of ' +
          `${this.#dims} dimensions. The text keeps no vector.`,
        { details: { scope: 'text' } },
      )
    } catch (error) {
      if (isHubmeshError(error) && error.code === 'model/memory') this.#die(error)
      throw error
    } finally {
      if (this.#deadline !== null) clearTimeout(this.#deadline)
      this.#deadline = null
    }
  }

  /** Sets the running text's deadline anew, from now. */
  hurry(deadlineMs: number): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => {
      this.#die(
        new HubmeshError(
          'worker/timeout',
          `An embedding worker did not answer within ${deadlineMs} ms and is replaced.`,
          { details: { deadlineMs }, retryable: true },
        ),
      )
    }, deadlineMs)
  }

  terminate(): void {
    this.#onDeath = () => undefined
    this.#die(new HubmeshError('aborted', 'The embedding worker was ended by its owner.'))
  }

  #die(error: HubmeshError): void {
    if (this.#death !== null) return
    this.#death = error
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    this.#handle.terminate()
    this.#connection.fail(error)
    this.#onDeath(error)
  }
}
