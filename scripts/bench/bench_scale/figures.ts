/** What the scale bench measures, as data, and the statistics of it. */

export type Host = 'node' | 'chromium'

/** Milliseconds of many calls: median, 95th percentile, worst. */
export interface Spread {
  readonly p50: number
  readonly p95: number
  readonly most: number
}

export interface Answers extends Spread {
  /** Medians and worst of the work behind the answers. */
  readonly edges: Spread
  /**
   * Passages that walk, titles and bridges put forward, before they are fused with words and
   * meaning.
   */
  readonly candidates: Spread
}

export interface SizeFigures {
  readonly host: Host
  readonly passages: number
  /** Passages a second from the call of add() until the text tier is settled, saving included. */
  readonly ingestRate: number
  /** Longest wait for an answer while the corpus grew, ms. */
  readonly answeredWhileAdding: number
  /**
   * Bytes a passage beyond its text: by the account of index and tables, and by the heap of the
   * worker.
   */
  readonly accountBytes: number
  readonly heapBytes: number | null
  readonly retrieveText: Answers
  readonly retrieve: Answers
  /** The same as the page sees it, over the port. */
  readonly roundTrip: Spread | null
  readonly embedRate: number
  readonly exactScan: Spread
  readonly hnsw: {
    readonly buildSeconds: number
    readonly search: Spread
    readonly recall: number
  } | null
  readonly addOne: Spread
  readonly updateOne: Spread
  readonly removeOne: Spread
  /** 1,000 removals in one call: until it resolves, until settled again, and passages read anew. */
  readonly removeMany: {
    readonly documents: number
    readonly resolved: number
    readonly settled: number
    readonly read: number
  }
  /**
   * From the start of the navigation to the first answer, and to the last vector; in Node from the
   * call of open.
   */
  readonly openText: number
  readonly openVectors: number
  /** Longest task of the page's thread in each phase, ms; 0 where none passed 50. */
  readonly longTasks: Readonly<Record<string, number>> | null
}

export interface ScaleReport {
  readonly cores: number
  readonly node: string
  readonly browser: string | null
  readonly load: number
  readonly figures: readonly SizeFigures[]
  /** HotpotQA alone, its own questions: the size that hubmesh for Python was measured at. */
  readonly hotpotqa: Answers | null
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b),
    at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), most: sorted[sorted.length - 1] ?? 0 }
}

export interface AskedOnce {
  readonly ms: number
  readonly edges: number
  readonly candidates: number
}

/**
 * Rounds of the same questions; of each question the least time counts, so that what else the
 * machine does does not.
 */
export function answersOf(rounds: readonly (readonly AskedOnce[])[]): Answers {
  const [first = []] = rounds
  return {
    ...spreadOf(first.map((_, i) => Math.min(...rounds.map((round) => round[i]?.ms ?? Infinity)))),
    edges: spreadOf(first.map(({ edges }) => edges)),
    candidates: spreadOf(first.map(({ candidates }) => candidates)),
  }
}
