/** An engine for as long as a component is there; what the entries for frameworks share. */
import type { HubmeshError } from '../base/errors.ts'
import { createEngine } from '../rpc/create_engine.ts'
import type { CreateEngineOptions } from '../rpc/create_engine.ts'
import type { Engine, EngineStatus } from '../types.ts'

export interface Hubmesh {
  /** Null until the corpus is open. */
  readonly engine: Engine | null
  readonly status: EngineStatus | null
  /** Why it could not be opened. */
  readonly error: HubmeshError | null
}

export const NO_ENGINE: Hubmesh = { engine: null, status: null, error: null }

/**
 * Ends when the engine before has let go of its corpus, so that a component drawn twice does not
 * meet its own lock.
 */
let closing: Promise<unknown> = Promise.resolve()

/**
 * Opens the corpus of `options` and tells every new state until the function it returns is called,
 * which closes the engine. On a server, where a component is drawn without a page, nothing opens.
 */
export function openSession(
  options: CreateEngineOptions,
  onState: (state: Hubmesh) => void,
): () => void {
  if (typeof document === 'undefined') return () => undefined
  const gone = new AbortController()
  let state = NO_ENGINE,
    stop = (): void => undefined
  const tell = (change: Partial<Hubmesh>): void => {
    if (gone.signal.aborted) return
    state = { ...state, ...change }
    onState(state)
  }
  const opened = closing.then(() => createEngine({ ...options, signal: gone.signal }))
  opened
    .then(async (engine) => {
      if (gone.signal.aborted) return
      stop = engine.onStatus((status) => {
        tell({ status })
      })
      tell({ engine })
      const status = await engine.status()
      tell({ status: state.status ?? status })
    })
    .catch((error: unknown) => {
      tell({ ...NO_ENGINE, error: error as HubmeshError })
    })
  return () => {
    gone.abort()
    stop()
    closing = Promise.allSettled([closing, opened.then((engine) => engine.close())])
  }
}
