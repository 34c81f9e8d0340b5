/** Longer names that a word is part of: surname or first name alone. */
import { compareIds } from '../../base/compare_ids.ts'
import type { TextIndex } from '../text_index.ts'
import {
  ABBREVIATION,
  GENERIC,
  JOINER,
  kindOfWord,
  OFFICE,
  OPENER,
  QUANTITY,
} from './name_words.ts'

/** Passages of a word in which names that hold it are looked for. */
const MOST_PASSAGES = 500
/** Words of a person's name. */
const MOST_WORDS = 4
/** More people of one name are no help. */
const MOST_PEOPLE = 4
/** Words that begin no person's name: New York, South Korea, Mount Erebus, Bank of England. */
const NO_FIRST_NAME = OPENER | QUANTITY | GENERIC | JOINER | OFFICE
const PLACES = new Set('saint santa san sankt mount lake port cape fort upper lower'.split(' '))

/** Names of the corpus with this word, by their text. */
export function namesWith(word: string, index: TextIndex): number[] {
  const id = index.vocabulary.find(word)
  return collected(word, index, (words) => words.includes(id))
}

/**
 * Who a surname may stand for: names of two to four words that end with it, if they are few; else
 * the one that begins with it. Ms Dahl is no other than the Dahl of the corpus.
 */
export function peopleCalled(word: string, index: TextIndex): number[] {
  const id = index.vocabulary.find(word)
  if (id < 0 || word.length < 3) return []
  const people = collected(word, index, (words, name) => isPerson(words, name, index)),
    endsWith = (name: number): boolean => index.gazetteer.trie.wordsOf(name).at(-1) === id,
    beginsWith = (name: number): boolean => index.gazetteer.trie.wordsOf(name)[0] === id
  const last = innermost(people.filter(endsWith), index),
    first = last.length > 0 ? [] : people.filter(beginsWith)
  return first.length === 1 ? first : last.length <= MOST_PEOPLE ? last : []
}

/** Without names that end with another one of them: Later Ole Dahl, Ole Dahl. */
function innermost(names: readonly number[], index: TextIndex): number[] {
  const texts = names.map((name) => index.nameText(name))
  return names.filter((_, i) => !texts.some((other) => texts[i]!.endsWith(` ${other}`)))
}

function isPerson(words: readonly number[], name: number, index: TextIndex): boolean {
  const [first, ...rest] = words.map((word) => index.vocabulary.word(word))
  return (
    rest.length > 0 &&
    rest.length < MOST_WORDS &&
    !(kindOfWord(first!) & (NO_FIRST_NAME | ABBREVIATION)) &&
    !PLACES.has(first!) &&
    ![first!, ...rest].some((word) => /\p{N}/u.test(word)) &&
    index.graph.documentFrequency(name) > 0
  )
}

function collected(
  word: string,
  index: TextIndex,
  fits: (words: readonly number[], name: number) => boolean,
): number[] {
  const { vocabulary, lexical, graph, gazetteer } = index,
    id = vocabulary.find(word),
    term = id < 0 ? -1 : vocabulary.termOf(id),
    found = new Map<number, boolean>()
  if (term < 0) return []
  let seen = 0
  lexical.visit(term, (slot) => {
    if (seen++ >= MOST_PASSAGES) return
    for (const mention of graph.mentions.values(slot)) {
      const name = mention >>> 1
      if (!found.has(name)) found.set(name, fits(gazetteer.trie.wordsOf(name), name))
    }
  })
  return [...found.keys()]
    .filter((name) => found.get(name))
    .map((name) => ({ name, text: index.nameText(name) }))
    .sort((a, b) => compareIds(a.text, b.text))
    .map(({ name }) => name)
}
