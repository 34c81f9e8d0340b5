/**
 * Calling end of a port: Comlink carries the calls, this file knows which are pending, so that a
 * dead worker rejects them (Comlink alone would let them hang for ever).
 */
import { onAbort } from '../base/signals.ts'
import { wrap } from 'comlink'
import type { Endpoint } from 'comlink'
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import type {
  ArgumentsOf,
  CallKind,
  EventMessage,
  MethodOf,
  MethodTable,
  PortEvent,
  Reply,
  ResultOf,
  WireError,
} from './protocol.ts'
import { plainCopy } from './plain_copy.ts'
import { CANCEL } from './serve.ts'
import { fromWireError } from './wire_error.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: PortEvent) => void) | undefined
}

interface Pending {
  readonly method: string
  readonly kind: CallKind
  readonly onEvent: ((event: PortEvent) => void) | undefined
  readonly reject: (error: HubmeshError) => void
}

type Remote = Record<string, (call: number, ...args: unknown[]) => Promise<Reply>>

export class Connection<S> {
  private readonly endpoint: Endpoint
  private readonly methods: MethodTable<S>
  private readonly remote: Remote
  private readonly waiting = new Map<number, Pending>()
  private readonly onEvent: (event: PortEvent) => void
  private readonly onGarbage: (error: HubmeshError) => void
  private calls = 0
  private end: HubmeshError | null = null

  /**
   * `onEvent` gets the events that belong to no call; `onGarbage` hears when the other side gave an
   * answer that is none, and is not to be trusted any more.
   */
  constructor(
    endpoint: Endpoint,
    methods: MethodTable<S>,
    onEvent: (event: PortEvent) => void = () => undefined,
    onGarbage: (error: HubmeshError) => void = () => undefined,
  ) {
    this.onGarbage = onGarbage
    this.endpoint = endpoint
    this.methods = methods
    this.onEvent = onEvent
    this.remote = wrap<Remote>(endpoint) as unknown as Remote
    endpoint.addEventListener('message', this.onMessage as EventListener)
  }

  /** Calls that wait for their answer. */
  get pending(): number {
    return this.waiting.size
  }

  /**
   * Calls a method of the other side; an argument marked by Comlink's `transfer` moves instead of
   * being copied. Rejects with the error thrown there, with `aborted` when the signal fires, with
   * `input/invalid` for arguments that cannot be cloned, and with what `fail` was given when the
   * other side is gone. A cancelled read rejects at once; a cancelled write waits for the word of
   * the other side, which alone knows whether it happened.
   */
  async call<M extends MethodOf<S>>(
    method: M,
    args: ArgumentsOf<S, M>,
    options: CallOptions = {},
  ): Promise<ResultOf<S, M>> {
    if (this.end !== null) throw this.end
    const { signal, onEvent } = options
    throwIfAborted(signal)
    const kind = this.methods[method]
    const call = ++this.calls
    let unlisten = (): void => undefined
    try {
      return await new Promise<ResultOf<S, M>>((resolve, reject) => {
        this.waiting.set(call, { method, kind, onEvent, reject })
        unlisten = onAbort(signal, () => {
          void this.remote[CANCEL]!(call)
          if (kind === 'read') reject(abortedError(signal))
        })
        this.send(method, call, args).then(
          (reply: unknown) => {
            if (!isReply(reply)) {
              const error = garbage(method)
              reject(kind === 'write' ? indeterminate(method, error) : error)
              this.onGarbage(error)
            } else if (reply.ok) resolve(reply.value as ResultOf<S, M>)
            else reject(errorOf(reply.error, signal))
          },
          (thrown: unknown) => {
            reject(notCloneable(method, thrown))
          },
        )
      })
    } finally {
      this.waiting.delete(call)
      unlisten()
    }
  }

  /** Objects of a framework that wraps them in proxies cannot be cloned; they go by value. */
  private async send(method: string, call: number, args: readonly unknown[]): Promise<Reply> {
    try {
      return await this.remote[method]!(call, ...args)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'DataCloneError') throw error
      return this.remote[method]!(call, ...args.map((arg) => plainCopy(arg)))
    }
  }

  /**
   * Ends the connection: pending reads reject with `error`, pending writes with
   * `store/indeterminate` caused by it, later calls with `later`.
   */
  fail(error: HubmeshError, later: HubmeshError = error): void {
    if (this.end !== null) return
    this.end = later
    this.endpoint.removeEventListener('message', this.onMessage as EventListener)
    for (const { kind, method, reject } of this.waiting.values())
      reject(kind === 'write' ? indeterminate(method, error) : error)
    this.waiting.clear()
  }

  private readonly onMessage = (message: MessageEvent<unknown>): void => {
    const data = message.data as Partial<EventMessage> | null
    if (
      typeof data !== 'object' ||
      data === null ||
      data.hubmesh !== 'event' ||
      data.event === undefined
    )
      return
    if (data.call === 0) this.onEvent(data.event)
    else this.waiting.get(data.call ?? -1)?.onEvent?.(data.event)
  }
}

/** The other side knows what was kept; this side knows the reason that its caller gave. */
function errorOf(wire: WireError, signal: AbortSignal | undefined): HubmeshError {
  if (wire.code !== 'aborted' || signal?.aborted !== true) return fromWireError(wire)
  return new HubmeshError('aborted', wire.message, { details: wire.details, cause: signal.reason })
}

/** An answer of the other side is foreign data until its shape is seen. */
function isReply(reply: unknown): reply is Reply {
  if (typeof reply !== 'object' || reply === null || !('ok' in reply)) return false
  if (reply.ok === true) return 'value' in reply
  return (
    reply.ok === false &&
    'error' in reply &&
    isHubmeshError(reply.error) &&
    typeof (reply.error as { message: unknown }).message === 'string'
  )
}

function garbage(method: string): HubmeshError {
  return new HubmeshError(
    'worker/crashed',
    `The worker answered ${method}() with something that is no answer. It is started again; repeat the call.`,
    { details: { method }, retryable: true },
  )
}

function notCloneable(method: string, thrown: unknown): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `An argument of ${method}() cannot be sent to the engine's worker: functions, symbols, DOM ` +
      'nodes and detached buffers cannot be cloned. Pass plain data.',
    { cause: thrown, details: { method } },
  )
}

function indeterminate(method: string, cause: HubmeshError): HubmeshError {
  return new HubmeshError(
    'store/indeterminate',
    `The engine's worker was lost during ${method}(); the write is either whole or absent. ` +
      'Repeat the call: what is already stored is a no-op.',
    { cause, details: { method }, retryable: true },
  )
}
