/** Background embedding of passages: what is next, what is under way, what is saved when. */
import { isTextFailure, type Embedder } from '../embed/embedder.ts'
import { Pace, type PageConditions, type Throttle } from '../embed/pace.ts'
import { EmbeddingSchedule } from '../embed/schedule.ts'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { Mutex } from '../base/mutex.ts'
import { now } from '../base/platform.ts'
import type { CorpusStorage, VectorRow } from '../store/storage.ts'
import type { EngineStatus } from '../types.ts'
import type { Corpus } from '../corpus/corpus.ts'

/**
 * Vectors are saved when this many are waiting or the oldest waits this long: a crash costs at most
 * that much work again.
 */
const SAVE_ROWS = 64,
  SAVE_MS = 1500

export type VectorizerState = EngineStatus['embedding']['state']

export class Vectorizer {
  private readonly schedule = new EmbeddingSchedule<number>(now, (slot) =>
    this.corpus.table.has(slot) ? this.corpus.table.embeddedText(slot).length : 0,
  )
  private readonly pace = new Pace(() => {
    this.endRest()
    this.pump()
    this.onChange()
  })
  private rest: ReturnType<typeof setTimeout> | null = null
  private readonly stop = new AbortController()
  private unsaved: VectorRow[] = []
  private unsavedSince = 0
  private saving: Promise<void> = Promise.resolve()
  private active = 0
  private loaded = false
  private failure: HubmeshError | null = null
  private starting: Promise<void> | null = null
  private leading = false
  private following = false
  private asking = false
  /** Reads what the former writer has saved; called before the first passage is embedded here. */
  catchUp: () => Promise<void> = () => Promise.resolve()

  constructor(
    private readonly embedder: Embedder,
    private readonly corpus: Corpus,
    private readonly storage: CorpusStorage,
    private readonly onChange: () => void,
    private readonly writeQueue: Mutex,
  ) {}

  get state(): VectorizerState {
    if (this.failure) return 'failed'
    if (this.schedule.paused && this.remaining > 0) return 'paused'
    if (!this.loaded) return 'loading'
    if (this.following && this.remaining > 0) return 'following'
    return this.remaining > 0 || this.unsaved.length > 0 ? 'running' : 'idle'
  }

  /** True once a question can be embedded without waiting for the model. */
  get ready(): boolean {
    return this.loaded
  }

  get error(): HubmeshError | null {
    return this.failure
  }

  /** Why embedding goes slowly although it runs, or null. */
  get throttle(): Throttle | null {
    return this.remaining > 0 ? this.pace.throttle : null
  }

  /** How the page is now, as it tells. */
  setConditions(conditions: PageConditions): void {
    this.pace.set(conditions)
  }

  /** Runs foreground work, with fewer texts beside it. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.pace.during(work)
  }

  get remaining(): number {
    return this.schedule.waiting + this.schedule.running
  }

  progress(): ReturnType<EmbeddingSchedule<number>['progress']> {
    return this.schedule.progress()
  }

  /** Loads the model in the background; a failure is kept for `status` and pending calls. */
  start(): Promise<void> {
    this.starting ??= this.load()
    return this.starting
  }

  enqueue(slots: Iterable<number>): void {
    this.schedule.enqueue(slots)
    this.pump()
  }

  touch(slots: readonly number[]): void {
    this.schedule.touch(slots)
  }

  remove(slots: Iterable<number>): void {
    this.schedule.remove(slots)
  }

  pause(): void {
    this.schedule.pause()
    if (this.active === 0) this.save()
    this.onChange()
  }

  resume(): void {
    this.schedule.resume()
    if (this.failure) {
      this.failure = null
      this.starting = null
      void this.start().catch(() => undefined)
    }
    this.save()
    this.pump()
    this.onChange()
  }

  /** Saves what is waiting to be saved. */
  async flush(): Promise<void> {
    this.save()
    await this.saving
  }

  async close(): Promise<void> {
    this.stop.abort()
    this.endRest()
    await this.flush().catch(() => undefined)
  }

  private async load(): Promise<void> {
    try {
      await this.embedder.ready?.(this.stop.signal)
      this.loaded = true
    } catch (error) {
      this.fail(error)
      throw this.failure ?? error
    } finally {
      this.onChange()
    }
    this.pump()
  }

