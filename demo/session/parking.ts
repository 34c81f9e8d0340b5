/** Corpora in memory that are not shown: closed, they would be lost; none embeds meanwhile. */
import type { Engine, EngineStatus } from '../../src/index.ts'
import type { CorpusEntry } from '../platform/engine.ts'

interface Parked {
  readonly engine: Engine
  readonly documents: number
  /** Embedding was stopped for the time being. */
  readonly paused: boolean
}

export class Parking {
  private readonly parked = new Map<string, Parked>()

  async put(engine: Engine): Promise<void> {
    const { documents, embedding } = await engine.status(),
      paused = embedding.state === 'running' || embedding.state === 'loading'
    if (paused) await engine.pauseEmbedding()
    this.parked.set(engine.corpus, { engine, documents, paused })
  }

  /** Gives it back to be shown; null where it is not here. */
  async take(name: string): Promise<Engine | null> {
    const parked = this.parked.get(name)
    if (!parked) return null
    this.parked.delete(name)
    if (parked.paused) await parked.engine.resumeEmbedding()
    return parked.engine
  }

  get(name: string): Engine | null {
    return this.parked.get(name)?.engine ?? null
  }

  drop(name: string): void {
    this.parked.delete(name)
  }

  /** Those that are here, after the open one. */
  listed(open: Engine | null, status: EngineStatus | null): readonly CorpusEntry[] {
    const shown =
      open === null ? [] : [{ name: open.corpus, documents: status?.documents ?? 0, bytes: null }]
    return [
      ...shown,
      ...[...this.parked].map(([name, { documents }]) => ({ name, documents, bytes: null })),
    ]
  }
}
