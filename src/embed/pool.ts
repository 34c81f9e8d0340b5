/**
 * A pool of disposable embedding workers: one text a call, questions before passages, a dead worker
 * replaced, its text tried once more. After `embedStrikes` deaths in a row the pool stays down with
 * the first cause until `ready()` or `restart()`.
 */
import { onAbort, orAborted } from '../base/signals.ts'
import { abortedError, HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { EmbedderIdentity } from '../types.ts'
import { textFailure } from './embedder.ts'
import type { Embedder, EmbedOptions } from './embedder.ts'
import type { FileNotice } from './file_cache.ts'
import { EmbedJob, JobQueue } from './job_queue.ts'
import type { EmbedderPoolOptions, PoolStatus } from './pool_options.ts'
import { asWorkerError, PoolWorker } from './pool_worker.ts'
import { Countdown, Strikes } from './strikes.ts'
import type { EmbedWorkerOptions } from './worker_protocol.ts'

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: HubmeshError) => void
}

export class EmbedderPool implements Embedder {
  readonly identity: EmbedderIdentity
  readonly meaningTrust: number | undefined
  readonly reads: 'latin' | undefined

  private load: EmbedWorkerOptions
  private readonly size: number
  private readonly queue = new JobQueue()
  private readonly idle: PoolWorker[] = []
  private readonly running = new Map<PoolWorker, EmbedJob>()
  private readonly waiters = new Set<Waiter>()
  private readonly survived: FileNotice[] = []
  private readonly stop = new AbortController()
  private starting = false
  private readonly backoff = new Countdown()
  private readonly idling = new Countdown(true)
  private readonly strikes = new Strikes()
  private deaths = 0
  private threads = 1
  private failure: HubmeshError | null = null

  constructor(private readonly options: EmbedderPoolOptions) {
    this.identity = { ...options.load.manifest.identity, runtime: 'wasm' }
    this.meaningTrust = options.load.manifest.meaningTrust
    this.reads = options.load.manifest.reads
    this.load = options.load
    this.size = Math.min(LIMITS.embedWorkers, Math.max(1, Math.floor(options.size ?? 1)))
  }

  /** One text a worker and one that waits, so that none is idle while its answer travels. */
  get concurrency(): number {
    return this.size + 1
  }

