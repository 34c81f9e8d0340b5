/** The last word of a query that is still being typed: what the corpus has that begins so. */
import { ln } from '../base/math.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { spellingOf } from '../lexical/folded_forms.ts'
import type { WordBuffer } from '../lexical/word_buffer.ts'
import type { QuestionForm } from './question_forms.ts'

/** Terms that an unfinished word may become: those of most passages, as many as one can mean. */
export const MOST_ENDINGS = 64
/** Shortest beginning that says something; of a script without spaces one character does. */
const LEAST_UNITS = 2
const UNSPACED_FROM = 0x2e80

/**
 * Terms of the words that begin as the last one does, together worth one word of all their passages;
 * none where a space or a stop shows that it is finished.
 */
export function endingsOf(text: string, words: WordBuffer, index: TextIndex): QuestionForm[] {
  const { vocabulary, lexical } = index,
    last = words.length - 1
  if (last < 0 || words.ends[last] !== text.length) return []
  const begun = spellingOf(text.slice(words.starts[last], words.ends[last]))
  if (begun.length < LEAST_UNITS && !(begun.charCodeAt(0) >= UNSPACED_FROM)) return []
  const found = new Map<number, { passages: number; word: string }>()
  for (const id of vocabulary.startingWith(begun)) {
    const term = vocabulary.isForm(id) ? -1 : vocabulary.termOf(id),
      passages = term < 0 ? 0 : lexical.documentFrequency(term)
    if (passages > 0 && !found.has(term)) found.set(term, { passages, word: vocabulary.word(term) })
  }
  const held = [...found.values()].reduce((sum, { passages }) => sum + passages, 0),
    { size } = lexical,
    together = Math.min(size, held),
    worth = ln(1 + (size - together + 0.5) / (together + 0.5))
  return [...found]
    .sort(([, a], [, b]) => b.passages - a.passages || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_ENDINGS)
    .map(([term]) => ({ term, share: Math.min(1, worth / lexical.idf(term)) }))
}
