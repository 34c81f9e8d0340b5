/** Owns nothing but the start of an embedding worker; see src/embed/worker_server.ts. */
import { serveEmbedding } from '../src/embed/worker_server.ts'
import { announceReady } from '../src/rpc/ready.ts'

const scope = globalThis as unknown as Worker
serveEmbedding(scope)
announceReady('embed', scope)
