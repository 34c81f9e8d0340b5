/** Opens the engine with the Python planner as one of its rankings. */
import { LocalEngine } from '../engine/engine.ts'
import { isPythonRanking, type EngineOptions } from '../engine/engine_options.ts'
import type { PlannerSettings } from './parity.ts'

/** `LocalEngine.open` with `ranking: 'python'`, loaded where it is asked for. Rejects as it does. */
export async function openEngine(options: EngineOptions): Promise<LocalEngine> {
  if (!isPythonRanking(options.ranking)) return LocalEngine.open(options)
  const { ParityRanker } = await import('./parity.ts')
  return LocalEngine.open(
    options,
    (corpus, generation, settings) =>
      new ParityRanker(corpus, generation, settings as PlannerSettings | undefined),
  )
}
