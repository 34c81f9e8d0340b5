/**
 * Names typed without their marks ("soren odegard"): unknown words are read as the words of a name
 * that other people write so.
 */
import type { TextIndex } from '../graph/text_index.ts'
import { foldedForms, spellingOf } from '../lexical/folded_forms.ts'
import type { WordBuffer } from '../lexical/word_buffer.ts'
import { formTerm } from '../lexical/word_forms.ts'

/** Marks of one word at most: as many slips apart are its two spellings. */
const MOST_MARKS = 4

/** Rewrites unknown words before `end` where a name stands then; returns their places. */
export function readUnmarkedNames(
  question: string,
  words: WordBuffer,
  index: TextIndex,
  isKnown: (word: number, asked: string) => boolean,
  end: number,
): number[] {
  const before = words.ids.slice(0, end),
    places: number[] = []
  for (let at = 0; at < end; at++) {
    const asked = spellingOf(question.slice(words.starts[at], words.ends[at]))
    if (isKnown(words.ids[at]!, asked)) continue
    const word = markedWord(asked, index)
    if (word < 0) continue
    words.ids[at] = word
    places.push(at)
  }
  if (places.length === 0) return places
  const named = new Set<number>()
  index.gazetteer.trie.read(words.ids, words.length, false, (name, from, to) => {
    if (index.passagesWith(name) > 0) for (let at = from; at < to; at++) named.add(at)
  })
  for (const at of places) if (!named.has(at)) words.ids[at] = before[at]!
  return places.filter((at) => named.has(at))
}

/** Of the words of names that are written so without marks, the one of most passages; -1 for none. */
function markedWord(asked: string, { vocabulary, lexical, gazetteer }: TextIndex): number {
  const frequency = (term: number): number => (term < 0 ? 0 : lexical.documentFrequency(term))
  // indexed beside the word it is a form of: without it no word need be looked at
  if (frequency(formTerm(asked, vocabulary, false)) === 0) return -1
  let best = -1
  for (const word of vocabulary.near(asked, MOST_MARKS)) {
    const text = vocabulary.word(word)
    if (!gazetteer.trie.hasWord(word) || !foldedForms(text).includes(asked)) continue
    const more =
      best < 0
        ? 1
        : frequency(vocabulary.termOf(word)) - frequency(vocabulary.termOf(best)) ||
          (text < vocabulary.word(best) ? 1 : -1)
    if (more > 0) best = word
  }
  return best
}
