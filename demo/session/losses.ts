/** Corpora that are gone or that go all at once. */
import { forget, saveSettings } from '../platform/settings.ts'
import type { Corpora } from './corpora.ts'
import type { Store } from './state.ts'

/** Forgets corpora that are gone. */
export function forgetGone(store: Store): void {
  let { settings } = store.state
  for (const name of store.state.gone) settings = forget(settings, name)
  saveSettings(settings)
  store.set({ settings, gone: [] })
}

/** Deletes every corpus; gives those that another tab holds. */
export async function deleteAll(corpora: Corpora): Promise<readonly string[]> {
  for (const { name } of corpora.store.state.corpora) await corpora.delete(name)
  return corpora.store.state.corpora.map(({ name }) => name)
}
