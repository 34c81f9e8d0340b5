/**
 * Makes workers, and is the only file that does: ready handshake, deadline, and one listener that
 * observes the end however it comes. Another version of the protocol is rejected.
 */
import { onAbort } from '../base/signals.ts'
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { PROTOCOL_VERSION } from './protocol.ts'
import type { WorkerRole } from './protocol.ts'
import { isReadyMessage } from './ready.ts'

/**
 * Makes a module worker of hubmesh. A page with Trusted Types, or with its files on another origin,
 * passes its own.
 */
export type WorkerFactory = () => Worker

export interface SpawnOptions {
  readonly factory?: WorkerFactory | undefined
  /** Default 30 s. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal | undefined
}

/** A worker that said it is ready. */
export interface LiveWorker {
  readonly worker: Worker
  /**
   * Calls back once when the worker is gone, at once when it is gone already; never after
   * `terminate()` without a reason.
   */
  onDeath(listener: (error: HubmeshError) => void): void
  /** Ends the worker. With a reason the death is reported as if it had happened by itself. */
  terminate(reason?: HubmeshError): void
}

// The literal form is the one that Vite, webpack, Next and a plain script tag all understand; the
// library build points it at its own entries.
const OWN_WORKERS: Readonly<Record<WorkerRole, WorkerFactory>> = {
  engine: () =>
    new Worker(new URL('../../workers/engine.worker.ts', import.meta.url), { type: 'module' }),
  embed: () =>
    new Worker(new URL('../../workers/embed.worker.ts', import.meta.url), { type: 'module' }),
}

/**
 * Starts a worker and waits until it is ready. Rejects with `worker/start-failed` (script missing,
 * blocked by a policy, thrown while loading, another version), `worker/timeout` after the deadline,
 * or `aborted`.
 */
export async function spawnWorker(
  role: WorkerRole,
  options: SpawnOptions = {},
): Promise<LiveWorker> {
  const { factory, deadlineMs = LIMITS.workerStartMs, signal } = options
  throwIfAborted(signal)
  const worker = construct(role, factory)
  const life = watch(worker, role)
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new HubmeshError(
            'worker/timeout',
            `The ${role} worker did not say that it is ready within ${String(deadlineMs)} ms. ` +
              `Check that ${whereFrom(factory)} is hubmesh's ${role} worker and loads; then try ` +
              'again.',
            { details: { role, deadlineMs }, retryable: true },
          ),
        )
      }, deadlineMs)
      const unlisten = onAbort(signal, () => {
        reject(abortedError(signal))
      })
      const settle = (): void => {
        clearTimeout(timer)
        unlisten()
        worker.removeEventListener('message', onMessage)
      }
      const onMessage = ({ data }: MessageEvent<unknown>): void => {
        if (!isReadyMessage(data)) return
        settle()
        if (data.role === role && data.version === PROTOCOL_VERSION) resolve()
        else reject(otherWorker(role, data.role, data.version))
      }
      worker.addEventListener('message', onMessage)
      life.onDeath((error) => {
        settle()
        reject(startFailed(role, factory, error))
      })
    })
  } catch (thrown) {
    life.terminate()
    throw thrown
  }
  life.started()
  return life
}

function construct(role: WorkerRole, factory: WorkerFactory | undefined): Worker {
  if (factory === undefined && typeof Worker === 'undefined')
    throw new HubmeshError(
      'worker/start-failed',
      `The ${role} worker cannot be started: there are no workers here, as in a service worker, a ` +
        'test without a browser or a server. There hubmesh/testing runs the text tier in the thread ' +
        'itself and in memory, and in Node hubmesh/node does all; a service worker can ask a page.',
      { details: { role } },
    )
  try {
    return (factory ?? OWN_WORKERS[role])()
  } catch (thrown) {
    throw startFailed(role, factory, thrown)
  }
}

interface Life extends LiveWorker {
  started(): void
}

function watch(worker: Worker, role: WorkerRole): Life {
  let listeners: ((error: HubmeshError) => void)[] = []
  let death: HubmeshError | null = null
  let over = false
  const die = (error: HubmeshError): void => {
    if (over) return
    over = true
    death = error
    worker.terminate()
    for (const listener of listeners) listener(error)
    listeners = []
  }
  worker.addEventListener('error', (event) => {
    // Without this the browser reports it a second time, on the page, where it cannot be handled.
    event.preventDefault()
    // What kept a script from loading (a policy, a missing file) comes as a plain event, without a
    // message.
    die(crashed(role, event.message ? event.message : 'an error without a message', event.filename))
  })
  worker.addEventListener('messageerror', () => {
    die(crashed(role, 'a message that cannot be decoded', ''))
  })
  return {
    worker,
    onDeath(listener) {
      if (death !== null) listener(death)
      else if (!over) listeners.push(listener)
    },
    terminate(reason) {
      if (reason !== undefined) {
        die(reason)
        return
      }
      over = true
      listeners = []
      worker.terminate()
    },
    started() {
      // The listener of the handshake has done its work.
      listeners = []
    },
  }
}

function crashed(role: WorkerRole, what: string, file: string): HubmeshError {
  return new HubmeshError(
    'worker/crashed',
    `The ${role} worker died of ` +
      `${what}${file === '' || file === undefined ? '' : ` in ${file}`}. It is started again; ` +
      'repeat the call.',
    {
      details: { role, what, file: file ?? '' },
      retryable: true,
    },
  )
}

function startFailed(
  role: WorkerRole,
  factory: WorkerFactory | undefined,
  cause: unknown,
): HubmeshError {
  const where = whereFrom(factory)
  return new HubmeshError(
    'worker/start-failed',
    `The ${role} worker could not be started from ${where}: ${reason(cause)}. ` +
      "Check that the file is served as JavaScript from the page's own origin (esbuild follows " +
      'no worker: make it an entry) and that worker-src allows it, or pass `workers` factories ' +
      'of your own.',
    { cause, details: { role, url: where } },
  )
}

/** Without the sentence on what to do when a running worker dies: this one never ran. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason given'
  if (isHubmeshError(cause) && cause.code === 'worker/crashed')
    return `it ended with ${String(cause.details['what'])}`
  return cause.message.replace(/\.$/, '')
}

function otherWorker(role: WorkerRole, found: string, version: number): HubmeshError {
  return new HubmeshError(
    'worker/start-failed',
    `The ${role} worker answered as ${found} of protocol ${String(version)}, this page speaks ` +
      `protocol ${String(PROTOCOL_VERSION)}: page and worker are of different builds. Reload the ` +
      'page, or deploy both files together.',
    { details: { role, found, version, expected: PROTOCOL_VERSION } },
  )
}

/** For messages: where a worker's script was looked for. */
function whereFrom(factory: WorkerFactory | undefined): string {
  return factory === undefined ? `beside ${import.meta.url}` : "the page's own factory"
}
