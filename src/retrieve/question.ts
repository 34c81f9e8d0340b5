/** A question's words and terms as the corpus numbers them. */
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { stem } from '../lexical/stem.ts'
import type { Language } from '../lexical/languages.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { spellingOf } from '../lexical/folded_forms.ts'
import type { Vocabulary } from '../lexical/vocabulary.ts'
import { formOfUnknown, questionForms, type QuestionForm } from './question_forms.ts'
import { formalWords } from './formal_words.ts'
import { readNearNames } from './near_names.ts'
import { CAPITAL } from '../lexical/words.ts'

export interface Question {
  readonly text: string
  /** Word numbers, -1 for words the corpus does not have. */
  readonly words: WordBuffer
  /** Terms the corpus has, in order; one asked twice stands twice. */
  readonly terms: readonly number[]
  /** The same, each once: bit j of a passage's `termMask` stands for `distinct[j]`. */
  readonly distinct: readonly number[]
  readonly idfSum: number
  /** Terms of other forms of its words: they count beside the exact ones, and less. */
  readonly forms: readonly QuestionForm[]
  /** Words with a capital, apart from a first word that the corpus often writes small. */
  readonly capitals: ReadonlySet<number>
  /** Places of misspelt names that are read as the corpus spells them. */
  readonly respelt: readonly number[]
  /** No capital but perhaps the first letter: capitals tell no names. */
  readonly typedSmall: boolean
}

/** A first word counts as capitalised when fewer passages than this write it small. */
const FIRST_WORD_SMALL = 5

export function readQuestion(
  text: string,
  index: TextIndex,
  nearNames = true,
  languages: readonly Language[] = [],
): Question {
  const { vocabulary, lexical } = index
  const words = new WordBuffer().read(text, vocabulary, true)
  const respelt = nearNames ? readNearNames(text, words, index) : []
  const terms: number[] = []
  const capitals = new Set<number>()
  const isFormal = formalWords(text, words, languages)
  let idfSum = 0,
    typedSmall = true
  for (let i = 0; i < words.length; i++) {
    const word = words.ids[i]!
    if (words.shapes[i]! & CAPITAL) {
      if (i > 0) typedSmall = false
      if (word >= 0 && (i > 0 || vocabulary.smallCount(word) < FIRST_WORD_SMALL)) capitals.add(word)
    }
    const term = termAt({ words, text }, i, vocabulary)
    const spelt = spellingOf(text.slice(words.starts[i], words.ends[i]))
    if (isFormal(spelt, i)) continue
    const found =
      term >= 0 && lexical.documentFrequency(term) > 0 ? term : formOfUnknown(spelt, index)
    if (found < 0) continue
    terms.push(found)
    idfSum += lexical.idf(found)
  }
  return {
    text,
    forms: questionForms(text, words, index, terms, languages),
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
 * The term of a question's word, -1 for none; that of its stem where the corpus does not have its
 * form. The two must count alike: numbers of words of removed passages stay.
 */
export function termAt(
  { words, text }: Pick<Question, 'words' | 'text'>,
  at: number,
  vocabulary: Vocabulary,
): number {
  const word = words.ids[at]!
  if (word >= 0) return vocabulary.termOf(word)
  const spelt = spellingOf(text.slice(words.starts[at], words.ends[at]))
  return STOP_WORDS.has(spelt) ? -1 : vocabulary.find(stem(spelt))
}
