/** Checks the options of a question: unknown in, checked values or `input/invalid` out. */
import { LIMITS } from '../base/limits.ts'
import { invalid, strings, whole } from '../base/options.ts'
import type { HistoryEntry, RetrieveOptions } from '../types.ts'
import { DEFAULT_WEIGHTS } from './weights.ts'
import type { RankingWeights } from './weights.ts'

export interface SettledQuery {
  readonly text: string
  readonly topK: number
  /** Infinity where it is not bounded. */
  readonly perDocument: number
  readonly budgetTokens: number
  readonly fill: boolean
  readonly tier: 'auto' | 'text' | 'full'
  readonly seedEntities: readonly string[]
  readonly questionSeeds: readonly string[] | null
  readonly excludeDocs: readonly string[]
  readonly queryVector: Float32Array | null
  readonly history: readonly HistoryEntry[]
  readonly warnings: readonly string[]
}

export const DEFAULT_TOP_K = 10
export const DEFAULT_BUDGET_TOKENS = 4000
/** The context is packed from at least this many of the best passages, whatever `topK` is. */
export const PACK_FROM = 40

/** `dims` is the length a query vector must have, null where the corpus has no embedder. */
export function settleQuery(
  query: unknown,
  options: RetrieveOptions,
  dims: number | null,
): SettledQuery {
  if (typeof query !== 'string')
    throw invalid('query', typeof query, 'Give the question as a string.')
  if (query.trim() === '') throw invalid('query', 'an empty string', 'Ask with at least one word.')
  const warnings: string[] = []
  let text = query
  if (query.length > LIMITS.queryChars) {
    text = query.slice(0, LIMITS.queryChars)
    warnings.push(
      `The question has ${query.length} characters; only the first ${LIMITS.queryChars} were read.`,
    )
  }
  const tier: unknown = options.tier ?? 'auto'
  if (tier !== 'auto' && tier !== 'text' && tier !== 'full')
    throw invalid('tier', String(tier).slice(0, 20), 'Use "auto", "text" or "full".')
  return {
    text,
    tier,
    topK: whole('topK', options.topK ?? DEFAULT_TOP_K, 1, LIMITS.topK),
    perDocument:
      options.perDocument === undefined
        ? Infinity
        : whole('perDocument', options.perDocument, 1, LIMITS.topK),
    budgetTokens: whole(
      'budgetTokens',
      options.budgetTokens ?? DEFAULT_BUDGET_TOKENS,
      1,
      LIMITS.budgetTokens,
    ),
    fill: flag('fill', options.fill ?? false),
    seedEntities: strings('seedEntities', options.seedEntities ?? []),
    questionSeeds:
      options.questionSeeds === undefined ? null : strings('questionSeeds', options.questionSeeds),
    excludeDocs: strings('excludeDocs', options.excludeDocs ?? []),
    queryVector:
      options.queryVector === undefined ? null : vector('queryVector', options.queryVector, dims),
    history: checkHistory(options.history ?? []),
    warnings,
  }
}

function flag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw invalid(name, typeof value, 'Use true or false.')
}

function checkHistory(value: unknown): readonly HistoryEntry[] {
  const isEntry = (entry: unknown): boolean =>
    typeof entry === 'string' ||
    (typeof entry === 'object' &&
      entry !== null &&
      typeof (entry as { role?: unknown }).role === 'string' &&
      typeof (entry as { content?: unknown }).content === 'string')
  if (Array.isArray(value) && value.every(isEntry)) return value as HistoryEntry[]
  throw invalid(
    'history',
    Array.isArray(value) ? 'a list with other things' : typeof value,
    'Use a list of strings or of messages such as { role: "user", content: "Who …?" }.',
  )
}

/** Checks all weights: one that is missing or NaN would make every score NaN. */
export function checkWeights(value: unknown): RankingWeights {
  if (typeof value !== 'object' || value === null)
    throw invalid(
      'ranking',
      value === null ? 'null' : typeof value,
      'Give an object of weights, such as { ...DEFAULT_WEIGHTS, graph: 0.5 }.',
    )
  for (const [name, usual] of Object.entries(DEFAULT_WEIGHTS)) {
    const given = (value as Record<string, unknown>)[name]
    if (typeof given === typeof usual && (typeof given !== 'number' || Number.isFinite(given)))
      continue
    throw invalid(
      `ranking.${name}`,
      typeof given === 'number' ? String(given) : typeof given,
      `Use a ${typeof usual === 'number' ? 'finite number' : typeof usual}; { ` +
        '...DEFAULT_WEIGHTS, … } has all the others.',
    )
  }
  return value as RankingWeights
}

function vector(name: string, value: unknown, dims: number | null): Float32Array {
  if (
    typeof value !== 'object' ||
    value === null ||
    !Number.isSafeInteger((value as ArrayLike<number>).length)
  )
    throw invalid(
      name,
      value === null ? 'null' : typeof value,
      'Give an array of numbers or a Float32Array.',
    )
  const { length } = value as ArrayLike<number>
  if (dims !== null && length !== dims)
    throw invalid(name, `a list of ${length} components`, `This corpus has vectors of ${dims}.`)
  const out = Float32Array.from(value as ArrayLike<number>)
  if (!out.every(Number.isFinite) || !out.some((x) => x !== 0))
    throw invalid(
      name,
      'a vector with a component that is not finite, or of zeros alone',
      'Give the vector as its embedder made it.',
    )
  return out
}
