/** The reading worker in Node: a thread that does not keep the process alive while it rests. */
import { Worker } from 'node:worker_threads'
import { abortedError, HubmeshError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { isReadyMessage } from '../../../port/ready.ts'
import type { ReadingWorker } from './read_apart.ts'
import { THREAD } from './thread_address.ts'

/** Rejects with `worker/start-failed`, `aborted`. */
export async function spawnReadingThread(signal?: AbortSignal): Promise<ReadingWorker> {
  const thread = new Worker(THREAD, {
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(LIMITS.officeMemoryBytes / 2 ** 20) },
  })
  let hear: (error: HubmeshError) => void = () => undefined
  const die = (what: string, cause?: unknown): void => {
    hear(new HubmeshError('worker/crashed', `The reading thread ended with ${what}.`, { cause }))
  }
  thread.on('error', (error) => {
    die(error.message, error)
  })
  thread.once('exit', (code) => {
    die(`exit code ${code}`)
  })
  const stop = (): void => {
    void thread.terminate()
  }
  signal?.addEventListener('abort', stop)
  try {
    await new Promise<void>((resolve, reject) => {
      thread.once('message', (message) => {
        if (isReadyMessage(message)) resolve()
      })
      hear = (error) => {
        reject(signal?.aborted === true ? abortedError(signal) : startFailed(error))
      }
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  thread.unref()
  return {
    worker: endpointOf(thread),
    onDeath: (listener) => {
      hear = listener
    },
    terminate: () => {
      hear = () => undefined
      void thread.terminate()
    },
  }
}

/** The thread keeps the process awake from a message to its answer. */
function endpointOf(thread: Worker): ReadingWorker['worker'] {
  const listeners = new Map<unknown, (data: unknown) => void>()
  return {
    postMessage: (message) => {
      thread.ref()
      thread.postMessage(message)
    },
    addEventListener: (_type, listener) => {
      const heard = (data: unknown): void => {
        thread.unref()
        listener({ data } as MessageEvent<unknown>)
      }
      listeners.set(listener, heard)
      thread.on('message', heard)
    },
    removeEventListener: (_type, listener) => {
      const heard = listeners.get(listener)
      listeners.delete(listener)
      if (heard !== undefined) thread.off('message', heard)
    },
  }
}

function startFailed(cause: HubmeshError): HubmeshError {
  return new HubmeshError(
    'worker/start-failed',
    `The reading thread did not start: ${cause.message} Check that the whole package is installed.`,
    { cause },
  )
}
