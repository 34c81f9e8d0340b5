/**
 * A stand-in for Worker in tests: two ends of a MessageChannel, and the events a browser would
 * fire. No threads.
 */

export interface FakeWorker {
  /** What `new Worker` would give. */
  readonly worker: Worker
  /** What the worker's own global scope would be. */
  readonly scope: MessagePort
  readonly terminated: () => boolean
  /** Fires `error`, as an uncaught exception or a missing script does. */
  fail(message: string, filename?: string): void
  /** Fires `messageerror`. */
  garble(): void
}

export function fakeWorker(): FakeWorker {
  const { port1, port2 } = new MessageChannel()
  let over = false
  const target = new EventTarget()
  port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!over) target.dispatchEvent(new MessageEvent('message', { data }))
  })
  port1.start()
  const worker = Object.assign(target, {
    onmessage: null,
    onmessageerror: null,
    onerror: null,
    postMessage(message: unknown, transfer?: Transferable[]): void {
      if (!over) port1.postMessage(message, transfer ?? [])
    },
    terminate(): void {
      over = true
      port1.close()
      port2.close()
    },
  }) as unknown as Worker
  return {
    worker,
    scope: port2,
    terminated: () => over,
    fail(message, filename = '') {
      target.dispatchEvent(
        Object.assign(new Event('error', { cancelable: true }), { message, filename }),
      )
    },
    garble() {
      target.dispatchEvent(new Event('messageerror'))
    },
  }
}
