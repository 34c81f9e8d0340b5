/** How many tool calls run at a time, and for how long a caller waits. */
import { orAborted } from '../base/signals.ts'
import { HubmeshError } from '../base/errors.ts'

export interface CallGate {
  /**
   * Runs the work when there is room. Rejects with `aborted` when the signal fires or the time is
   * up; what then still runs keeps its place until it ends.
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createCallGate(places: number, callMs: number): CallGate {
  let free = places
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(tooLate(signal))
        return
      }
      if (free > 0) {
        free--
        resolve()
        return
      }
      const come = (): void => {
        signal.removeEventListener('abort', go)
        resolve()
      }
      const go = (): void => {
        waiting.splice(waiting.indexOf(come), 1)
        reject(tooLate(signal))
      }
      waiting.push(come)
      signal.addEventListener('abort', go, { once: true })
    })
  return {
    async run<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
      const timer = AbortSignal.timeout(callMs),
        signal = given ? AbortSignal.any([given, timer]) : timer
      await enter(signal)
      const running = Promise.resolve().then(() => work(signal))
      running.then(leave, leave)
      return orAborted(running, signal, () => tooLate(signal))
    },
  }
}

function tooLate(signal: AbortSignal): HubmeshError {
  const timedOut =
    (signal.reason as { readonly name?: unknown } | undefined)?.name === 'TimeoutError'
  return new HubmeshError(
    'aborted',
    timedOut
      ? 'The call took too long and was given up. Ask for less, or again when the server is less busy.'
      : 'The call was cancelled.',
    { cause: signal.reason },
  )
}
