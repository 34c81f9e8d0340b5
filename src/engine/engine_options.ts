/** Checks what an engine is opened with; unknown options and impossible values are rejected. */
import type { Embedder } from '../embed/embedder.ts'
import { LANGUAGES } from '../lexical/languages.ts'
import type { RankingWeights } from '../retrieve/weights.ts'
import type { Encryption } from '../store/encryption/encryption.ts'
import type { ModelChange } from '../store/records/model_change.ts'
import type { CorpusSettings } from '../store/storage.ts'
import type { TokenCounterChoice } from '../types.ts'
import { HubmeshError } from '../base/errors.ts'
import {
  among,
  checkOptions,
  functionOption,
  nearest,
  oneOf,
  signalOption,
  strings,
  whole,
  type KnownOptions,
} from '../base/options.ts'
import { LIMITS } from '../base/limits.ts'
import { decodeIdentity } from '../store/records/settings_codec.ts'
import type { OpenFolder } from './adding/list_folder.ts'
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
   * Languages of the documents beside English, as codes of ISO 639-1 (`de`, `fr`); by default they
   * are found by their function words. `[]` for English alone.
   */
  readonly languages?: readonly string[]
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
  /**
   * Where the corpus has vectors of another model than `embedder`: `refuse` (default) rejects with
   * `model/incompatible` and changes nothing, `reembed` drops them and embeds every passage again.
   */
  readonly onModelChange?: ModelChange
  readonly signal?: AbortSignal
  /** Lists a folder by its path, for `sync`; left out where there are no paths. */
  readonly openFolder?: OpenFolder
}

const KNOWN: KnownOptions<EngineOptions> = {
  corpus: true,
  storage: true,
  embedder: embedderOption,
  chunk: (name, value) => {
    checkOptions<NonNullable<EngineOptions['chunk']>>(name, value, CHUNK)
  },
  index: among('exact', 'hnsw', 'auto'),
  countTokens: (name, value) =>
    typeof value === 'function' || oneOf(name, value, ['approx', 'o200k', 'cl100k']),
  languages: (name, value) => {
    for (const code of strings(name, value)) oneOf(`${name} of`, code, [...LANGUAGES.keys()])
  },
  ranking: true,
  planner: true,
  encryption: true,
  onModelChange: among('refuse', 'reembed'),
  signal: signalOption,
  openFolder: functionOption,
}
const CHUNK: KnownOptions<NonNullable<EngineOptions['chunk']>> = {
  strategy: among('sentences', 'chars', 'none'),
  tokens: (name, value) => whole(`chunk.${name}`, value, 0, LIMITS.documentChars),
  overlap: (name, value) => whole(`chunk.${name}`, value, 0, LIMITS.documentChars),
  cutting: (name, value) => whole(`chunk.${name}`, value, 1, 1_000_000),
  embeddedText: (name, value) => whole(`chunk.${name}`, value, 1, 1_000_000),
}

/** Throws `input/invalid`, naming the option and what may have been meant. */
export function checkEngineOptions(options: EngineOptions): void {
  checkOptions<EngineOptions>('createEngine()', options, KNOWN)
  checkRanking(options.ranking, options.planner)
}

function embedderOption(_name: string, value: unknown): void {
  if (value === null || decodeIdentity((value as Partial<Embedder>).identity)) return
  throw new HubmeshError(
    'input/invalid',
    "The embedder's identity must be { model, revision, dtype, pooling } of strings and dims, a " +
      `whole number from 1 to ${LIMITS.vectorDims}: vectors of two identities are never compared.`,
    { details: { option: 'model' } },
  )
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
        `ranking is "${String(ranking).slice(0, 40)}"` +
          (nearest(ranking, ['python', 'hubmesh']) === null ? '. ' : '; did you mean "python"? ') +
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
