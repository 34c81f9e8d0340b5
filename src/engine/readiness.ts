/** Owns who waits for how far the corpus is. Refuses: the work that gets it there. */
import { abortedError, HubmeshError } from '../base/errors.ts'
import type { ReadyStep } from '../types.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Settler } from './settler.ts'
import type { Vectorizer } from './vectorizer.ts'

interface Waiter {
  readonly step: ReadyStep
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

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
  wait(step: ReadyStep, signal?: AbortSignal): Promise<void> {
    if (step !== 'text' && step !== 'vectors' && step !== 'settled') {
      return Promise.reject(
        new HubmeshError('input/invalid', 'ready() takes "text", "vectors" or "settled".', {
          details: { field: 'step' },
        }),
      )
    }
    if (signal?.aborted) return Promise.reject(abortedError(signal))
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.waiters.delete(waiter)
        reject(abortedError(signal))
      }
      const done = (finish: () => void) => (): void => {
        signal?.removeEventListener('abort', onAbort)
        finish()
      }
      const waiter: Waiter = {
        step,
        resolve: done(resolve),
        reject: (error) => {
          done(() => {
            reject(error)
          })()
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waiters.add(waiter)
      this.check()
    })
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
        new HubmeshError(
          'store/closed',
          'The engine was closed while somebody waited for it to be ready.',
        ),
      )
    this.waiters.clear()
  }

  private reached(step: ReadyStep): boolean | HubmeshError {
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
