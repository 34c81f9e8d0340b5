/**
 * Reading of what may be hostile (zipped files, PDF, mail) in a worker that is ended on cancel, on
 * time out and when nothing is left to read. A page's engine asks the page for the worker, Node
 * starts a thread.
 */
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { Mutex } from '../../../base/mutex.ts'
import type { WireError } from '../../../port/protocol.ts'
import { fromWireError } from '../../../port/wire_error.ts'
import { shown, type ReadFilesResult, type ReadLimits } from '../reader.ts'

/** A worker that reads one file at a time; its other end is serve_reading.ts. */
export interface ReadingWorker {
  readonly worker: {
    postMessage(message: unknown): void
    addEventListener(type: 'message', listener: (event: Event) => void): void
    removeEventListener(type: 'message', listener: (event: Event) => void): void
  }
  /** Calls back when the worker is gone by itself. */
  onDeath(listener: (error: HubmeshError) => void): void
  terminate(): void
}

/** Rejects with `worker/*` where no worker can be had, and `aborted`. */
export type SpawnReading = (signal?: AbortSignal) => Promise<ReadingWorker>

export interface ReadRequest {
  readonly path: string
  readonly file: Blob | Uint8Array
  readonly limits: ReadLimits
}

export type ReadReply = { readonly hubmesh: 'read' } & (
  { readonly read: ReadFilesResult } | { readonly error: WireError }
)

/** A worker that has nothing to read is kept this long, ms: the next file is often at hand. */
const IDLE_MS = 3000

/** One for each engine. */
export class ReadApart {
  private readonly turns = new Mutex()
  private live: ReadingWorker | null = null
  private idle: ReturnType<typeof setTimeout> | undefined
  /** Why there is no worker, once that is known: it is not tried for every file. */
  private missing: HubmeshError | null = null
  private told = false
  private closed = false
  /** Fails the file that is being read. */
  private died: ((cause: HubmeshError) => void) | null = null

  constructor(private readonly spawn: SpawnReading) {}

  /**
   * What the file holds; null where no worker can be started, so that the file is read in place.
   * Rejects with `input/too-large` where it takes too long, `input/invalid` where the worker dies of
   * it, `aborted`.
   */
  read(request: ReadRequest, signal?: AbortSignal): Promise<ReadFilesResult | null> {
    return this.turns.run(async () => {
      throwIfAborted(signal)
      const worker = await this.worker(signal)
      if (worker === null) return null
      let done = false
      try {
        const answer = await this.answerOf(worker, request, signal)
        done = true
        return answer
      } finally {
        if (done) this.rest()
        else this.end()
      }
    })
  }

  /** For the first file that is read in place: why. Null before and after. */
  reasonOnce(): string | null {
    if (this.missing === null || this.told) return null
    this.told = true
    return (
      'Zipped files, PDF and mail are read in the thread of the engine itself, where a file that ' +
      `takes too long cannot be ended: ${this.missing.message}`
    )
  }

  close(): void {
    this.closed = true
    this.end()
  }

  private async worker(signal: AbortSignal | undefined): Promise<ReadingWorker | null> {
    clearTimeout(this.idle)
    if (this.live !== null) return this.live
    if (this.missing !== null) return null
    try {
      const live = await this.spawn(signal)
      if (this.closed) {
        live.terminate()
        throw abortedError(undefined)
      }
      live.onDeath((error) => {
        if (this.live !== live) return
        this.live = null
        this.died?.(error)
      })
      this.live = live
      return live
    } catch (error) {
      if (!isHubmeshError(error) || !error.code.startsWith('worker/')) throw error
      this.missing = error
      return null
    }
  }

  private answerOf(
    { worker }: ReadingWorker,
    request: ReadRequest,
    signal: AbortSignal | undefined,
  ): Promise<ReadFilesResult> {
    const { path, limits } = request,
      mostMs = limits.mostMs ?? LIMITS.officeMs
    return new Promise<ReadFilesResult>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        this.died = null
        worker.removeEventListener('message', onMessage)
        signal?.removeEventListener('abort', onAbort)
      }
      const fail = (error: HubmeshError): void => {
        stop()
        reject(error)
      }
      const onMessage = (event: Event): void => {
        const { data } = event as MessageEvent<ReadReply>
        // pdf.js speaks on a worker's own port, too.
        if (data?.hubmesh !== 'read') return
        if ('error' in data) {
          fail(fromWireError(data.error))
          return
        }
        stop()
        resolve(data.read)
      }
      const onAbort = (): void => {
        fail(abortedError(signal))
      }
      const timer = setTimeout(() => {
        fail(tookTooLong(path, mostMs))
      }, mostMs)
      this.died = (cause) => {
        fail(diedOf(path, cause))
      }
      worker.addEventListener('message', onMessage)
      signal?.addEventListener('abort', onAbort)
      worker.postMessage({ hubmesh: 'read', request })
    })
  }

  private rest(): void {
    if (this.closed) {
      this.end()
      return
    }
    this.idle = setTimeout(() => {
      this.end()
    }, IDLE_MS)
    // Node must not stay awake for it.
    if (typeof this.idle === 'object') this.idle.unref()
  }

  private end(): void {
    clearTimeout(this.idle)
    this.live?.terminate()
    this.live = null
  }
}

function tookTooLong(path: string, mostMs: number): HubmeshError {
  return new HubmeshError(
    'input/too-large',
    `${shown(path)}: reading the file took more than ${mostMs / 1000} seconds and was ended; it is ` +
      'larger inside than it looks, or made to be. Leave it out, or save it anew from its own ' +
      'program.',
    { details: { file: path.slice(0, 200), limit: mostMs } },
  )
}

function diedOf(path: string, cause: HubmeshError): HubmeshError {
  return new HubmeshError(
    'input/too-large',
    `${shown(path)}: the worker that read the file died of it, most likely for want of memory. ` +
      'Leave it out, or split it and save it anew from its own program.',
    { cause, details: { file: path.slice(0, 200) } },
  )
}
