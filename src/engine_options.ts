/** Owns the check of what an engine is opened with. Refuses: options nobody knows, and values that could not work; see the stages for what each means. */
import type { EngineOptions } from './engine.ts'
import { HubmeshError } from './errors.ts'
import { checkOptions, nearest, type KnownOptions } from './options.ts'
import { checkWeights } from './retrieve/request.ts'

const KNOWN: KnownOptions<EngineOptions> = { corpus: true, storage: true, embedder: true, chunk: true, index: true, countTokens: true, ranking: true, planner: true, encryption: true, signal: true }
const CHUNK: KnownOptions<NonNullable<EngineOptions['chunk']>> = { strategy: true, tokens: true, overlap: true }

/** Throws `input/invalid`, naming the option and what may have been meant. */
export function checkEngineOptions(options: EngineOptions): void {
  checkOptions<EngineOptions>('createEngine()', options, KNOWN)
  const { index = 'auto', ranking, planner, chunk } = options
  if (!['exact', 'hnsw', 'auto'].includes(index)) throw new HubmeshError('input/invalid', `index is ${String(index).slice(0, 40)}; it must be 'exact', 'hnsw' or 'auto'.`, { details: { field: 'index' } })
  if (chunk !== undefined) checkOptions<NonNullable<EngineOptions['chunk']>>('chunk', chunk, CHUNK)
  checkRanking(ranking, planner)
}

/** `ranking` is 'hubmesh' or all the weights; `planner` goes with the former alone. */
export function checkRanking(ranking: EngineOptions['ranking'], planner: unknown): void {
  if (typeof ranking === 'string') {
    if (ranking !== 'hubmesh') throw new HubmeshError('input/invalid', `ranking is "${String(ranking).slice(0, 40)}"${nearest(ranking, ['hubmesh']) === null ? '' : '; did you mean "hubmesh"?'} Leave it out for the default, give "hubmesh", or an object of weights.`, { details: { field: 'ranking' } })
  } else if (ranking !== undefined) checkWeights(ranking)
  if (planner !== undefined && ranking !== 'hubmesh') throw new HubmeshError('input/invalid', 'The option planner goes with ranking: "hubmesh"; the default ranking has none of its fields.', { details: { option: 'planner' } })
}
