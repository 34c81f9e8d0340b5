/**
 * The measuring that needs an engine in the same thread, in Node and in the worker of a page alike.
 */
import type { Corpus } from '../../../src/corpus/corpus.ts'
import { HashingEmbedder, hashedVector } from '../../../src/embed/hashing.ts'
import type { LocalEngine } from '../../../src/engine/engine.ts'
import type { AskedOnce } from './figures.ts'

export const DIMS = 384

/**
 * The embedder of the bench: deterministic, of a model's dimensions, and a thousand times as fast.
 */
export const benchEmbedder = (): HashingEmbedder => new HashingEmbedder(DIMS)

/** The corpus of an engine; the bench looks where callers cannot. */
const corpusOf = (engine: LocalEngine): Corpus =>
  (engine as unknown as { readonly memory: Corpus }).memory

export interface Account {
  readonly text: number
  readonly tables: number
  readonly vectors: number
  readonly textRead: number
}

export function accountOf(engine: LocalEngine): Account {
  const { text, table, vectors } = corpusOf(engine)
  return {
    text: text.bytes,
    tables: table.bytes,
    vectors: vectors?.bytes ?? 0,
    textRead: text.passagesRead,
  }
}

/** Asks every question once; the question's vector costs some microseconds and is part of it. */
export async function askAll(
  engine: LocalEngine,
  questions: readonly string[],
  tier: 'text' | 'full',
): Promise<AskedOnce[]> {
  const out: AskedOnce[] = []
  for (const question of questions) {
    const queryVector = tier === 'full' ? hashedVector(question, DIMS) : null
    const from = performance.now()
    const { debug } = await engine.retrieve(question, queryVector ? { queryVector } : { tier })
    out.push({
      ms: performance.now() - from,
      edges: debug.walk.touchedEdges,
      candidates: debug.walk.candidates,
    })
  }
  return out
}

/**
 * Milliseconds of an exact scan with rescoring for each question; five in a row, as a page's clock
 * counts in tenths.
 */
export function scanAll(engine: LocalEngine, questions: readonly string[]): number[] {
  const { vectors, table } = corpusOf(engine),
    TIMES = 5
  if (!vectors) return []
  return questions.map((question) => {
    const vector = hashedVector(question, DIMS),
      from = performance.now()
    for (let i = 0; i < TIMES; i++) vectors.scores(vector, table.slots)
    return (performance.now() - from) / TIMES
  })
}
