/** A layout from a worker of its own, which ends with it. */
import { layoutWorker } from '../platform/trusted.ts'
import type { LayoutTask, Placed } from './layout.ts'

export function place(task: LayoutTask, signal: AbortSignal): Promise<readonly Placed[]> {
  const worker = layoutWorker()
  return new Promise<readonly Placed[]>((resolve, reject) => {
    signal.addEventListener('abort', () => {
      worker.terminate()
      reject(new DOMException('left', 'AbortError'))
    })
    worker.onmessage = ({ data }: MessageEvent<readonly Placed[]>) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = (event) => {
      worker.terminate()
      reject(new Error(event.message))
    }
    worker.postMessage(task)
  })
}