  private pump(): void {
    if (
      !this.loaded ||
      this.failure ||
      this.stop.signal.aborted ||
      this.rest !== null ||
      !this.leads()
    )
      return
    const most = this.pace.textsAtOnce(this.embedder.concurrency ?? 1)
    while (this.active < most) {
      const slot = this.schedule.next()
      if (slot === null) break
      this.active++
      const begun = now()
      void this.embedOne(slot).finally(() => {
        this.active--
        this.restFor(this.pace.restAfter(now() - begun))
        this.pump()
        if (this.active === 0 && (this.schedule.waiting === 0 || this.schedule.paused)) this.save()
        this.onChange()
      })
    }
  }

  private restFor(ms: number): void {
    if (ms <= 0 || this.rest !== null || this.stop.signal.aborted) return
    this.rest = setTimeout(() => {
      this.rest = null
      this.pump()
    }, ms)
  }

  private endRest(): void {
    if (this.rest !== null) clearTimeout(this.rest)
    this.rest = null
  }

  /**
   * True where this tab may embed. Two tabs at it would each do all of the work; so the one that
   * may save does, and the others wait for their turn.
   */
  private leads(): boolean {
    if (this.leading || !this.storage.lead) return true
    if (this.schedule.waiting > 0 && !this.asking) {
      this.asking = true
      void this.takeTheLead().finally(() => {
        this.asking = false
        this.pump()
      })
    }
    return false
  }

  private async takeTheLead(): Promise<void> {
    try {
      await this.storage.lead?.(() => {
        this.following = true
        this.onChange()
      })
      if (this.following) await this.catchUp()
      this.leading = true
    } catch (error) {
      this.fail(error)
    } finally {
      this.following = false
      this.onChange()
    }
  }

  private async embedOne(slot: number): Promise<void> {
    const { table } = this.corpus
    if (!table.has(slot)) {
      this.schedule.done(slot)
      return
    }
    const entry = table.entry(slot),
      passage = table.passage(slot)
    try {
      const [vector] = await this.embedder.embed([table.embeddedText(slot)], {
        kind: 'passage',
        signal: this.stop.signal,
      })
      if (!vector)
        throw new HubmeshError(
          'model/incompatible',
          'The embedder gave no vector for a text. An Embedder must give one vector a text, in order.',
        )
      // the document may have gone, or another may have its slot by now
      if (!table.has(slot) || table.entry(slot) !== entry) return
      this.corpus.vectors?.set(slot, vector)
      this.schedule.done(slot)
      if (this.unsaved.length === 0) this.unsavedSince = now()
      this.unsaved.push({ documentId: entry.id, hash: entry.hash, passage, vector })
      if (this.unsaved.length >= SAVE_ROWS || now() - this.unsavedSince >= SAVE_MS) this.save()
    } catch (error) {
      if (this.stop.signal.aborted) {
        this.schedule.giveBack(slot)
        return
      }
      // one bad text costs itself; a model or worker that is gone stops the work until somebody
      // resumes it
      if (isTextFailure(error)) this.schedule.fail(slot)
      else {
        this.schedule.giveBack(slot)
        this.fail(error)
      }
    }
  }

  private save(): void {
    if (this.unsaved.length === 0) return
    const rows = this.unsaved
    this.unsaved = []
    this.saving = this.saving
      .then(() => this.writeQueue.run(() => this.storage.putVectors(rows, this.embedder.identity)))
      .catch((error: unknown) => {
        // Nothing of it was saved; it is tried again when this tab leads again, or when somebody
        // resumes.
        this.unsaved = [...rows, ...this.unsaved]
        if (
          !isHubmeshError(error) ||
          (error.code !== 'writer/lost' && error.code !== 'writer/not-leader')
        ) {
          this.fail(error)
          return
        }
        this.leading = false
        this.pump()
      })
      .finally(this.onChange)
  }

  private fail(error: unknown): void {
    if (this.stop.signal.aborted) return
    this.failure = isHubmeshError(error)
      ? error
      : new HubmeshError(
          'model/incompatible',
          'The embedder failed in a way it has no code for; the cause says how.',
          { cause: error },
        )
    this.onChange()
  }
}
