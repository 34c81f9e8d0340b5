/** What packing asks of a question: its terms, and whether a number would answer it. */
import { stem } from '../lexical/stem.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { lowerWords } from '../lexical/words.ts'

export interface AskedQuestion {
  /** Stems without stop words, each once, in order of appearance. */
  readonly terms: readonly string[]
  /** It asks for a date, a count or a measure. */
  readonly wantsNumber: boolean
}

/** Words of a question as `WordBuffer` holds them. */
export interface QuestionWords {
  readonly length: number
  readonly starts: Int32Array
  readonly ends: Int32Array
}

/** `words`: those of `question`, where they have been read before. */
export function readAsked(question: string, words?: QuestionWords): AskedQuestion {
  const small = words
    ? Array.from({ length: words.length }, (_, i) =>
        question.slice(words.starts[i], words.ends[i]).toLowerCase(),
      )
    : lowerWords(question)
  const terms = new Set(small.filter((word) => !STOP_WORDS.has(word)).map(stem))
  return { terms: [...terms], wantsNumber: asksForNumber(small) }
}

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const AFTER_HOW = set('many much long old far tall big large high deep wide heavy fast often')
const AFTER_WHAT = set(
  'year years date day month century decade age number percentage population time',
)
const OTHERS = set('who whose whom where why')

/**
 * Answer typing (Li and Roth, Learning Question Classifiers, 2002) by English cues. The first
 * question word decides: "The director of X was born in what year?" asks for a number, "Who was
 * born when ..." does not. Asking for names was tried too: nearly every sentence has one, and
 * nothing was gained.
 */
function asksForNumber(words: readonly string[]): boolean {
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? ''
    if (word === 'when') return true
    if (word === 'how') return AFTER_HOW.has(next)
    if (word === 'what' || word === 'which') return AFTER_WHAT.has(next)
    if (OTHERS.has(word)) return false
  }
  return false
}
