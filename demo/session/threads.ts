/** Conversations that a person wants kept beyond the visit: questions with their cards. */
import type { Answer } from '../../src/index.ts'
import type { State, Store, Turn } from './state.ts'

const PREFIX = 'hubmesh-thread:'
/** Turns kept of each corpus. */
const KEPT = 20

interface Kept {
  readonly question: string
  readonly card: Answer
}

/** Follows the open corpus: its kept thread is shown again, a thread is kept on request. */
export function keepThreads(store: Store): void {
  let corpus: string | null = null
  store.subscribe(() => {
    const { state } = store
    if (!state.settings.keepThread) {
      if (corpus !== null) forgetThreads()
      corpus = null
      return
    }
    if (state.boot !== 'ready' || state.corpus === null || state.example) return
    if (corpus !== state.corpus) {
      corpus = state.corpus
      const turns = readThread(corpus)
      if (turns.length > 0 && state.turns.length === 0)
        store.set({ turns, turn: state.turn + turns.length })
    }
    write(corpus, state)
  })
}

/** Deletes what was kept of one corpus, or of all. */
export function forgetThreads(corpus?: string): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key === `${PREFIX}${corpus ?? ''}` || (corpus === undefined && key.startsWith(PREFIX)))
        localStorage.removeItem(key)
  } catch {
    // Refused storage keeps nothing.
  }
}

let written: readonly Turn[] | null = null
let writtenAnswer: State['answer'] = null

function write(corpus: string, { turns, asked, answer }: State): void {
  if (turns === written && answer === writtenAnswer) return
  written = turns
  writtenAnswer = answer
  const all: Kept[] = turns.map(({ question, card }) => ({ question, card }))
  if (answer && asked !== '') all.push({ question: asked, card: answer.answer })
  if (all.length === 0) return
  try {
    localStorage.setItem(PREFIX + corpus, JSON.stringify(all.slice(-KEPT)))
  } catch {
    // Refused or full: the visit goes on, and nothing but convenience is lost.
  }
}

/** What was kept; entries of another shape are left out. */
export function readThread(corpus: string): readonly Turn[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + corpus) ?? '[]')
    if (!Array.isArray(stored)) return []
    return (stored as unknown[]).flatMap((entry, i): Turn[] => {
      const { question, card } = (entry ?? {}) as Partial<Kept>
      return typeof question === 'string' && validCard(card)
        ? [{ id: -1 - i, question, card, answer: null, written: null }]
        : []
    })
  } catch {
    return []
  }
}

function validCard(card: unknown): card is Answer {
  const { state, quotes } = (card ?? {}) as Partial<Answer>
  return (
    (state === 'found' || state === 'unsure' || state === 'none') &&
    Array.isArray(quotes) &&
    quotes.every(
      (quote: Partial<Answer['quotes'][number]> | null) =>
        typeof quote?.text === 'string' &&
        typeof quote.documentId === 'string' &&
        typeof quote.title === 'string' &&
        typeof quote.start === 'number' &&
        typeof quote.highlight?.start === 'number' &&
        typeof quote.highlight.end === 'number',
    )
  )
}
