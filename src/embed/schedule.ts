/**
 * Which passage is embedded next: those that questions touched, then by age; among a few of like
 * age the longest first, so that workers end together. Also pause and resume, rate and time left.
 * Pure: its only clock is the given one.
 */
import { LIMITS } from '../base/limits.ts'

export interface ScheduleProgress {
  readonly done: number
  /** Done, waiting, running and failed. */
  readonly total: number
  readonly failed: number
  /** Passages a second over the last completions, without pauses and idle times; 0 until known. */
  readonly rate: number
  readonly secondsLeft: number | null
}

type Stage = 'waiting' | 'running' | 'failed'

/** Completions the rate is taken over: two windows, so that the order within one does not show. */
const RATED = 2 * LIMITS.embedWindow

export class EmbeddingSchedule<K extends string | number> {
  private readonly length: ((key: K) => number) | null
  /** Keys known and not done. */
  private readonly stages = new Map<K, Stage>()
  private byAge: K[] = []
  private ageHead = 0
  /** The oldest, next one last. */
  private window: K[] = []
  /** Next one last. */
  private touched: K[] = []
  private completed = 0
  private waitingCount = 0
  private runningCount = 0
  private isPaused = false
  private ticks: number[] = []
  private activeMs = 0
  private activeSince: number | null = null

  /**
   * `now` gives monotonic milliseconds, `length` about how long a passage's run takes; left out,
   * age alone decides.
   */
  constructor(
    private readonly now: () => number,
    length?: (key: K) => number,
  ) {
    this.length = length ?? null
  }

  /** Appends passages; known ones keep their place, a failed one gets another try. */
  enqueue(keys: Iterable<K>): void {
    for (const key of keys) {
      const stage = this.stages.get(key)
      if (stage === 'waiting' || stage === 'running') continue
      this.stages.set(key, 'waiting')
      this.waitingCount++
      this.byAge.push(key)
    }
    this.clock()
  }

  /** Moves waiting passages to the front, before those of earlier questions. */
  touch(keys: readonly K[]): void {
    for (let i = keys.length - 1; i >= 0; i--) {
      if (this.stages.get(keys[i]!) === 'waiting') this.touched.push(keys[i]!)
    }
  }

  /** The passage to embed now, which then counts as running; null when paused or none waits. */
  next(): K | null {
    if (this.isPaused) return null
    const key = this.pop()
    if (key === null) return null
    this.stages.set(key, 'running')
    this.waitingCount--
    this.runningCount++
    this.clock()
    return key
  }

  /** Ignored for passages removed meanwhile. */
  done(key: K): void {
    if (this.stages.get(key) !== 'running') return
    this.stages.delete(key)
    this.runningCount--
    this.completed++
    this.ticks.push(this.active())
    if (this.ticks.length > RATED) this.ticks.shift()
    this.clock()
  }

  /** The passage stays without a vector until it is enqueued again. */
  fail(key: K): void {
    if (this.stages.get(key) !== 'running') return
    this.stages.set(key, 'failed')
    this.runningCount--
    this.clock()
  }

  /** Puts a running passage first in line: its embedder stopped, not its text. */
  giveBack(key: K): void {
    if (this.stages.get(key) !== 'running') return
    this.stages.set(key, 'waiting')
    this.runningCount--
    this.waitingCount++
    this.touched.push(key)
    this.clock()
  }

  /** A completion that still arrives is ignored. */
  remove(keys: Iterable<K>): void {
    for (const key of keys) {
      const stage = this.stages.get(key)
      if (stage === 'waiting') this.waitingCount--
      if (stage === 'running') this.runningCount--
      this.stages.delete(key)
    }
    this.clock()
  }

  pause(): void {
    this.isPaused = true
    this.clock()
  }

  resume(): void {
    this.isPaused = false
    this.clock()
  }

  get paused(): boolean {
    return this.isPaused
  }
  get waiting(): number {
    return this.waitingCount
  }
  get running(): number {
    return this.runningCount
  }

  progress(): ScheduleProgress {
    const first = this.ticks[0]
    const last = this.ticks.at(-1)
    const span = first === undefined || last === undefined ? 0 : last - first
    const rate = span > 0 ? ((this.ticks.length - 1) * 1000) / span : 0
    const left = this.waitingCount + this.runningCount
    return {
      done: this.completed,
      total: this.completed + this.stages.size,
      failed: this.stages.size - left,
      rate,
      secondsLeft: left === 0 ? 0 : rate > 0 ? left / rate : null,
    }
  }

  private pop(): K | null {
    for (let key = this.touched.pop(); key !== undefined; key = this.touched.pop()) {
      if (this.stages.get(key) === 'waiting') return key
    }
    for (;;) {
      if (this.window.length === 0) this.fillWindow()
      const key = this.window.pop()
      if (key === undefined) return null
      if (this.stages.get(key) === 'waiting') return key
    }
  }

  /**
   * Takes the oldest waiting passages, shortest first (read from the end); of one length the
   * younger first.
   */
  private fillWindow(): void {
    const length = this.length,
      size = length === null ? 1 : LIMITS.embedWindow
    const oldest: { readonly key: K; readonly length: number; readonly age: number }[] = []
    while (this.ageHead < this.byAge.length && oldest.length < size) {
      const key = this.byAge[this.ageHead++]!
      if (this.ageHead >= 4096 && this.ageHead * 2 >= this.byAge.length) {
        this.byAge = this.byAge.slice(this.ageHead)
        this.ageHead = 0
      }
      if (this.stages.get(key) === 'waiting')
        oldest.push({ key, length: length?.(key) ?? 0, age: oldest.length })
    }
    this.window = oldest.sort((a, b) => a.length - b.length || b.age - a.age).map(({ key }) => key)
  }

  private active(): number {
    return this.activeMs + (this.activeSince === null ? 0 : this.now() - this.activeSince)
  }

  /** Time counts while a passage is running, or waits unpaused. */
  private clock(): void {
    const counts = this.runningCount > 0 || (!this.isPaused && this.waitingCount > 0)
    if (counts === (this.activeSince !== null)) return
    this.activeMs = this.active()
    this.activeSince = counts ? this.now() : null
  }
}
