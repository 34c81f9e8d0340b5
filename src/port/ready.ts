/**
 * Handshake with a worker: it is loaded, listens, speaks this version of the protocol, and may get
 * a port besides.
 */
import { PROTOCOL_VERSION } from './protocol.ts'
import type { PortMessage, ReadyMessage, WorkerRole } from './protocol.ts'

/** Call it last in a worker's entry, once its message listeners are in place. */
export function announceReady(
  role: WorkerRole,
  scope: { postMessage(message: unknown): void },
): void {
  const message: ReadyMessage = { hubmesh: 'ready', role, version: PROTOCOL_VERSION }
  scope.postMessage(message)
}

/**
 * Starts a worker, once: WebKit evaluates an entry anew where a bundler let a lazy chunk import it,
 * and a second server would answer on the same channel without a corpus.
 */
export function startOnce(
  role: WorkerRole,
  scope: { postMessage(message: unknown): void },
  serve: () => void,
): void {
  const started = Symbol.for(`hubmesh ${role}`)
  if (started in scope) return
  Object.defineProperty(scope, started, { value: true })
  serve()
  announceReady(role, scope)
}

/** Recognises the ready message of any version. */
export function isReadyMessage(data: unknown): data is ReadyMessage {
  return (
    typeof data === 'object' && data !== null && (data as Partial<ReadyMessage>).hubmesh === 'ready'
  )
}

/** The port of a PortMessage; null for any other message. */
export function portOf(data: unknown): MessagePort | null {
  if (typeof data !== 'object' || data === null) return null
  const { hubmesh, port } = data as Partial<PortMessage>
  return hubmesh === 'port' && port !== undefined ? port : null
}
