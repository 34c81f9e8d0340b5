/**
 * Owns whether a question asks for a date, a count or a measure, so that the sentence that could
 * hold it is not the one left out. A small part of answer typing (Li and Roth, Learning Question
 * Classifiers, 2002), by English cues; a question without one asks for nothing. Refuses: reading
 * the answer. Names were tried too: nearly every sentence has one, and nothing was gained.
 */
import { lowerWords } from '../lexical/words.ts'

const AFTER_HOW: ReadonlySet<string> = new Set([
  'many',
  'much',
  'long',
  'old',
  'far',
  'tall',
  'big',
  'large',
  'high',
  'deep',
  'wide',
  'heavy',
  'fast',
  'often',
])
const AFTER_WHAT: ReadonlySet<string> = new Set([
  'year',
  'years',
  'date',
  'day',
  'month',
  'century',
  'decade',
  'age',
  'number',
  'percentage',
  'population',
  'time',
])
const OTHERS: ReadonlySet<string> = new Set(['who', 'whose', 'whom', 'where', 'why'])

/**
 * The first question word decides: "The director of X was born in what year?" asks for a number,
 * "Who was born when ..." does not.
 */
export function asksForNumber(question: string): boolean {
  const words = lowerWords(question)
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string,
      next = words[i + 1] ?? ''
    if (word === 'when') return true
    if (word === 'how') return AFTER_HOW.has(next)
    if (word === 'what' || word === 'which') return AFTER_WHAT.has(next)
    if (OTHERS.has(word)) return false
  }
  return false
}
