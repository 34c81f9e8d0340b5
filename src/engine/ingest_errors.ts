/** Owns what an addition says when it is stopped or refused. Refuses: deciding that it is. */
import { HubmeshError } from '../base/errors.ts'
import type { Rejection } from '../types.ts'

export function throwIfStopped(signal: AbortSignal | undefined, done: number, total: number): void {
  if (!signal?.aborted) return
  throw new HubmeshError(
    'aborted',
    done === 0
      ? 'The call was cancelled by its AbortSignal; nothing of it was kept.'
      : `The call was cancelled by its AbortSignal after ${done} of ${total} documents; those ` +
          'are saved whole, the others were not begun.',
    { cause: signal.reason, details: { kept: done, total } },
  )
}

export function conflict(id: string, sameText: boolean): HubmeshError {
  return new HubmeshError(
    'input/conflict',
    `The corpus has ${sameText ? 'other metadata' : 'another text'} under the id ` +
      `"${id.slice(0, 80)}". Use update(), or add(…, { ` +
      `onConflict: 'replace' }), to replace it; nothing of this call was added.`,
    { details: { id: id.slice(0, 80) } },
  )
}

export function refused(first: Rejection, count: number): HubmeshError {
  const others = count > 1 ? ` ${count - 1} more could not be read either.` : ''
  return new HubmeshError(
    'input/invalid',
    `${first.name}: ${first.reason}${others} Use { onInvalid: 'skip' } to take the rest; ` +
      'nothing of this call was added.',
    { details: { name: first.name, rejected: count } },
  )
}
