/**
 * `buildEntityKGLLM`: texts to names and relations by a language model, each held against its
 * text.
 */
import { admitAll } from '../document/admit.ts'
import { sleep } from '../base/retry.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Linker } from '../compat/planner/linker.ts'
import type { DocumentInput } from '../types.ts'
import { LLMCaller } from './call_llm.ts'
import type { CallFailure } from './call_llm.ts'
import { collectExtraction } from './collect.ts'
import type { Outcome } from './collect.ts'
import { estimateCalls } from './estimate.ts'
import type { EstimateOptions, PendingText } from './estimate.ts'
import type { LLMEstimate, LLMExtraction } from './extraction.ts'
import type { LLM } from './llm.ts'
import { promptOf } from './prompt.ts'
import { readReply } from './read_reply.ts'
import { encodeCached } from './cached_reply.ts'

export interface LLMProgress {
  /** Documents that have their answer or failed. */
  readonly done: number
  readonly total: number
  readonly failed: number
  /** Milliseconds of the wait that has just begun, 0 otherwise. */
  readonly waitingMs: number
}

export interface BuildEntityKGLLMOptions extends EstimateOptions {
  readonly llm: LLM
  /** Calls under way at a time; default 1. */
  readonly concurrency?: number
  /** Attempts at an answer while the server is busy or gone; default LIMITS.llmAttempts. */
  readonly attempts?: number
  /** Milliseconds one answer may take; default LIMITS.llmTimeoutMs. */
  readonly timeoutMs?: number
  /** Merges names across documents. */
  readonly linker?: Linker | null
  /**
   * Called before the first call; when it gives false, nothing is asked and the build rejects with
   * `aborted`.
   */
  readonly onEstimate?: (estimate: LLMEstimate) => unknown
  readonly onProgress?: (progress: LLMProgress) => void
  /** How a pause is waited for; for tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Asks the model for names and triples of each text (not of its title), which should be short
 * enough for the model's window: chunk long documents first. Every answer is put into the cache as
 * it comes, so a build that was cancelled or broke off goes on from there; documents of one text
 * are asked for once. What comes out depends on the answers, not on their order. Rejects with
 * `input/*`, `remote/auth`, as the cache and the linker do, and with `aborted`; any other failure
 * costs its document its triples and stands in `failures`.
 */
export async function buildEntityKGLLM(
  documents: readonly (string | DocumentInput)[],
  options: BuildEntityKGLLMOptions,
): Promise<LLMExtraction> {
  const { signal, onProgress, linker = null, cache } = options
  const concurrency = whole(options.concurrency ?? 1, 'concurrency'),
    attempts = whole(options.attempts ?? LIMITS.llmAttempts, 'attempts')
  throwIfAborted(signal)
  const admitted = admitAll(documents, signal ? { signal } : {}).documents
  const { estimate, pending, outcomes, template } = await estimateCalls(admitted, options)
  if ((await options.onEstimate?.(estimate)) === false)
    throw new HubmeshError('aborted', 'onEstimate gave false, so no call was made.')

  let done = outcomes.size,
    failed = 0
  const report = (waitingMs = 0): void =>
    onProgress?.({ done, total: admitted.length, failed, waitingMs })
  const caller = new LLMCaller({
    llm: options.llm,
    attempts,
    timeoutMs: options.timeoutMs ?? LIMITS.llmTimeoutMs,
    wait: options.wait ?? sleep,
    onWait: report,
    signal,
  })
  const answer = async ({ key, documents: same }: PendingText): Promise<void> => {
    const outcome = outcomeOf(await caller.ask(promptOf(template, same[0]!.text)))
    // Only a whole answer is worth keeping; another build asks again for the rest.
    if (outcome.reply && !outcome.failure) await cache?.set(key, encodeCached(outcome.reply))
    for (const { id } of same) outcomes.set(id, outcome)
    done += same.length
    if (outcome.failure) failed += same.length
    report()
  }
  report()
  await inParallel(pending, concurrency, answer)
  throwIfAborted(signal)
  return await collectExtraction({
    documents: admitted,
    outcomes,
    estimate,
    linker,
    asked: pending.length,
    signal,
  })
}

function outcomeOf(said: string | CallFailure): Outcome {
  if (typeof said !== 'string') return { reply: null, failure: { reason: 'call', ...said } }
  const reply = readReply(said)
  if (reply === null)
    return {
      reply,
      failure: {
        reason: 'unreadable',
        code: null,
        attempts: 1,
        message: 'The answer holds no triples in JSON; it may be a refusal.',
      },
    }
  return {
    reply,
    failure: reply.complete
      ? null
      : {
          reason: 'cut',
          code: null,
          attempts: 1,
          message:
            'The answer broke off; what came before is kept. Allow longer answers or send shorter texts.',
        },
  }
}

/**
 * Runs the work on a few items at a time, in their order. The first rejection is the outcome, once
 * those under way have ended.
 */
async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const errors: unknown[] = []
  const lane = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      try {
        await work(items[next++]!)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane))
  if (errors.length > 0) throw errors[0]
}

function whole(value: number, field: string): number {
  if (!Number.isInteger(value) || value < 1)
    throw new HubmeshError(
      'input/invalid',
      `${field} is ${value}; it must be a whole number of at least 1.`,
      { details: { field } },
    )
  return value
}
