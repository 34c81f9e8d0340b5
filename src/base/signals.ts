/** Listening to an AbortSignal that may be missing. */
import { abortedError, type HubmeshError } from './errors.ts'

/** Calls `listener` once the signal aborts; gives what takes it away again. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  signal?.addEventListener('abort', listener, { once: true })
  return () => {
    signal?.removeEventListener('abort', listener)
  }
}

/** The work's end, or `aborted` as soon as the signal fires: some work never answers again. */
export function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  error: () => HubmeshError = () => abortedError(signal),
): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(error())
    }
    if (signal.aborted) stop()
    const unlisten = onAbort(signal, stop)
    work.then(resolve, reject).finally(unlisten)
  })
}
