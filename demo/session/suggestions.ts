/** What a person may ask to begin with: sample questions, else the best known names. */
import type { Engine } from '../../src/index.ts'
import { fetchSampleQuestions, SAMPLE } from '../platform/sample.ts'
import type { State } from './state.ts'

const NAMES = 6

export async function suggestionsOf(
  engine: Pick<Engine, 'corpus' | 'graphStats'>,
): Promise<Partial<Pick<State, 'suggestions' | 'hubs'>>> {
  try {
    if (engine.corpus === SAMPLE.corpus) return { suggestions: await fetchSampleQuestions() }
    const { hubs } = await engine.graphStats()
    return { hubs: hubs.slice(0, NAMES).map((hub) => hub.label) }
  } catch {
    // What is wrong with the engine shows where it matters.
    return {}
  }
}
