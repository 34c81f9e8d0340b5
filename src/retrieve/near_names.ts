/**
 * Misspelt names: a word of the question that the corpus does not have is read as a word of a name
 * one or two slips away.
 */
import type { TextIndex } from '../graph/text_index.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { stem } from '../lexical/stem.ts'
import type { WordBuffer } from '../lexical/word_buffer.ts'
import { editDistance } from '../base/edit_distance.ts'

/** Shorter words have too many neighbours. */
const LEAST_LENGTH = 5
/** From this length on two slips are forgiven if another word of the name is spelt right. */
const TWO_SLIPS_LENGTH = 8

interface Reading {
  readonly word: number
  readonly slips: number
  readonly nameWords: number
  readonly passages: number
  readonly text: string
}

/** Rewrites unknown words in the buffer, each to its best reading; returns their places. */
export function readNearNames(question: string, words: WordBuffer, index: TextIndex): number[] {
  const rewritten: number[] = []
  for (let at = 0; at < words.length; at++) {
    const asked = question.slice(words.starts[at], words.ends[at]).toLowerCase()
    if (asked.length < LEAST_LENGTH || asked.length > 40 || isKnown(words.ids[at]!, asked, index))
      continue
    const best = bestReading(asked, at, words, index)
    if (best === null) continue
    words.ids[at] = best.word
    rewritten.push(at)
  }
  return rewritten
}

/** By its term's present passages: that a removed passage once had the word must not matter. */
function isKnown(word: number, asked: string, { vocabulary, lexical }: TextIndex): boolean {
  if (STOP_WORDS.has(asked)) return true
  const term = word >= 0 ? vocabulary.termOf(word) : vocabulary.find(stem(asked))
  return term >= 0 && lexical.documentFrequency(term) > 0
}

function bestReading(
  asked: string,
  at: number,
  words: WordBuffer,
  index: TextIndex,
): Reading | null {
  const most = asked.length >= TWO_SLIPS_LENGTH ? 2 : 1
  const before = words.ids[at]!
  let best: Reading | null = null
  for (const word of index.vocabulary.near(asked, most)) {
    if (!index.gazetteer.trie.hasWord(word)) continue
    const text = index.vocabulary.word(word),
      slips = editDistance(asked, text, most)
    if (slips > most) continue
    words.ids[at] = word
    const reading = nameAround(at, words, index)
    words.ids[at] = before
    if (!reading || (slips > 1 && reading.nameWords < 2)) continue
    const next: Reading = { word, slips, text, ...reading }
    if (best === null || better(next, best)) best = next
  }
  return best
}

function better(a: Reading, b: Reading): boolean {
  if (a.slips !== b.slips) return a.slips < b.slips
  if (a.nameWords !== b.nameWords) return a.nameWords > b.nameWords
  if (a.passages !== b.passages) return a.passages > b.passages
  return a.text < b.text
}

function nameAround(
  at: number,
  words: WordBuffer,
  index: TextIndex,
): { nameWords: number; passages: number } | null {
  let found: { nameWords: number; passages: number } | null = null
  index.gazetteer.trie.read(words.ids, words.length, false, (name, from, to) => {
    const passages = index.passagesWith(name)
    if (from <= at && at < to && passages > 0) found = { nameWords: to - from, passages }
  })
  return found
}
