/** Owns what the page remembers besides the corpora. Refuses: trusting what it reads back. */

export interface Settings {
  /** Token budget of the context. */
  readonly budget: number
  /** Sources to rank. */
  readonly topK: number
  /** The corpus that was open last. */
  readonly corpus: string | null
  /** Questions asked before, per corpus, latest first. */
  readonly history: ReadonlyMap<string, readonly string[]>
  /** What was last seen of each corpus, for the list. */
  readonly notes: ReadonlyMap<string, CorpusNote>
}

export interface CorpusNote {
  readonly documents: number
  readonly passages: number
  /** Milliseconds since 1970. */
  readonly changed: number
}

const KEY = 'hubmesh-demo'
const HISTORY = 6
const CORPORA = 20

/** Budgets the slider offers, in tokens: about a seventh more each, in round numbers. */
export const BUDGETS: readonly number[] = [
  64, 96, 128, 160, 200, 256, 320, 400, 500, 600, 700, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2300, 2600, 3000, 3500, 4000, 4600, 5200, 6000, 7000, 8000,
]
export const TOP_KS: readonly number[] = [5, 10, 20, 50]
export const DEFAULTS: Settings = { budget: 2000, topK: 10, corpus: null, history: new Map(), notes: new Map() }

/** Reads a stored text; whatever is missing or wrong takes its default. */
export function parseSettings(stored: string | null): Settings {
  let value: unknown
  try {
    value = JSON.parse(stored ?? 'null')
  } catch {
    return DEFAULTS
  }
  if (typeof value !== 'object' || value === null) return DEFAULTS
  const { budget, topK, corpus, history, notes } = value as { [Key in keyof Settings]?: unknown }
  const read = new Map<string, readonly string[]>()
  if (Array.isArray(history)) {
    for (const entry of history.slice(0, CORPORA) as unknown[]) {
      if (!Array.isArray(entry)) continue
      const [name, questions] = entry as unknown[]
      if (typeof name === 'string' && Array.isArray(questions)) read.set(name, questions.filter((q): q is string => typeof q === 'string' && q.length <= 500).slice(0, HISTORY))
    }
  }
  return {
    budget: typeof budget === 'number' && BUDGETS.includes(budget) ? budget : DEFAULTS.budget,
    topK: typeof topK === 'number' && TOP_KS.includes(topK) ? topK : DEFAULTS.topK,
    corpus: typeof corpus === 'string' && corpus !== '' && corpus.length <= 200 ? corpus : null,
    history: read,
    notes: readNotes(notes),
  }
}

function readNotes(stored: unknown): Settings['notes'] {
  const notes = new Map<string, CorpusNote>()
  if (!Array.isArray(stored)) return notes
  for (const entry of stored.slice(0, CORPORA) as unknown[]) {
    const [name, note] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof name !== 'string' || typeof note !== 'object' || note === null) continue
    const { documents, passages, changed } = note as { [Key in keyof CorpusNote]?: unknown }
    if (typeof documents === 'number' && typeof passages === 'number' && typeof changed === 'number') notes.set(name, { documents, passages, changed })
  }
  return notes
}

export function writeSettings(settings: Settings): string {
  const { budget, topK, corpus } = settings
  return JSON.stringify({ budget, topK, corpus, history: [...settings.history].slice(-CORPORA), notes: [...settings.notes].slice(-CORPORA) })
}

/** The settings with one more question; the latest stands first, none twice, none longer than 500 units. */
export function remember(settings: Settings, corpus: string, question: string): Settings {
  if (question.length > 500) return settings
  const before = settings.history.get(corpus) ?? []
  const history = new Map(settings.history)
  history.delete(corpus)
  history.set(corpus, [question, ...before.filter((other) => other !== question)].slice(0, HISTORY))
  return { ...settings, history }
}

/** The settings with what is now seen of a corpus; the moment changes only when its documents do. */
export function note(settings: Settings, corpus: string, seen: Omit<CorpusNote, 'changed'>, now: number): Settings {
  const before = settings.notes.get(corpus)
  if (before && before.documents === seen.documents && before.passages === seen.passages) return settings
  const notes = new Map(settings.notes)
  notes.delete(corpus)
  notes.set(corpus, { ...seen, changed: now })
  return { ...settings, notes }
}

/** Local storage may be refused; the page then starts from its defaults each time. */
export function loadSettings(): Settings {
  try {
    return parseSettings(localStorage.getItem(KEY))
  } catch {
    return DEFAULTS
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, writeSettings(settings))
  } catch {
    // Refused or full: nothing but convenience is lost.
  }
}
