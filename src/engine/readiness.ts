/** Promises of `ready()`: who waits for which level. */
import { onAbort, orAborted } from '../base/signals.ts'
import { abortedError, HubmeshError, throwIfAborted } from '../base/errors.ts'
import { sleep } from '../base/retry.ts'
import type { ReadyStep, RetrieveOptions } from '../types.ts'
import { LIMITS } from '../base/limits.ts'
import { whole } from '../base/options.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Settler } from './settler.ts'
import type { Vectorizer } from './vectorizer.ts'

interface Waiter {
  readonly step: ReadyStep | 'stored'
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type AnswerWait = Pick<RetrieveOptions, 'settleMs' | 'tier' | 'signal'>

export class Readiness {
  private readonly waiters = new Set<Waiter>()
  /** True while stored vectors are still being read: what is missing is not known before. */
  loadingVectors = true

  constructor(
    private readonly corpus: Corpus,
    private readonly settler: Settler,
    private readonly vectorizer: Vectorizer | null,
  ) {}

  /**
   * Resolves at the step; rejects when it cannot be reached (`vectors` without an embedder, or
   * after the embedder failed) or `aborted`.
   */
  wait(step: ReadyStep | 'stored', signal?: AbortSignal): Promise<void> {
    if (step !== 'text' && step !== 'vectors' && step !== 'settled' && step !== 'stored') {
      return Promise.reject(
        new HubmeshError('input/invalid', 'ready() takes "text", "vectors" or "settled".', {
          details: { field: 'step' },
        }),
      )
    }
    if (signal?.aborted) return Promise.reject(abortedError(signal))
    let waiter: Waiter
    const reached = new Promise<void>((resolve, reject) => {
      waiter = { step, resolve, reject }
      this.waiters.add(waiter)
      this.check()
    })
    return orAborted(reached, signal).finally(() => this.waiters.delete(waiter))
  }

  /**
   * Before a question: waits up to `settleMs` until names are settled, and for the stored vectors
   * for `tier: 'full'`. Rejects with `aborted`.
   */
  async beforeAnswer({ settleMs = LIMITS.settleMs, tier, signal }: AnswerWait): Promise<void> {
    whole('settleMs', settleMs, 0, LIMITS.settleMostMs)
    throwIfAborted(signal)
    if (!this.settler.settled && settleMs > 0) {
      const bound = new AbortController(),
        unlisten = onAbort(signal, () => {
          bound.abort(signal?.reason)
        })
      try {
        await Promise.race([this.wait('settled', bound.signal), sleep(settleMs, bound.signal)])
      } finally {
        unlisten()
        bound.abort()
      }
    }
    if (tier === 'full' && this.loadingVectors) await this.wait('stored', signal)
  }

  /** Looks again at who may go on; to be called after every change. */
  check(): void {
    for (const waiter of [...this.waiters]) {
      const verdict = this.reached(waiter.step)
      if (verdict === false) continue
      this.waiters.delete(waiter)
      if (verdict === true) waiter.resolve()
      else waiter.reject(verdict)
    }
  }

  close(): void {
    for (const waiter of this.waiters)
      waiter.reject(
        new HubmeshError('store/closed', 'The engine was closed before `ready()` resolved.'),
      )
    this.waiters.clear()
  }

  private reached(step: ReadyStep | 'stored'): boolean | HubmeshError {
    if (step === 'stored') return !this.loadingVectors
    if (step === 'text') return true
    if (step === 'settled') return this.settler.settled
    const missing = this.corpus.table.passages - this.corpus.passagesWithVectors
    if (missing === 0) return true
    if (this.loadingVectors) return false
    if (!this.vectorizer)
      return new HubmeshError(
        'model/incompatible',
        `${missing} passages have no vector and the engine has no embedder to make them. Open it with a model.`,
        { details: { missing } },
      )
    if (this.vectorizer.error) return this.vectorizer.error
    if (this.vectorizer.remaining === 0)
      return new HubmeshError(
        'model/memory',
        `${missing} passages could not be embedded; the rest were. See status().embedding.`,
        { details: { missing } },
      )
    return false
  }
}
