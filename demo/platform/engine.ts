/** Owns how the page makes engines, by the public API and nothing else. Refuses: falling back to memory unasked. */
import { createEngine, deleteCorpus, listCorpora } from '../dev/fake_engine.ts'
import type { Engine } from '../../src/index.ts'
import { workers } from './trusted.ts'

/** A corpus of this device. */
export interface CorpusEntry {
  readonly name: string
  readonly documents: number | null
  readonly passages: number | null
  readonly bytes: number | null
  /** Milliseconds since 1970. */
  readonly changed: number | null
}

const base = import.meta.env.BASE_URL

export function openEngine(corpus: string, storage: 'indexeddb' | 'memory'): Promise<Engine> {
  return createEngine({ corpus, storage, model: `${base}models/all-MiniLM-L6-v2/`, ort: `${base}ort/`, workers })
}

export function savedCorpora(): Promise<readonly CorpusEntry[]> {
  return listCorpora()
}

export function deleteSavedCorpus(name: string): Promise<void> {
  return deleteCorpus(name)
}
