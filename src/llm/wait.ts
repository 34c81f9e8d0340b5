/** Waiting that can be cancelled. */
import { abortedError, throwIfAborted } from '../base/errors.ts'

/** Resolves after `ms`; rejects with `aborted` as soon as the signal fires. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal)
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(abortedError(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    signal?.addEventListener('abort', cancel, { once: true })
  })
}
