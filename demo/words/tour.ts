/**
 * Owns what the steps of the tour say that depends on what is there, and the question that it asks.
 * Refuses: promising what going on would not do.
 */
import type { State } from '../session/state.ts'

/**
 * The question that the tour asks by itself: the sample's first, else one about the best known
 * name; null where there is neither.
 */
export function tourQuestion({
  suggestions,
  hubs,
}: Pick<State, 'suggestions' | 'hubs'>): string | null {
  return suggestions[0] ?? (hubs[0] === undefined ? null : `What is said about ${hubs[0]}?`)
}

/** Said of the shelf: what going on puts on it. */
export function shelfWords(filled: boolean, sample: boolean): string {
  const next = filled
    ? 'What you added is on it.'
    : sample
      ? 'Next opens the Wikipedia sample that is on it.'
      : 'Next puts 994 paragraphs of Wikipedia on it.'
  return `Documents are read, split and indexed here, on this device. ${next}`
}

/** Said of the question: what going on asks. */
export function questionWords(state: Pick<State, 'suggestions' | 'hubs' | 'answer'>): string {
  const question = tourQuestion(state)
  if (state.answer !== null) return 'In your own words. Next shows what came of the last question.'
  if (state.suggestions.length > 0)
    return 'In your own words. Next asks a question that no single paragraph answers.'
  return question === null
    ? 'In your own words. Ask something, then go on.'
    : `In your own words. Next asks: “${question}”`
}
