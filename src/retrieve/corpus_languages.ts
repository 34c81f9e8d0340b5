/** Which languages beside English a corpus and a question are written in. */
import type { TextIndex } from '../graph/text_index.ts'
import { LANGUAGES, loadLanguage, type Language } from '../lexical/languages.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { lowerWords } from '../lexical/words.ts'

/**
 * Different function words of a language that a passage must hold: so many, and this share of its
 * words up to `COUNTED`.
 */
const LEAST = 3,
  SHARE = 0.1,
  COUNTED = 60
/** Function words of English that no other of the languages has, or seldom. */
const ENGLISH: ReadonlySet<string> = new Set(
  'the and with that this which were from they his by is'.split(' '),
)
/** How many of another language outweigh one of those: English prose quotes foreign titles. */
const OUTWEIGHS = 4

/** Finds languages by their function words, in passages and in questions. */
export class CorpusLanguages {
  private found: readonly string[] = []
  private readFor = ''

  /** `fixed`: the languages of the documents, where the caller names them. */
  constructor(private readonly fixed?: readonly string[]) {}

  /**
   * The languages of a question over this corpus; loads what is not loaded yet. An English corpus
   * and question load none.
   */
  async of(question: string, index: TextIndex): Promise<readonly Language[]> {
    const codes = new Set(this.fixed ?? this.ofCorpus(index))
    if (!this.fixed) for (const code of ofQuestion(question)) codes.add(code)
    return Promise.all([...codes].sort().map(loadLanguage))
  }

  /** Codes of the languages of the passages, counted again when the corpus has grown or shrunk. */
  ofCorpus(index: TextIndex): readonly string[] {
    const { lexical } = index,
      state = `${String(lexical.size)} ${String(index.vocabulary.size)}`
    if (state !== this.readFor) {
      this.found = languagesOf(index)
      this.readFor = state
    }
    return this.found
  }
}

function languagesOf({ lexical, vocabulary, textOf }: TextIndex): string[] {
  /** By slot: the most function words of one language, and whose they are. */
  const most = new Map<number, { count: number; codes: string[] }>()
  for (const [code, { markers }] of LANGUAGES) {
    const counts = new Map<number, number>()
    for (const marker of markers) {
      const word = vocabulary.find(marker),
        term = word < 0 ? -1 : vocabulary.termOf(word)
      if (term >= 0)
        lexical.visit(term, (slot) => {
          counts.set(slot, (counts.get(slot) ?? 0) + 1)
        })
    }
    for (const [slot, count] of counts) {
      if (count < LEAST || count < SHARE * Math.min(COUNTED, lexical.lengthOf(slot))) continue
      const before = most.get(slot)
      if (!before || before.count < count) most.set(slot, { count, codes: [code] })
      else if (before.count === count) before.codes.push(code)
    }
  }
  const found = new Set<string>()
  for (const [slot, { codes }] of most)
    if (codes.some((code) => !found.has(code)) && !isEnglish(textOf(slot).text, codes[0]!))
      for (const code of codes) found.add(code)
  return [...found].sort()
}

/** Whether function words of English are too many for a text of another language. */
function isEnglish(text: string, code: string): boolean {
  const words = lowerWords(text),
    { markers } = LANGUAGES.get(code)!
  const count = (isOne: (word: string) => boolean): number => words.filter(isOne).length
  return OUTWEIGHS * count((word) => ENGLISH.has(word)) > count((word) => markers.includes(word))
}

/** The languages with the most function words in a question: at least two, and more than English. */
function ofQuestion(question: string): string[] {
  const words = new Set(lowerWords(question))
  let best: string[] = [],
    most = Math.max(1, [...words].filter((word) => STOP_WORDS.has(word)).length)
  for (const [code, { markers }] of LANGUAGES) {
    const count = markers.filter((marker) => words.has(marker)).length
    if (count > most) [best, most] = [[code], count]
    else if (count === most && best.length > 0) best.push(code)
  }
  return best
}
