/** The entry `hubmesh/react`: an engine that lives as long as a component. */
import { useEffect, useState } from 'react'
import type { CreateEngineOptions } from '../rpc/create_engine.ts'
import { NO_ENGINE, openSession, type Hubmesh } from './engine_session.ts'

export type { Hubmesh } from './engine_session.ts'

/**
 * Opens the corpus of `options` and closes it with the component. Only `options.corpus` is watched:
 * another name opens another corpus.
 */
export function useHubmesh(options: CreateEngineOptions): Hubmesh {
  const [state, setState] = useState<Hubmesh>(NO_ENGINE)
  useEffect(() => {
    const close = openSession(options, setState)
    return () => {
      close()
      setState(NO_ENGINE)
    }
  }, [options.corpus])
  // The drawing in which the name changes still has the state of the one before.
  return state.engine && state.engine.corpus !== options.corpus ? NO_ENGINE : state
}
