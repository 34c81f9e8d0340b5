/** Owns the first word of a worker: it is loaded, listens, and speaks this version of the protocol. */
import { PROTOCOL_VERSION } from './methods.ts'
import type { ReadyMessage, WorkerRole } from './protocol.ts'

/** Call it last in a worker's entry, once its message listeners are in place. */
export function announceReady(role: WorkerRole, scope: { postMessage(message: unknown): void }): void {
  const message: ReadyMessage = { hubmesh: 'ready', role, version: PROTOCOL_VERSION }
  scope.postMessage(message)
}

/** Recognises the ready message of any version. */
export function isReadyMessage(data: unknown): data is ReadyMessage {
  return typeof data === 'object' && data !== null && (data as Partial<ReadyMessage>).hubmesh === 'ready'
}
