/** How the page makes engines: by the public API and nothing else. */
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

export interface EngineChoices {
  /** Without it the engine ranks by names and words, and its model is not fetched. */
  readonly meaning: boolean
  readonly index: 'auto' | 'exact' | 'hnsw'
}

const base = import.meta.env.BASE_URL

export function openEngine(
  corpus: string,
  storage: 'indexeddb' | 'memory',
  { meaning, index }: EngineChoices,
): Promise<Engine> {
  return createEngine({
    corpus,
    storage,
    model: meaning ? `${base}models/all-MiniLM-L6-v2/` : null,
    ort: `${base}ort/`,
    workers,
    index,
  })
}

export async function savedCorpora(): Promise<readonly CorpusEntry[]> {
  return await listCorpora()
}

export async function deleteSavedCorpus(name: string): Promise<void> {
  await deleteCorpus(name)
}
