/** Stopping and going on with the computing of meaning. */
import { problemOf } from '../words/problems.ts'
import type { Store } from './state.ts'

export async function pauseMeaning(store: Store, pause: boolean): Promise<void> {
  const { engine } = store.state
  try {
    await (pause ? engine?.pauseEmbedding() : engine?.resumeEmbedding())
  } catch (error) {
    store.set({ corpusProblem: problemOf(error) })
  }
}
