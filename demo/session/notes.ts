/** What the page notes of each corpus for its list: how many documents, when, about how large. */
import type { EngineStatus } from '../../src/index.ts'
import { note, saveSettings, weigh } from '../platform/settings.ts'
import { bytesOf } from './bytes_of.ts'
import type { Store } from './state.ts'

export function noteStatus(store: Store, status: EngineStatus): void {
  // What was in memory alone is not missed later.
  if (status.storage.kind === 'memory') return
  const { settings } = store.state,
    seen = { documents: status.documents, passages: status.passages }
  const noted = note(settings, status.corpus, seen, Date.now())
  if (noted === settings) return
  store.set({ settings: noted })
  saveSettings(noted)
}

export async function weighCorpus(store: Store): Promise<void> {
  const { engine, status } = store.state
  const bytes = engine && status ? await bytesOf(engine, status) : null
  if (!engine || bytes === null) return
  const settings = weigh(store.state.settings, engine.corpus, bytes)
  store.set({ settings })
  saveSettings(settings)
}
