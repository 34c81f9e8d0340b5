/** Opens the engine with the Python planner as one of its rankings. */
import { LocalEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { ParityRanker, type PlannerSettings } from './parity.ts'

/** `LocalEngine.open` with `ranking: 'python'` available. Rejects as it does. */
export function openEngine(options: EngineOptions): Promise<LocalEngine> {
  return LocalEngine.open(
    options,
    (corpus, generation, settings) =>
      new ParityRanker(corpus, generation, settings as PlannerSettings | undefined),
  )
}
