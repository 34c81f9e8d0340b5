/** What the page remembers besides the corpora; nothing that is read back is trusted. */
import type { Language } from '../words/words.ts'

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
  /** Addresses of the archives that corpora were opened from, by corpus. */
  readonly origins: ReadonlyMap<string, string>
  readonly model: ModelChoice
  /** Agents in the browser may read the open corpus. */
  readonly agents: boolean
  /** Null: that of the browser. */
  readonly language: Language | null
  /** Questions and answers stay beyond the visit. */
  readonly keepThread: boolean
  readonly index: 'auto' | 'exact' | 'hnsw'
}

/** Which language model writes answers. A key is never kept. */
export interface ModelChoice {
  readonly kind: 'off' | 'browser' | 'server'
  /** Base of a server's API, and the model's name there. */
  readonly url: string
  readonly name: string
  /** Tokens of prompt and answer together, for a server, which does not say it. */
  readonly window: number
  readonly answer: number
}

export interface CorpusNote {
  readonly documents: number
  readonly passages: number
  /** Milliseconds since 1970. */
  readonly changed: number
  /** About what texts and vectors take; null until it is reckoned. */
  readonly bytes: number | null
}

const KEY = 'hubmesh-demo'
const LANGUAGES: readonly Language[] = ['en', 'zh', 'ja']
const HISTORY = 6
const CORPORA = 20
const LONGEST_URL = 2000

/** Budgets the slider offers, in tokens: about a seventh more each, in round numbers. */
export const BUDGETS: readonly number[] = [
  64, 96, 128, 160, 200, 256, 320, 400, 500, 600, 700, 800, 1000, 1200, 1400, 1600, 1800, 2000,
  2300, 2600, 3000, 3500, 4000, 4600, 5200, 6000, 7000, 8000,
]
export const TOP_KS: readonly number[] = [5, 10, 20, 50]
/** Windows and lengths of answers on offer, in tokens. */
export const WINDOWS: readonly number[] = [2048, 4096, 8192, 16384, 32768, 131072]
export const ANSWERS: readonly number[] = [256, 512, 1024, 2048]
const NO_MODEL: ModelChoice = { kind: 'off', url: '', name: '', window: 4096, answer: 512 }
export const DEFAULTS: Settings = {
  budget: 2000,
  topK: 10,
  corpus: null,
  history: new Map(),
  notes: new Map(),
  origins: new Map(),
  model: NO_MODEL,
  agents: true,
  language: null,
  keepThread: false,
  index: 'auto',
}

/** Reads a stored text; whatever is missing or wrong takes its default. */
export function parseSettings(stored: string | null): Settings {
  let value: unknown
  try {
    value = JSON.parse(stored ?? 'null')
  } catch {
    return DEFAULTS
  }
  if (typeof value !== 'object' || value === null) return DEFAULTS
  const { budget, topK, corpus, history, notes, origins, model, ...rest } = value as {
    [Key in keyof Settings]?: unknown
  }
  return {
    budget: typeof budget === 'number' && BUDGETS.includes(budget) ? budget : DEFAULTS.budget,
    topK: typeof topK === 'number' && TOP_KS.includes(topK) ? topK : DEFAULTS.topK,
    corpus: typeof corpus === 'string' && corpus !== '' && corpus.length <= 200 ? corpus : null,
    history: readHistory(history),
    notes: readNotes(notes),
    origins: readOrigins(origins),
    model: readModel(model),
    agents: rest.agents !== false,
    language: LANGUAGES.find((id) => id === rest.language) ?? null,
    keepThread: rest.keepThread === true,
    index: rest.index === 'hnsw' || rest.index === 'exact' ? rest.index : 'auto',
  }
}

function readHistory(stored: unknown): Settings['history'] {
  const out = new Map<string, readonly string[]>()
  if (!Array.isArray(stored)) return out
  for (const entry of stored.slice(0, CORPORA) as unknown[]) {
    const [name, questions] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof name === 'string' && Array.isArray(questions))
      out.set(
        name,
        questions
          .filter((q): q is string => typeof q === 'string' && q.length <= 500)
          .slice(0, HISTORY),
      )
  }
  return out
}

