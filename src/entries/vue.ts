/** The entry `hubmesh/vue`: an engine that lives as long as a component or another effect scope. */
import { onScopeDispose, shallowRef, toValue, watch } from 'vue'
import type { MaybeRefOrGetter, ShallowRef } from 'vue'
import type { CreateEngineOptions } from '../rpc/create_engine.ts'
import { NO_ENGINE, openSession, type Hubmesh } from './engine_session.ts'

export type { Hubmesh } from './engine_session.ts'

/**
 * Opens the corpus of `options`, a value, ref or getter, and closes it with the scope it is called
 * in. Only `corpus` is watched: another name opens another corpus.
 */
export function useHubmesh(
  options: MaybeRefOrGetter<CreateEngineOptions>,
): Readonly<ShallowRef<Hubmesh>> {
  const state = shallowRef(NO_ENGINE)
  let close = (): void => undefined
  watch(
    () => toValue(options).corpus,
    () => {
      close()
      state.value = NO_ENGINE
      close = openSession(toValue(options), (next) => {
        state.value = next
      })
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    close()
    state.value = NO_ENGINE
  })
  return state
}
