/**
 * What a first visit begins with: the sample in memory, by names and words alone, so that nothing is
 * saved or downloaded unasked.
 */
import type { Engine } from '../../src/index.ts'
import { openEngine } from '../platform/engine.ts'
import { fetchSample, SAMPLE } from '../platform/sample.ts'
import type { State } from './state.ts'

/** Milliseconds that it may take to come. */
const EXAMPLE_MS = 10_000

/** Null where it cannot be had: the page then says how to begin. */
export async function openExample(): Promise<Engine | null> {
  let engine: Engine | null = null
  try {
    engine = await openEngine(SAMPLE.corpus, 'memory', { meaning: false, index: 'auto' })
    await engine.add(await fetchSample(AbortSignal.timeout(EXAMPLE_MS)))
    await engine.ready('settled')
    return engine
  } catch {
    await engine?.close().catch(() => undefined)
    return null
  }
}

/** Whether nothing was begun, and no message waits to be read. */
export function untouched(state: State): boolean {
  const { corpus, engine, found, adding, waiting, reports, corpusProblem } = state
  return (
    corpus === null &&
    engine === null &&
    found === null &&
    adding === null &&
    waiting + reports.length === 0 &&
    corpusProblem === null
  )
}
