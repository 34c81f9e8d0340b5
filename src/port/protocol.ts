/**
 * Shapes that cross a worker's port, whatever service answers: ready message, events, errors,
 * replies. Types, and the protocol's version.
 */
import type { ErrorCode, ErrorDetails } from '../base/errors.ts'
import type { EngineStatus, Progress } from '../types.ts'

/**
 * Bumped whenever a shape below changes: a page of one build must not talk to a worker of another.
 */
export const PROTOCOL_VERSION = 3

export type WorkerRole = 'engine' | 'embed'

/** The first message of every worker, once its listeners are in place. */
export interface ReadyMessage {
  readonly hubmesh: 'ready'
  readonly role: WorkerRole
  readonly version: number
}

/** Sent beside the replies, on the same port and so in order with them. */
export interface EventMessage {
  readonly hubmesh: 'event'
  /** The call it belongs to; 0 for events of the service as a whole. */
  readonly call: number
  readonly event: PortEvent
}

export type PortEvent =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'status'; readonly status: EngineStatus }
  | { readonly kind: 'embed-wanted'; readonly slot: number }
  | { readonly kind: 'embed-done'; readonly slot: number }
  /** Files of a model arriving in an embedding worker. */
  | { readonly kind: 'download'; readonly loadedBytes: number; readonly totalBytes: number }

/** Gives an embedding worker the port on which the engine worker will speak to it. */
export interface PortMessage {
  readonly hubmesh: 'port'
  readonly port: MessagePort
}

/** A cause as it survives the port: a HubmeshError keeps its code, any other error its name. */
export interface WireCause {
  readonly name: string
  readonly message: string
  readonly stack: string | null
  readonly cause: WireCause | WireError | null
}

/**
 * A HubmeshError in transit. Structured cloning keeps of an error class its name alone, so errors
 * travel as data.
 */
export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
  readonly retryable: boolean
  readonly stack: string | null
  readonly cause: WireCause | WireError | null
}

export type Reply =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: WireError }

/**
 * What a facade answers: the methods of a service by name, with plain, cloneable arguments and
 * results.
 */
export type Service = Record<never, never>

export type MethodOf<S> = keyof S & string
export type ArgumentsOf<S, M extends keyof S> = S[M] extends (...args: infer A) => unknown
  ? A
  : never
export type ResultOf<S, M extends keyof S> = S[M] extends (...args: never[]) => infer R
  ? Awaited<R>
  : never

/**
 * Reads may be repeated without harm. A write that lost its worker may or may not have happened.
 */
export type CallKind = 'read' | 'write'

/** The allow-list of a service: nothing else can be reached over its port. */
export type MethodTable<S> = { readonly [M in MethodOf<S>]: CallKind }
