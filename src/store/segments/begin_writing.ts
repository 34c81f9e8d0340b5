/** Becoming the writer of a corpus: reads what is stored, and fences whoever wrote before. */
import { convertLegacy } from './convert_legacy.ts'
import type { CorpusState } from './corpus_state.ts'
import { Draft } from './draft.ts'
import { entriesOf, newManifest } from './manifest.ts'
import { randomName } from './segment.ts'

/** To be called with the lock held. Converts an older layout; clears what failed writes left. */
export async function beginWriting(state: CorpusState): Promise<void> {
  const { backend } = state
  await state.reload()
  const encryption = await state.sealing.header()
  const before = state.current ?? {
    manifest: state.legacy?.manifest ?? newManifest(randomName(16), state.defaults, encryption),
    text: null,
  }
  const sealer = await state.sealing.of(before.manifest)
  // A switch that changes nothing but the revision: an earlier writer is fenced from now on.
  const draft = new Draft(backend, sealer, before, { dropLegacy: state.legacy !== null })
  try {
    const change = state.legacy === null ? {} : await convertLegacy(state, state.legacy, draft)
    state.current = await draft.publish(change)
  } catch (error) {
    await draft.discard()
    throw error
  }
  state.legacy = null
  await backend.sweep(new Set(entriesOf(state.current.manifest).map(({ name }) => name)))
}
