/** Lines of the list of corpora, from what is saved, what is open and what the page noted. */
import type { EngineStatus } from '../../src/index.ts'
import type { CorpusEntry } from '../platform/engine.ts'
import { SAMPLE } from '../platform/sample.ts'
import type { Settings } from '../platform/settings.ts'

export interface Line {
  readonly name: string
  readonly documents: number | null
  readonly passages: number | null
  readonly bytes: number | null
  /** When documents were last added or removed on this page, milliseconds since 1970. */
  readonly changed: number | null
}

/** Saved corpora by name; the open one is listed also while it is empty or in memory only. */
export function corpusLines(
  saved: readonly CorpusEntry[],
  open: string | null,
  status: EngineStatus | null,
  notes: Settings['notes'],
): readonly Line[] {
  const names = new Set(saved.map((entry) => entry.name))
  if (open !== null) names.add(open)
  const known = new Map(saved.map((entry) => [entry.name, entry]))
  return [...names].sort().map((name) => {
    const entry = known.get(name)
    const note = notes.get(name)
    const live = status !== null && status.corpus === name ? status : null
    const documents = live?.documents ?? entry?.documents ?? null
    // A note made at another number of documents is about another state of the corpus.
    const valid = note !== undefined && note.documents === documents ? note : undefined
    return {
      name,
      documents,
      passages: live?.passages ?? valid?.passages ?? null,
      bytes: entry?.bytes ?? valid?.bytes ?? null,
      changed: note?.changed ?? null,
    }
  })
}

/**
 * A page that was cleared lost all its corpora: each that held documents is named, besides the one
 * that was open last, which tells of itself.
 */
export function goneOf(settings: Settings, saved: readonly CorpusEntry[]): readonly string[] {
  return [...settings.notes]
    .filter(
      ([name, seen]) =>
        seen.documents > 0 &&
        name !== settings.corpus &&
        !saved.some((entry) => entry.name === name),
    )
    .map(([name]) => name)
    .sort()
}

/** True where the sample is on this device. */
export function hasSample(saved: readonly CorpusEntry[]): boolean {
  return saved.some((entry) => entry.name === SAMPLE.corpus && (entry.documents ?? 1) > 0)
}
