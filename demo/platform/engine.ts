/**
 * Owns how the page makes engines, by the public API and nothing else. Refuses: falling back to
 * memory unasked.
 */
import { createEngine, deleteCorpus, listCorpora } from '../../src/index.ts'
import type { Engine } from '../../src/index.ts'
import { workers } from './trusted.ts'

/** A corpus of this device. */
export interface CorpusEntry {
  readonly name: string
  /** Null where the record that says so is damaged or of a newer version. */
  readonly documents: number | null
  /** Null where the browser does not tell. */
  readonly bytes: number | null
}

const base = import.meta.env.BASE_URL

export function openEngine(corpus: string, storage: 'indexeddb' | 'memory'): Promise<Engine> {
  return createEngine({
    corpus,
    storage,
    model: `${base}models/all-MiniLM-L6-v2/`,
    ort: `${base}ort/`,
    workers,
  })
}

export async function savedCorpora(): Promise<readonly CorpusEntry[]> {
  return await listCorpora()
}

export async function deleteSavedCorpus(name: string): Promise<void> {
  await deleteCorpus(name)
}
