/**
 * Nothing but the start of an embedding worker; see src/embed/worker_server.ts. It is spoken to by
 * the page, or over a port by the engine worker.
 */
import { serveEmbedding } from '../src/embed/worker_server.ts'
import { portOf, startOnce } from '../src/port/ready.ts'

const scope = globalThis as unknown as Worker
startOnce('embed', scope, () => {
  serveEmbedding(scope)
  scope.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const port = portOf(data)
    if (port !== null) serveEmbedding(port)
  })
})
