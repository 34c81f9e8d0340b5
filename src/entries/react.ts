/**
 * Owns the entry `hubmesh/react`: an engine for as long as a component is there. React is an
 * optional peer. Refuses: state of questions; they are the app's.
 */
import { useEffect, useState } from 'react'
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

/**
 * Ends when the engine before has let go of its corpus, so that a component drawn twice does not
 * meet its own lock.
 */
let closing: Promise<unknown> = Promise.resolve()

/**
 * Opens the corpus of `options` and closes it with the component. Only `options.corpus` is watched:
 * another name opens another corpus.
 */
export function useHubmesh(options: CreateEngineOptions): Hubmesh {
  const [state, setState] = useState<Hubmesh>(NONE)
  useEffect(() => {
    const gone = new AbortController()
    let stop = (): void => undefined
    const opened = closing.then(() => createEngine({ ...options, signal: gone.signal }))
    opened
      .then(async (engine) => {
        if (gone.signal.aborted) return
        stop = engine.onStatus((status) => {
          setState((before) => ({ ...before, status }))
        })
        setState({ engine, status: null, error: null })
        const status = await engine.status()
        if (!gone.signal.aborted)
          setState((before) => ({ ...before, status: before.status ?? status }))
      })
      .catch((error: unknown) => {
        if (!gone.signal.aborted) setState({ ...NONE, error: error as HubmeshError })
      })
    return () => {
      gone.abort()
      stop()
      setState(NONE)
      closing = Promise.allSettled([closing, opened.then((engine) => engine.close())])
    }
  }, [options.corpus])
  // The drawing in which the name changes still has the state of the one before.
  return state.engine && state.engine.corpus !== options.corpus ? NONE : state
}

const NONE: Hubmesh = { engine: null, status: null, error: null }
