/**
 * Owns which passage is embedded next: those that questions touched first, then by age, and among a
 * few of like age the longest first, so that runs of like length follow each other and the workers
 * end together; pause and resume; rate and time left. Pure: it is told what happened and asked what
 * is next. Refuses: embedding, storage, and any clock but the given one.
 */
import { LIMITS } from '../base/limits.ts'

export interface ScheduleProgress {
  readonly done: number
  /** Done, waiting, running and failed. */
  readonly total: number
  readonly failed: number
  /** Passages a second over the last completions, pauses and idle times left out; 0 until known. */
  readonly rate: number
  readonly secondsLeft: number | null
}

type Stage = 'waiting' | 'running' | 'failed'

/**
 * Completions that the rate is taken over: two windows, so that the order within one does not show
 * in it.
 */
const RATED = 2 * LIMITS.embedWindow

export class EmbeddingSchedule<K extends string | number> {
  readonly #now: () => number
  readonly #length: ((key: K) => number) | null
  /** Keys known and not done. */
  readonly #stages = new Map<K, Stage>()
  #byAge: K[] = []
  #ageHead = 0
  /** The oldest of them, the next one last. */
  #window: K[] = []
  /** Touched keys, the next one last. */
  #touched: K[] = []
  #done = 0
  #waiting = 0
  #running = 0
  #paused = false
  #ticks: number[] = []
  #activeMs = 0
  #activeSince: number | null = null

  /**
   * `now` gives monotonic milliseconds, `length` about how long a passage's run takes, in any unit;
   * left out, age alone decides.
   */
  constructor(now: () => number, length?: (key: K) => number) {
    this.#now = now
    this.#length = length ?? null
  }

  /**
   * Adds passages at the end, in the order given; those already known keep their place. A failed
   * one gets another try.
   */
  enqueue(keys: Iterable<K>): void {
    for (const key of keys) {
      const stage = this.#stages.get(key)
      if (stage === 'waiting' || stage === 'running') continue
      this.#stages.set(key, 'waiting')
      this.#waiting++
      this.#byAge.push(key)
    }
    this.#clock()
  }

  /**
   * Moves waiting passages to the front, in the order given, before those of earlier questions;
   * others are ignored.
   */
  touch(keys: readonly K[]): void {
    for (let i = keys.length - 1; i >= 0; i--) {
      if (this.#stages.get(keys[i]!) === 'waiting') this.#touched.push(keys[i]!)
    }
  }

  /**
   * The passage to embed now, which then counts as running; null when paused or when nothing waits.
   */
  next(): K | null {
    if (this.#paused) return null
    const key = this.#pop()
    if (key === null) return null
    this.#stages.set(key, 'running')
    this.#waiting--
    this.#running++
    this.#clock()
    return key
  }

  /**
   * The vector is there. Keys that are not running are ignored: their passage was removed
   * meanwhile.
   */
  done(key: K): void {
    if (this.#stages.get(key) !== 'running') return
    this.#stages.delete(key)
    this.#running--
    this.#done++
    this.#ticks.push(this.#active())
    if (this.#ticks.length > RATED) this.#ticks.shift()
    this.#clock()
  }

  /** The passage stays without a vector until it is enqueued again. */
  fail(key: K): void {
    if (this.#stages.get(key) !== 'running') return
    this.#stages.set(key, 'failed')
    this.#running--
    this.#clock()
  }

  /** Gives a running passage back, to be the next one: its embedder stopped, not its text. */
  giveBack(key: K): void {
    if (this.#stages.get(key) !== 'running') return
    this.#stages.set(key, 'waiting')
    this.#running--
    this.#waiting++
    this.#touched.push(key)
    this.#clock()
  }

  /** The passages are gone or changed; a completion that still arrives is ignored. */
  remove(keys: Iterable<K>): void {
    for (const key of keys) {
      const stage = this.#stages.get(key)
      if (stage === 'waiting') this.#waiting--
      if (stage === 'running') this.#running--
      this.#stages.delete(key)
    }
    this.#clock()
  }

  pause(): void {
    this.#paused = true
    this.#clock()
  }

  resume(): void {
    this.#paused = false
    this.#clock()
  }

  get paused(): boolean {
    return this.#paused
  }
  get waiting(): number {
    return this.#waiting
  }
  get running(): number {
    return this.#running
  }

  progress(): ScheduleProgress {
    const first = this.#ticks[0]
    const last = this.#ticks.at(-1)
    const span = first === undefined || last === undefined ? 0 : last - first
    const rate = span > 0 ? ((this.#ticks.length - 1) * 1000) / span : 0
    const left = this.#waiting + this.#running
    return {
      done: this.#done,
      total: this.#done + this.#stages.size,
      failed: this.#stages.size - left,
      rate,
      secondsLeft: left === 0 ? 0 : rate > 0 ? left / rate : null,
    }
  }

  #pop(): K | null {
    for (let key = this.#touched.pop(); key !== undefined; key = this.#touched.pop()) {
      if (this.#stages.get(key) === 'waiting') return key
    }
    for (;;) {
      if (this.#window.length === 0) this.#fillWindow()
      const key = this.#window.pop()
      if (key === undefined) return null
      if (this.#stages.get(key) === 'waiting') return key
    }
  }

  /**
   * Takes the oldest waiting passages, shortest first; of one length the younger first, since it is
   * read from its end.
   */
  #fillWindow(): void {
    const length = this.#length,
      size = length === null ? 1 : LIMITS.embedWindow
    const oldest: { readonly key: K; readonly length: number; readonly age: number }[] = []
    while (this.#ageHead < this.#byAge.length && oldest.length < size) {
      const key = this.#byAge[this.#ageHead++]!
      if (this.#ageHead >= 4096 && this.#ageHead * 2 >= this.#byAge.length) {
        this.#byAge = this.#byAge.slice(this.#ageHead)
        this.#ageHead = 0
      }
      if (this.#stages.get(key) === 'waiting')
        oldest.push({ key, length: length?.(key) ?? 0, age: oldest.length })
    }
    this.#window = oldest.sort((a, b) => a.length - b.length || b.age - a.age).map(({ key }) => key)
  }

  /** Milliseconds in which embedding went on. */
  #active(): number {
    return this.#activeMs + (this.#activeSince === null ? 0 : this.#now() - this.#activeSince)
  }

  /** Starts or stops the clock: time counts while a passage is running, or waits unpaused. */
  #clock(): void {
    const counts = this.#running > 0 || (!this.#paused && this.#waiting > 0)
    if (counts === (this.#activeSince !== null)) return
    this.#activeMs = this.#active()
    this.#activeSince = counts ? this.#now() : null
  }
}
