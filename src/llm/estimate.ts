/** What an extraction will cost, before anything is asked. */
import { admitAll } from '../document/admit.ts'
import { estimateTokens } from '../chunk/estimate_tokens.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import type { AdmittedDocument, DocumentInput } from '../types.ts'
import type { LLMCache } from './cache.ts'
import { decodeCached } from './cached_reply.ts'
import type { Outcome } from './collect.ts'
import type { LLMEstimate } from './extraction.ts'
import { cacheKey, checkTemplate, DEFAULT_TEMPLATE, promptOf } from './prompt.ts'

export interface EstimateOptions {
  /**
   * Names model and settings, so that a cache never gives one model's answers for another's. Needed
   * with a cache.
   */
  readonly llmIdentity?: string
  /** Holds `{passage}`, where the text goes; default DEFAULT_TEMPLATE. */
  readonly template?: string
  readonly cache?: LLMCache
  /** Default: a quarter of the UTF-16 units. */
  readonly countTokens?: (text: string) => number
  readonly signal?: AbortSignal
}

/** A text to ask for, with all documents that are that text. */
export interface PendingText {
  readonly key: string
  readonly documents: readonly AdmittedDocument[]
}

export interface CallPlan {
  readonly template: string
  readonly estimate: LLMEstimate
  readonly pending: readonly PendingText[]
  /** By document id; answers of the cache. */
  readonly outcomes: Map<string, Outcome>
}

/**
 * What buildEntityKGLLM would have to ask for, with the same options. Rejects with `input/*`, as
 * the cache does, and with `aborted`.
 */
export async function estimateEntityKGLLM(
  documents: readonly (string | DocumentInput)[],
  options: EstimateOptions = {},
): Promise<LLMEstimate> {
  return (
    await estimateCalls(
      admitAll(documents, options.signal ? { signal: options.signal } : {}).documents,
      options,
    )
  ).estimate
}

export async function estimateCalls(
  documents: readonly AdmittedDocument[],
  options: EstimateOptions,
): Promise<CallPlan> {
  const { cache, countTokens = estimateTokens, llmIdentity = '' } = options
  const template = checkTemplate(options.template ?? DEFAULT_TEMPLATE)
  if (cache && llmIdentity === '')
    throw new HubmeshError(
      'input/invalid',
      'A cache needs llmIdentity, the name of the model and its settings: without it, answers ' +
        'of one model would pass for those of another.',
      { details: { field: 'llmIdentity' } },
    )
  const texts = new Map<string, AdmittedDocument[]>(),
    outcomes = new Map<string, Outcome>()
  for (const document of documents) {
    const key = cacheKey(document.text, template, llmIdentity),
      same = texts.get(key)
    if (same) same.push(document)
    else texts.set(key, [document])
  }
  const pending: PendingText[] = []
  let promptTokens = 0,
    longestPromptTokens = 0
  for (const [key, same] of texts) {
    throwIfAborted(options.signal)
    const reply = cache ? decodeCached(await cache.get(key)) : null
    if (reply) {
      for (const { id } of same) outcomes.set(id, { reply, failure: null })
      continue
    }
    const tokens = countTokens(promptOf(template, same[0]!.text))
    promptTokens += tokens
    longestPromptTokens = Math.max(longestPromptTokens, tokens)
    pending.push({ key, documents: same })
  }
  return {
    template,
    pending,
    outcomes,
    estimate: {
      documents: documents.length,
      calls: pending.length,
      cached: outcomes.size,
      promptTokens,
      longestPromptTokens,
    },
  }
}
