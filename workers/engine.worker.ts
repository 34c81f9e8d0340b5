/** Nothing but the start of the engine worker; see src/rpc/engine_service.ts. */
import { openEngine } from '../src/compat/open_engine.ts'
import { serveEngine } from '../src/rpc/engine_service.ts'
import { startOnce } from '../src/port/ready.ts'

const scope = globalThis as unknown as Worker
startOnce('engine', scope, () => {
  serveEngine(scope, openEngine)
})
