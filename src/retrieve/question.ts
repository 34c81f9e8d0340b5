/**
 * Owns the reading of a question: its words and terms as the corpus numbers them. Refuses: names
 * and ranking.
 */
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { stem } from '../lexical/stem.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import type { Vocabulary } from '../lexical/vocabulary.ts'
import { readNearNames } from './near_names.ts'
import { CAPITAL } from '../lexical/words.ts'

export interface Question {
  readonly text: string
  /** Word numbers, -1 for words the corpus does not have. */
  readonly words: WordBuffer
  /** Terms the corpus has, in order; one asked twice stands twice. */
  readonly terms: readonly number[]
  /** The same, each once: bit j of a passage's `held` stands for `distinct[j]`. */
  readonly distinct: readonly number[]
  /** Sum of the idf of `terms`. */
  readonly idfSum: number
  /**
   * Words (by number) written with a capital, apart from a first word that the corpus often writes
   * small.
   */
  readonly capitals: ReadonlySet<number>
  /** Places of words that were misspelt names, and are read as the corpus spells them. */
  readonly respelt: readonly number[]
  /** No capital but perhaps the first letter: names cannot be told by their capitals. */
  readonly typedSmall: boolean
}

/** A first word counts as a capitalised one when fewer passages than this write it small. */
const FIRST_WORD_SMALL = 5

export function readQuestion(text: string, index: TextIndex, nearNames = true): Question {
  const { vocabulary, lexical } = index
  const words = new WordBuffer().read(text, vocabulary, true)
  const respelt = nearNames ? readNearNames(text, words, index) : []
  const terms: number[] = []
  const capitals = new Set<number>()
  let idfSum = 0,
    typedSmall = true
  for (let i = 0; i < words.length; i++) {
    const word = words.ids[i] as number
    if ((words.shapes[i] as number) & CAPITAL) {
      if (i > 0) typedSmall = false
      if (word >= 0 && (i > 0 || vocabulary.smallCount(word) < FIRST_WORD_SMALL)) capitals.add(word)
    }
    const term =
      word < 0
        ? termOfUnknown(text.slice(words.starts[i], words.ends[i]).toLowerCase(), vocabulary)
        : vocabulary.termOf(word)
    if (term < 0 || lexical.documentFrequency(term) === 0) continue
    terms.push(term)
    idfSum += lexical.idf(term)
  }
  return {
    text,
    words,
    terms,
    distinct: [...new Set(terms)],
    idfSum,
    capitals,
    respelt,
    typedSmall,
  }
}

/**
 * The term of a word that the corpus does not have in this form: of its stem, as it would be if the
 * word had once been seen.
 */
function termOfUnknown(word: string, vocabulary: Vocabulary): number {
  return STOP_WORDS.has(word) ? -1 : vocabulary.find(stem(word))
}