  /**
   * Loads the first worker; after a failure it tries afresh. Rejects with the failure, which then
   * holds for `embed` until the next `ready` or `restart`.
   */
  async ready(signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal)
    this.restart()
    if (this.failure !== null) throw this.failure
    if (this.workers > 0) return
    let waiter: Waiter
    const started = new Promise<void>((resolve, reject) => {
      waiter = { resolve, reject }
      this.waiters.add(waiter)
    })
    this.pump()
    await orAborted(started, signal).finally(() => this.waiters.delete(waiter))
  }

  async embed(texts: readonly string[], { kind, signal }: EmbedOptions): Promise<Float32Array[]> {
    throwIfAborted(signal)
    if (this.failure !== null) throw this.failure
    const jobs = texts.map((text) => new EmbedJob(text, kind))
    for (const job of jobs) this.queue.push(job)
    const unlisten = onAbort(signal, () => {
      this.cancel(jobs, abortedError(signal))
    })
    this.pump()
    try {
      return await Promise.all(jobs.map((job) => job.vector))
    } catch (error) {
      this.cancel(jobs, error)
      throw error
    } finally {
      unlisten()
    }
  }

  get notices(): readonly string[] {
    return this.survived.map(({ code, message }) => `${message} (${code})`)
  }

  status(): PoolStatus {
    return {
      state: this.state,
      workers: this.workers,
      queued: this.queue.size,
      threads: this.threads,
      deaths: this.deaths,
      failure: this.stop.signal.aborted ? null : this.failure,
      notices: [...this.survived],
    }
  }

  private get state(): PoolStatus['state'] {
    if (this.stop.signal.aborted) return 'closed'
    if (this.failure !== null) return 'failed'
    if (this.workers > 0) return 'ready'
    return this.starting || this.backoff.running ? 'starting' : 'idle'
  }

  /** Clears a failure; the next call starts afresh. */
  restart(): void {
    if (this.stop.signal.aborted || this.failure === null) return
    this.failure = null
    this.strikes.clear()
    this.pump()
  }

  close(): Promise<void> {
    if (!this.stop.signal.aborted) {
      this.stop.abort()
      this.fail(new HubmeshError('aborted', 'The embedder was closed.'))
    }
    return Promise.resolve()
  }

  private get workers(): number {
    return this.idle.length + this.running.size
  }

  /**
   * Gives waiting texts to idle workers, and starts a missing worker; one at a time, so that the
   * files are fetched once.
   */
  private pump(): void {
    if (this.failure !== null) return
    while (this.idle.length > 0) {
      const job = this.queue.next()
      if (job === null) break
      const worker = this.idle.pop()!
      this.running.set(worker, job)
      void this.run(worker, job)
    }
    this.restOrWork()
    const wanted = this.queue.size > 0 || (this.waiters.size > 0 && this.workers === 0)
    if (wanted && !this.starting && !this.backoff.running && this.workers < this.size)
      void this.start()
    this.options.onState?.(this.status())
  }

  private async start(): Promise<void> {
    this.starting = true
    const { signal } = this.stop
    try {
      const handle = await this.options.spawn(signal)
      const worker = await PoolWorker.start(handle, this.load, signal, (progress) =>
        this.options.onDownload?.(progress),
      )
      this.starting = false
      if (signal.aborted) {
        worker.terminate()
        return
      }
      worker.onDeath = (error) => {
        this.onIdleDeath(worker, error)
      }
      this.threads = worker.report.threads
      for (const notice of worker.report.notices) this.note(notice)
      this.idle.push(worker)
      for (const waiter of this.waiters) waiter.resolve()
    } catch (thrown) {
      this.starting = false
      if (signal.aborted) return
      const error = asWorkerError(thrown)
      // Wrong files stay wrong; a worker's failure may be momentary.
      if (error.code.startsWith('worker/') || error.code === 'model/memory') this.strike(error)
      else if (error.code === 'model/incompatible' && this.load.threads > 1) this.unthread()
      else this.fail(error)
    }
    this.pump()
  }

  private async run(worker: PoolWorker, job: EmbedJob): Promise<void> {
    try {
      const vector = await worker.embed(
        job.text,
        job.kind,
        this.options.embedTextMs ?? LIMITS.embedTextMs,
      )
      this.strikes.clear()
      job.resolve(vector)
    } catch (thrown) {
      const error = asWorkerError(thrown)
      if (worker.death === null || this.failure !== null) job.reject(error)
      else this.onWorkingDeath(job, error)
    }
    this.running.delete(worker)
    if (worker.death === null && this.failure === null) {
      if (worker.texts < (this.options.textsPerEmbedWorker ?? LIMITS.textsPerEmbedWorker))
        this.idle.push(worker)
      else worker.terminate()
    }
    this.pump()
  }

  /**
   * Trusted Types refuse the runtime's thread workers even where memory may be shared; one thread
   * works everywhere.
   */
  private unthread(): void {
    this.load = { ...this.load, threads: 1 }
    this.note({
      code: 'worker/start-failed',
      message:
        'The runtime could not start its threads on this page (a content security policy?); ' +
        'each embedding worker uses one.',
    })
  }

  private note(notice: FileNotice): void {
    if (!this.survived.some((known) => known.message === notice.message)) this.survived.push(notice)
  }

  private onWorkingDeath(job: EmbedJob, error: HubmeshError): void {
    this.deaths++
    job.deaths++
    if (job.deaths > 1) {
      job.reject(
        textFailure(
          error,
          'It is the second worker that ended over this text, which keeps no vector.',
        ),
      )
      return
    }
    if (!job.settled) this.queue.again(job)
    this.strike(error)
  }

  private onIdleDeath(worker: PoolWorker, error: HubmeshError): void {
    const at = this.idle.indexOf(worker)
    if (at < 0) return
    this.idle.splice(at, 1)
    this.deaths++
    this.strike(error)
    this.pump()
  }

  private strike(error: HubmeshError): void {
    const next = this.strikes.add(error, this.options.embedBackoffMs)
    if (typeof next !== 'number') {
      this.fail(next)
      return
    }
    this.backoff.start(next, () => {
      this.pump()
    })
  }

  /** After a while without work all workers but one are ended, to free memory. */
  private restOrWork(): void {
    const resting = this.running.size === 0 && this.queue.size === 0 && this.idle.length > 1
    if (!resting) this.idling.cancel()
    else if (!this.idling.running)
      this.idling.start(this.options.embedIdleMs ?? LIMITS.embedIdleMs, () => {
        for (const worker of this.idle.splice(1)) worker.terminate()
        this.options.onState?.(this.status())
      })
  }

  private fail(error: HubmeshError): void {
    this.failure = error
    this.backoff.cancel()
    this.idling.cancel()
    for (let job = this.queue.next(); job !== null; job = this.queue.next()) job.reject(error)
    for (const [worker, job] of this.running) {
      job.reject(error)
      worker.terminate()
    }
    for (const worker of this.idle.splice(0)) worker.terminate()
    for (const waiter of this.waiters) waiter.reject(error)
    this.options.onState?.(this.status())
  }

  /** A running job gets a grace period before its worker is replaced. */
  private cancel(jobs: readonly EmbedJob[], error: unknown): void {
    for (const job of jobs) job.reject(error)
    for (const [worker, job] of this.running) {
      if (jobs.includes(job))
        worker.hurry(this.options.embedAbortGraceMs ?? LIMITS.embedAbortGraceMs)
    }
  }
}