function readOrigins(stored: unknown): Settings['origins'] {
  const out = new Map<string, string>()
  if (!Array.isArray(stored)) return out
  for (const entry of stored.slice(0, CORPORA) as unknown[]) {
    const [name, url] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof name === 'string' && typeof url === 'string' && url.length <= LONGEST_URL)
      out.set(name, url)
  }
  return out
}

function readModel(stored: unknown): ModelChoice {
  if (typeof stored !== 'object' || stored === null) return NO_MODEL
  const { kind, url, name, window, answer } = stored as { [Key in keyof ModelChoice]?: unknown }
  return {
    kind: kind === 'browser' || kind === 'server' ? kind : 'off',
    url: typeof url === 'string' ? url.slice(0, LONGEST_URL) : '',
    name: typeof name === 'string' ? name.slice(0, 200) : '',
    window: typeof window === 'number' && WINDOWS.includes(window) ? window : NO_MODEL.window,
    answer: typeof answer === 'number' && ANSWERS.includes(answer) ? answer : NO_MODEL.answer,
  }
}

function readNotes(stored: unknown): Settings['notes'] {
  const notes = new Map<string, CorpusNote>()
  if (!Array.isArray(stored)) return notes
  for (const entry of stored.slice(0, CORPORA) as unknown[]) {
    const [name, note] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof name !== 'string' || typeof note !== 'object' || note === null) continue
    const { documents, passages, changed, bytes } = note as { [Key in keyof CorpusNote]?: unknown }
    if (
      typeof documents === 'number' &&
      typeof passages === 'number' &&
      typeof changed === 'number'
    )
      notes.set(name, {
        documents,
        passages,
        changed,
        bytes: typeof bytes === 'number' ? bytes : null,
      })
  }
  return notes
}

export function writeSettings(settings: Settings): string {
  const { budget, topK, corpus, agents, language, keepThread, index } = settings,
    { kind, url, name, window, answer } = settings.model
  return JSON.stringify({
    budget,
    topK,
    corpus,
    history: [...settings.history].slice(-CORPORA),
    notes: [...settings.notes].slice(-CORPORA),
    origins: [...settings.origins].slice(-CORPORA),
    model: { kind, url, name, window, answer },
    agents,
    language,
    keepThread,
    index,
  })
}

/**
 * The settings with one more question; the latest stands first, none twice, none longer than 500
 * units.
 */
export function remember(settings: Settings, corpus: string, question: string): Settings {
  if (question.length > 500) return settings
  const before = settings.history.get(corpus) ?? []
  const history = new Map(settings.history)
  history.delete(corpus)
  history.set(corpus, [question, ...before.filter((other) => other !== question)].slice(0, HISTORY))
  return { ...settings, history }
}

/**
 * The settings with what is now seen of a corpus; the moment changes only when its documents do.
 */
export function note(
  settings: Settings,
  corpus: string,
  seen: Pick<CorpusNote, 'documents' | 'passages'>,
  now: number,
): Settings {
  const before = settings.notes.get(corpus)
  if (before && before.documents === seen.documents && before.passages === seen.passages)
    return settings
  const notes = new Map(settings.notes)
  notes.delete(corpus)
  notes.set(corpus, {
    ...seen,
    changed: now,
    bytes: before?.documents === seen.documents ? before.bytes : null,
  })
  return { ...settings, notes }
}

/** The settings with the size of a corpus, if it is one that is noted. */
export function weigh(settings: Settings, corpus: string, bytes: number): Settings {
  const before = settings.notes.get(corpus)
  return before === undefined || before.bytes === bytes
    ? settings
    : { ...settings, notes: new Map([...settings.notes, [corpus, { ...before, bytes }]]) }
}

/** The settings without anything of a corpus. */
export function forget(settings: Settings, corpus: string): Settings {
  const without = <T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...map].filter(([name]) => name !== corpus))
  return {
    ...settings,
    corpus: settings.corpus === corpus ? null : settings.corpus,
    history: without(settings.history),
    notes: without(settings.notes),
    origins: without(settings.origins),
  }
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
