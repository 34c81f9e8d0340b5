/**
 * The second hop of an agent without a model: names of the first answer are handed back, as an
 * agent would by `seedEntities`.
 */
import type { BenchPassage } from './dataset.ts'
import type { BenchSystem, RankedAnswer } from './system.ts'

/** Where the names come from; `past` excludes the passages kept from the first answer. */
export const SECOND_HOPS = [
  { name: 'names of the best path', from: 'path', past: false },
  { name: 'names of the best path, first passages shut out', from: 'path', past: true },
  { name: 'subjects of the first passages', from: 'subjects', past: false },
] as const

export type SecondHop = (typeof SECOND_HOPS)[number]

/** Of the first answer, kept at the top; chosen on musique_train from 5 and 7. */
const KEPT = 7
/** Passages whose subjects are handed back. */
const SUBJECTS = 3

export class IteratedSystem implements BenchSystem {
  readonly name: string

  constructor(
    private readonly inner: BenchSystem,
    private readonly hop: SecondHop,
  ) {
    this.name = hop.name
  }

  index(passages: readonly BenchPassage[], vectors: readonly Float32Array[] | null): Promise<void> {
    return this.inner.index(passages, vectors)
  }

  /** The first answer where it has no name to hand back. */
  async rank(
    question: string,
    queryVector: Float32Array | null,
    count: number,
  ): Promise<RankedAnswer> {
    const first = await this.inner.rank(question, queryVector, count)
    const injected = namesToAsk(first, this.hop)
    if (injected.length === 0) return first
    const kept = first.ids.slice(0, KEPT)
    const second = await this.inner.rank(question, queryVector, count, {
      injected,
      ...(this.hop.past ? { excluded: kept } : {}),
    })
    const ids = [...new Set([...kept, ...second.ids])].slice(0, count)
    const timings = new Map(Object.entries(first.timings))
    for (const [stage, ms] of Object.entries(second.timings))
      timings.set(stage, (timings.get(stage) ?? 0) + ms)
    // Two rankings share no scale; only the order counts.
    return {
      ...second,
      ids,
      scores: ids.map((_, i) => 1 / (1 + i)),
      timings: Object.fromEntries(timings),
    }
  }
}

/** Names of an answer that it did not start from, each once. */
export function namesToAsk(answer: RankedAnswer, { from }: Pick<SecondHop, 'from'>): string[] {
  const started = new Set(answer.seeds)
  const names =
    from === 'path' ? answer.paths(1).flatMap((path) => path.names) : answer.subjects(SUBJECTS)
  return [...new Set(names)].filter((name) => !started.has(name))
}

/**
 * The second hop of an agent that reads right: the set's answers of the earlier hops are handed
 * back, and both answers are interleaved.
 */
export class ReadingSystem implements BenchSystem {
  readonly name = 'answers of the earlier hops, as the set tells them'

  /** `read`: those answers, by question. */
  constructor(
    private readonly inner: BenchSystem,
    private readonly read: ReadonlyMap<string, readonly string[]>,
  ) {}

  index(passages: readonly BenchPassage[], vectors: readonly Float32Array[] | null): Promise<void> {
    return this.inner.index(passages, vectors)
  }

  async rank(
    question: string,
    queryVector: Float32Array | null,
    count: number,
  ): Promise<RankedAnswer> {
    const first = await this.inner.rank(question, queryVector, count),
      injected = this.read.get(question) ?? []
    if (injected.length === 0) return first
    const second = await this.inner.rank(question, queryVector, count, { injected })
    const ids = [
      ...new Set(second.ids.flatMap((id, i) => [id, ...first.ids.slice(i, i + 1)])),
    ].slice(0, count)
    return { ...second, ids, scores: ids.map((_, i) => 1 / (1 + i)) }
  }
}
