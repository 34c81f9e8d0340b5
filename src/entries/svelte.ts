/** Entry `hubmesh/svelte`: an engine as a store, open while it has subscribers. */
import type { CreateEngineOptions } from '../rpc/create_engine.ts'
import { NO_ENGINE, openSession, type Hubmesh } from './engine_session.ts'

export type { Hubmesh } from './engine_session.ts'

/** Svelte's store contract, so that nothing of Svelte is imported. */
export interface HubmeshStore {
  subscribe(run: (state: Hubmesh) => void): () => void
}

/**
 * A store for `$hub`: the corpus opens with the first subscriber, which in a component is its
 * drawing, and closes with the last.
 */
export function hubmesh(options: CreateEngineOptions): HubmeshStore {
  const listeners = new Set<(state: Hubmesh) => void>()
  let state = NO_ENGINE,
    close = (): void => undefined
  return {
    subscribe(run) {
      // one entry for each subscription, the same function given twice included
      const listener = (next: Hubmesh): void => {
        run(next)
      }
      listeners.add(listener)
      if (listeners.size === 1)
        close = openSession(options, (next) => {
          state = next
          for (const each of [...listeners]) each(next)
        })
      run(state)
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        close()
        state = NO_ENGINE
      }
    },
  }
}
