/**
 * Answering end of a port: a frozen facade without prototype, exposed by Comlink, behind a filter
 * that admits only calls of allow-listed names with plain arguments (no property reads, writes,
 * constructors, proxies, path walks).
 */
import { expose } from 'comlink'
import type { Endpoint } from 'comlink'
import { coalesce } from './coalesce.ts'
import type {
  ArgumentsOf,
  EventMessage,
  MethodOf,
  MethodTable,
  PortEvent,
  Reply,
  ResultOf,
} from './protocol.ts'
import { toWireError } from './wire_error.ts'

/** What a handler knows of its call besides the arguments. */
export interface CallContext {
  /** Fires when the caller cancels. */
  readonly signal: AbortSignal
  /**
   * Reports to the caller; thinned to a few a second, the last one always arrives before the reply.
   */
  readonly report: (event: PortEvent) => void
}

export type Handlers<S> = {
  readonly [M in MethodOf<S>]: (
    context: CallContext,
    ...args: ArgumentsOf<S, M>
  ) => ResultOf<S, M> | Promise<ResultOf<S, M>>
}

export interface Server {
  /** An event of the service as a whole, belonging to no call. */
  emit(event: PortEvent): void
  /** Fires the signal of every running call. */
  abortAll(reason: unknown): void
}

type AnyHandler = (context: CallContext, ...args: unknown[]) => unknown
type FacadeMethod = (call: number, ...args: unknown[]) => Promise<Reply> | undefined

/** Name of the facade's one method of its own: it takes a call's number and fires its signal. */
export const CANCEL = 'cancel'

/**
 * Serves `handlers` on `endpoint`: a dedicated worker's global scope or a MessagePort; never a
 * window.
 */
export function serve<S>(
  endpoint: Endpoint,
  methods: MethodTable<S>,
  handlers: Handlers<S>,
): Server {
  const running = new Map<number, AbortController>()
  const send = (call: number, event: PortEvent): void => {
    const message: EventMessage = { hubmesh: 'event', call, event }
    endpoint.postMessage(message)
  }

  const facade = Object.create(null) as Record<string, FacadeMethod>
  for (const name of Object.keys(methods) as MethodOf<S>[]) {
    const handler = handlers[name] as AnyHandler
    facade[name] = async (call, ...args) => {
      const controller = new AbortController()
      const reports = coalesce<PortEvent>((event) => {
        send(call, event)
      })
      running.set(call, controller)
      try {
        const value = await handler(
          {
            signal: controller.signal,
            report: (event) => {
              reports.push(event)
            },
          },
          ...args,
        )
        return { ok: true, value }
      } catch (thrown) {
        return { ok: false, error: toWireError(thrown) }
      } finally {
        reports.flush()
        reports.cancel()
        running.delete(call)
      }
    }
  }
  facade[CANCEL] = (call) => {
    running.get(call)?.abort()
    return undefined
  }
  Object.freeze(facade)
  expose(facade, filtered(endpoint, new Set(Object.keys(facade))))

  return {
    emit: (event) => {
      send(0, event)
    },
    abortAll(reason) {
      for (const controller of running.values()) controller.abort(reason)
    },
  }
}

/**
 * The endpoint as Comlink sees it: messages that are not plain calls of a known name never reach
 * it.
 */
function filtered(endpoint: Endpoint, names: ReadonlySet<string>): Endpoint {
  const wrappers = new Map<unknown, (event: Event) => void>()
  const target: Endpoint = {
    postMessage: (message, transfer) => {
      endpoint.postMessage(message, transfer)
    },
    addEventListener(type, listener, options) {
      const wrapper = (event: Event): void => {
        if (!isPlainCall((event as MessageEvent<unknown>).data, names)) return
        if (typeof listener === 'function') listener(event)
        else listener.handleEvent(event)
      }
      wrappers.set(listener, wrapper)
      endpoint.addEventListener(type, wrapper, options)
    },
    removeEventListener(type, listener, options) {
      const wrapper = wrappers.get(listener)
      wrappers.delete(listener)
      if (wrapper !== undefined) endpoint.removeEventListener(type, wrapper, options)
    },
  }
  if (endpoint.start !== undefined)
    target.start = () => {
      endpoint.start?.()
    }
  return target
}

/**
 * Comlink's wire format (its protocol.ts): APPLY with a path of one known name and RAW arguments,
 * the first a call number.
 */
function isPlainCall(data: unknown, names: ReadonlySet<string>): boolean {
  if (!isRecord(data) || data['type'] !== 'APPLY') return false
  const path = data['path']
  const args = data['argumentList']
  if (
    !Array.isArray(path) ||
    path.length !== 1 ||
    typeof path[0] !== 'string' ||
    !names.has(path[0])
  )
    return false
  if (
    !Array.isArray(args) ||
    !args.every((argument) => isRecord(argument) && argument['type'] === 'RAW')
  )
    return false
  const first: unknown = (args[0] as { value?: unknown } | undefined)?.value
  return Number.isSafeInteger(first)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
