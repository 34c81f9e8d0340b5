/** Queue of texts to embed: questions first, each kind by age, a retry before its kind. */
import type { EmbedKind } from './embedder.ts'

/** A text to embed; answered once. */
export class EmbedJob {
  /** Workers that died over it. */
  deaths = 0
  /** Answered, failed or cancelled. */
  settled = false
  readonly vector: Promise<Float32Array>
  private answer!: (vector: Float32Array) => void
  private refuse!: (error: unknown) => void

  constructor(
    readonly text: string,
    readonly kind: EmbedKind,
  ) {
    this.vector = new Promise((resolve, reject) => {
      this.answer = resolve
      this.refuse = reject
    })
  }

  resolve(vector: Float32Array): void {
    this.settled = true
    this.answer(vector)
  }

  reject(error: unknown): void {
    this.settled = true
    this.refuse(error)
  }
}

export class JobQueue {
  private readonly lanes: Record<EmbedKind, EmbedJob[]> = { query: [], passage: [] }
  private readonly heads: Record<EmbedKind, number> = { query: 0, passage: 0 }

  /** Cancelled jobs included until they are reached. */
  get size(): number {
    return (
      this.lanes.query.length - this.heads.query + this.lanes.passage.length - this.heads.passage
    )
  }

  push(job: EmbedJob): void {
    this.lanes[job.kind].push(job)
  }

  /** Puts a job before all others of its kind. */
  again(job: EmbedJob): void {
    const head = this.heads[job.kind]
    if (head > 0) this.lanes[job.kind][--this.heads[job.kind]] = job
    else this.lanes[job.kind].unshift(job)
  }

  next(): EmbedJob | null {
    for (const kind of ['query', 'passage'] as const) {
      const lane = this.lanes[kind]
      while (this.heads[kind] < lane.length) {
        const job = lane[this.heads[kind]++]!
        this.release(kind)
        if (!job.settled) return job
      }
    }
    return null
  }

  /** Frees the consumed part of a queue at an amortised constant cost. */
  private release(kind: EmbedKind): void {
    const lane = this.lanes[kind]
    const head = this.heads[kind]
    if (head < lane.length && (head < 1024 || head * 2 < lane.length)) return
    lane.splice(0, head)
    this.heads[kind] = 0
  }
}
