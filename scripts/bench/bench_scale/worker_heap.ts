/** The memory of a page's worker, asked through the debugger. */
import type { CDPSession } from 'playwright'

/**
 * The heap of the page's worker and the buffers behind it, bytes, after a collection; asked through
 * the debugger.
 */
export async function workerHeap(session: CDPSession): Promise<() => Promise<number | null>> {
  const attached = new Promise<string | null>((resolve) => {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') resolve(sessionId)
    })
    setTimeout(() => {
      resolve(null)
    }, 5000).unref()
  })
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  })
  const worker = await attached,
    replies = new Map<number, (message: Record<string, unknown>) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const reply = JSON.parse(message) as { id?: number; result?: Record<string, unknown> }
    if (reply.id !== undefined) replies.get(reply.id)?.(reply.result ?? {})
  })
  let id = 0
  const ask = (method: string): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      replies.set(++id, resolve)
      void session.send('Target.sendMessageToTarget', {
        sessionId: worker ?? '',
        message: JSON.stringify({ id, method, params: {} }),
      })
    })
  return async () => {
    if (worker === null) return null
    await ask('HeapProfiler.collectGarbage')
    const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage')
    return typeof usedSize === 'number'
      ? usedSize + (typeof backingStorageSize === 'number' ? backingStorageSize : 0)
      : null
  }
}
