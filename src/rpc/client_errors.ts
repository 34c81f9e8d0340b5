/** Why a call of a page failed with its worker. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

export function closedError(corpus: string): HubmeshError {
  return new HubmeshError(
    'store/closed',
    `The engine of corpus "${corpus}" is closed. Create a new one.`,
  )
}

export function silent(silentMs: number): HubmeshError {
  return new HubmeshError(
    'worker/timeout',
    `The engine worker left ${String(LIMITS.workerPings)} pings unanswered for ` +
      `${String(silentMs)} ms and was replaced. Repeat the call.`,
    { details: { silentMs }, retryable: true },
  )
}

export function lostWithWorker(corpus: string, cause: HubmeshError): HubmeshError {
  return new HubmeshError(
    'worker/crashed',
    `The engine worker died, and corpus "${corpus}" with it: it was kept in memory only. ` +
      'Create a new engine and add the documents again, or use storage that lasts.',
    { cause, details: { corpus } },
  )
}
