/**
 * Owns the check of what an engine is opened with. Refuses: options nobody knows, and values that
 * could not work; see the stages for what each means.
 */
import type { Embedder } from '../embed/embedder.ts'
import type { RankingWeights } from '../retrieve/weights.ts'
import type { Encryption } from '../store/encryption/encryption.ts'
import type { CorpusSettings } from '../store/storage.ts'
import type { TokenCounterChoice } from '../types.ts'
import { HubmeshError } from '../base/errors.ts'
import { checkOptions, nearest, type KnownOptions } from '../base/options.ts'
import { checkWeights } from '../retrieve/request.ts'

export interface EngineOptions {
  /** Name of the corpus, 1 to 64 characters; each has its own storage. */
  readonly corpus: string
  readonly storage: 'indexeddb' | 'memory' | { readonly directory: string }
  /**
   * Where vectors come from; null for the text tier alone, or vectors given with documents and
   * questions.
   */
  readonly embedder: Embedder | null
  /** How documents are cut; fixed when the corpus is made. */
  readonly chunk?: Partial<CorpusSettings['chunk']>
  readonly index?: 'exact' | 'hnsw' | 'auto'
  readonly countTokens?: TokenCounterChoice
  /**
   * All the weights of the default ranking, or 'python': that of hubmesh for Python, for those who
   * move over and compare ('hubmesh' is its old name).
   */
  readonly ranking?: RankingWeights | 'python' | 'hubmesh'
  /**
   * Settings of the Python ranking, beside `ranking: 'python'`; see the type of `planner` of
   * createEngine.
   */
  readonly planner?: object
  /**
   * By what everything stored is encrypted: an AES-GCM CryptoKey, or a passphrase. A corpus begun
   * with it opens with it only, else `store/locked`; what is exported is not encrypted.
   */
  readonly encryption?: Encryption
  readonly signal?: AbortSignal
}

const KNOWN: KnownOptions<EngineOptions> = {
  corpus: true,
  storage: true,
  embedder: true,
  chunk: true,
  index: true,
  countTokens: true,
  ranking: true,
  planner: true,
  encryption: true,
  signal: true,
}
const CHUNK: KnownOptions<NonNullable<EngineOptions['chunk']>> = {
  strategy: true,
  tokens: true,
  overlap: true,
  cutting: true,
  embeddedText: true,
}

/** Throws `input/invalid`, naming the option and what may have been meant. */
export function checkEngineOptions(options: EngineOptions): void {
  checkOptions<EngineOptions>('createEngine()', options, KNOWN)
  const { index = 'auto', ranking, planner, chunk } = options
  if (!['exact', 'hnsw', 'auto'].includes(index))
    throw new HubmeshError(
      'input/invalid',
      `index is ${String(index).slice(0, 40)}; it must be 'exact', 'hnsw' or 'auto'.`,
      { details: { field: 'index' } },
    )
  if (chunk !== undefined) checkOptions<NonNullable<EngineOptions['chunk']>>('chunk', chunk, CHUNK)
  checkRanking(ranking, planner)
}

/** 'hubmesh' is the old name of 'python'. */
export function isPythonRanking(ranking: unknown): boolean {
  return ranking === 'python' || ranking === 'hubmesh'
}

/** `ranking` is 'python' or all the weights; `planner` goes with the former alone. */
export function checkRanking(ranking: EngineOptions['ranking'], planner: unknown): void {
  if (typeof ranking === 'string') {
    if (!isPythonRanking(ranking))
      throw new HubmeshError(
        'input/invalid',
        'ranking is ' +
          `"${String(ranking).slice(0, 40)}"${nearest(ranking, ['python', 'hubmesh']) === null ? '' : '; did you mean "python"?'} ` +
          'Leave it out for the default, give "python", or an object of weights.',
        { details: { field: 'ranking' } },
      )
  } else if (ranking !== undefined) checkWeights(ranking)
  if (planner !== undefined && !isPythonRanking(ranking))
    throw new HubmeshError(
      'input/invalid',
      'The option planner goes with ranking: "python"; the default ranking has none of its fields.',
      { details: { option: 'planner' } },
    )
}
