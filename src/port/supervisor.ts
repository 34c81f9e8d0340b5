/**
 * Life of one worker across its deaths: restart with exponential back-off, three strikes, then down
 * for good with the first cause. Callers are rejected before the restart begins.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { WorkerRole } from './protocol.ts'
import { spawnWorker } from './spawn.ts'
import type { LiveWorker, WorkerFactory } from './spawn.ts'

export interface SupervisorOptions<T> {
  readonly role: WorkerRole
  readonly factory?: WorkerFactory | undefined
  /** Makes a ready worker usable. Its rejection counts as a death. */
  readonly connect: (live: LiveWorker) => Promise<T>
  /** Told of every death, before any restart; `final` when there will be none. */
  readonly onDeath: (error: HubmeshError, final: boolean) => void
  /** False where a new worker could not go on from where the old one was. */
  readonly restart: boolean
}

export class Supervisor<T> {
  private readonly options: SupervisorOptions<T>
  private live: LiveWorker | null = null
  private current: Promise<T>
  private strikes = 0
  private firstCause: HubmeshError | null = null
  private startedAt = 0
  private timer: ReturnType<typeof setTimeout> | null = null
  private end: HubmeshError | null = null

  private constructor(options: SupervisorOptions<T>) {
    this.options = options
    this.current = Promise.reject(
      new HubmeshError('bug/invariant', 'A supervisor was asked before its first start.'),
    )
    this.current.catch(() => undefined)
  }

  /** Starts the worker for the first time; a failure of that is the caller's, and not retried. */
  static async start<T>(
    options: SupervisorOptions<T>,
    signal?: AbortSignal,
  ): Promise<Supervisor<T>> {
    const supervisor = new Supervisor(options)
    supervisor.current = supervisor.spawn(signal)
    try {
      await supervisor.current
    } catch (thrown) {
      supervisor.close()
      throw thrown
    }
    return supervisor
  }

  /**
   * What `connect` made of the present worker; waits for a restart under way, rejects when there
   * will be none.
   */
  get(): Promise<T> {
    return this.current
  }

  /** Counts of a failure that the outside noticed, such as silence. */
  kill(error: HubmeshError): void {
    this.live?.terminate(error)
  }

  /** Ends the worker for good; `get` rejects with `error` from now on. */
  close(
    error: HubmeshError = new HubmeshError(
      'store/closed',
      `The ${this.options.role} worker was closed. Create a new engine.`,
    ),
  ): void {
    this.end = error
    this.current = Promise.reject(error)
    this.current.catch(() => undefined)
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    this.live?.terminate()
    this.live = null
  }

  private async spawn(signal?: AbortSignal): Promise<T> {
    const { role, factory, connect } = this.options
    const live = await spawnWorker(role, { factory, signal })
    if (this.end !== null) {
      live.terminate()
      throw this.end
    }
    this.live = live
    this.startedAt = performance.now()
    const connected = connect(live)
    const died = new Promise<never>((_resolve, reject) => {
      live.onDeath((error) => {
        reject(error)
        this.onDeath(error)
      })
    })
    died.catch(() => undefined)
    try {
      return await Promise.race([connected, died])
    } catch (thrown) {
      live.terminate()
      throw thrown
    }
  }

  private onDeath(error: HubmeshError): void {
    this.live = null
    if (this.end !== null) return
    if (performance.now() - this.startedAt >= LIMITS.workerForgiveMs) {
      this.strikes = 0
      this.firstCause = null
    }
    this.strike(error)
  }

  private strike(error: HubmeshError): void {
    this.firstCause ??= error
    this.strikes++
    const final = !this.options.restart || this.strikes > LIMITS.workerStrikes
    if (final)
      this.close(
        this.options.restart
          ? downForGood(this.options.role, this.strikes, this.firstCause)
          : error,
      )
    this.options.onDeath(error, final)
    // The listener may have closed it.
    if (this.end !== null) return
    const wait = Math.max(
      LIMITS.workerBackoffMs * 2 ** (this.strikes - 1),
      error.code === 'worker/timeout' ? LIMITS.hungWorkerMs : 0,
    )
    this.current = new Promise<T>((resolve, reject) => {
      this.timer = setTimeout(() => {
        this.timer = null
        this.spawn().then(resolve, (thrown: unknown) => {
          reject(
            thrown instanceof Error
              ? thrown
              : new HubmeshError('bug/invariant', 'A worker start rejected without an error.'),
          )
          this.onFailedRestart(thrown)
        })
      }, wait)
    })
    this.current.catch(() => undefined)
  }

  /**
   * A death during the restart was counted by its own listener; a start that failed before was not.
   */
  private onFailedRestart(thrown: unknown): void {
    if (this.end !== null || this.timer !== null || !(thrown instanceof HubmeshError)) return
    this.live = null
    this.strike(thrown)
  }
}

function downForGood(role: WorkerRole, strikes: number, cause: HubmeshError): HubmeshError {
  return new HubmeshError(
    'worker/crashed',
    `The ${role} worker died ${String(strikes)} times in a row and stays down; the first cause ` +
      `was: ${cause.message} Create a new engine to try again.`,
    { cause, details: { role, strikes } },
  )
}
