/** Names that tell nothing of what they join: months, nationalities, ordinals, given names. */
import { GENERIC, kindOfWord, QUANTITY } from './names/name_words.ts'
import type { TextIndex } from './text_index.ts'

/** A single word that begins so many other names is a given name or a class: John, University. */
const MOST_LONGER = 5
/** Share of the passages with a word, in capitals or not, that write it in lower case. */
const MOST_SMALL = 0.2

/** Whether a name is capitalised by grammar alone. */
export function isGeneric(name: number, index: TextIndex): boolean {
  const { gazetteer, vocabulary, graph } = index,
    ids = gazetteer.trie.wordsOf(name),
    words = ids.map((word) => vocabulary.word(word))
  if (words.every((word) => (kindOfWord(word) & (GENERIC | QUANTITY)) !== 0 || /^\d/.test(word)))
    return true
  if (words.length > 1 || graph.titled.length(name) > 0) return false
  return (
    words[0]!.length < 2 ||
    vocabulary.smallCount(ids[0]!) > MOST_SMALL * graph.documentFrequency(name)
  )
}

/** Whether a name joins too much to tell why two documents belong together. */
export function isCommon(name: number, index: TextIndex): boolean {
  const { trie } = index.gazetteer,
    word = trie.onlyWordOf(name)
  return isGeneric(name, index) || (word >= 0 && trie.longerThan(word) >= MOST_LONGER)
}
