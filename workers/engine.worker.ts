/** Owns nothing but the start of the engine worker; see src/rpc/engine_service.ts. */
import { LocalEngine } from '../src/engine.ts'
import { serveEngine } from '../src/rpc/engine_service.ts'
import { announceReady } from '../src/rpc/ready.ts'

const scope = globalThis as unknown as Worker
serveEngine(scope, (options) => LocalEngine.open(options))
announceReady('engine', scope)
