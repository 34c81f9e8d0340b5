/** Errors over a port: code, message, details, retryable and the chain of causes arrive. */
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { WireCause, WireError } from './protocol.ts'

/** Causes of causes further down explain nothing any more, and a chain may be a ring. */
const CAUSE_DEPTH = 4

/**
 * Any thrown value as a WireError. What is not a HubmeshError is a fault of ours and becomes
 * `bug/invariant`, except a foreign AbortError.
 */
export function toWireError(thrown: unknown): WireError {
  if (isHubmeshError(thrown)) return hubmeshToWire(thrown, CAUSE_DEPTH)
  const aborted = thrown instanceof Error && thrown.name === 'AbortError'
  return {
    code: aborted ? 'aborted' : 'bug/invariant',
    message: aborted
      ? 'The call was cancelled by its AbortSignal; nothing partial was kept.'
      : `An unexpected ${nameOf(thrown)} ended the call. This is a fault of hubmesh; please report it with its cause.`,
    details: {},
    retryable: false,
    stack: null,
    cause: causeToWire(thrown, CAUSE_DEPTH),
  }
}

/** The HubmeshError that a WireError stands for. */
export function fromWireError(wire: WireError): HubmeshError {
  const cause = causeFromWire(wire.cause)
  const error = new HubmeshError(wire.code, wire.message, {
    details: wire.details,
    retryable: wire.retryable,
    ...(cause === undefined ? {} : { cause }),
  })
  if (wire.stack !== null) error.stack = wire.stack
  return error
}

function hubmeshToWire(error: HubmeshError, depth: number): WireError {
  return {
    code: error.code,
    message: error.message,
    details: error.details ?? {},
    retryable: error.retryable === true,
    stack: error.stack ?? null,
    cause: causeToWire(error.cause, depth),
  }
}

function causeToWire(cause: unknown, depth: number): WireCause | WireError | null {
  if (cause === undefined || cause === null || depth === 0) return null
  if (isHubmeshError(cause)) return hubmeshToWire(cause, depth - 1)
  if (cause instanceof Error)
    return {
      name: cause.name,
      message: cause.message,
      stack: cause.stack ?? null,
      cause: causeToWire(cause.cause, depth - 1),
    }
  // A thrown value that is no error may hold anything, documents included: only its kind is told.
  return { name: nameOf(cause), message: `A thrown ${nameOf(cause)}.`, stack: null, cause: null }
}

function causeFromWire(wire: WireCause | WireError | null): Error | undefined {
  if (wire === null) return undefined
  if ('code' in wire) return fromWireError(wire)
  const cause = causeFromWire(wire.cause)
  const error = new Error(wire.message, cause === undefined ? undefined : { cause })
  error.name = wire.name
  if (wire.stack !== null) error.stack = wire.stack
  return error
}

function nameOf(value: unknown): string {
  return value instanceof Error ? value.name : typeof value
}
