/** Errors of an addition that is stopped or rejected. */
import { HubmeshError } from '../../base/errors.ts'
import type { Rejection } from '../../types.ts'

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
