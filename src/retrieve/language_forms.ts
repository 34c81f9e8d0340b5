/** Forms of a question's words by the languages of the corpus: inflected, in compounds, in parts. */
import type { TextIndex } from '../graph/text_index.ts'
import { foldedUnit } from '../lexical/folded_forms.ts'
import type { Language } from '../lexical/languages.ts'
import { WORD_KEY_UNITS } from '../lexical/vocabulary.ts'

/** Most forms of one word: those found first in the order of their spelling. */
const MOST = 32
/** Shortest part of a compound, and shortest word whose compounds are looked for. */
const PART = 4,
  HEAD = 5
/** What may stand between the parts of a compound, nothing included. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']

/** How a form stands to its word. */
export type Relation = 'inflected' | 'compound'
export type LanguageForms = ReadonlyMap<string, Relation>

/**
 * For each word, in lower case, the words of the corpus that are it in another form. One pass over
 * the vocabulary, whatever the number of words; none without a language.
 */
export function languageForms(
  words: readonly string[],
  languages: readonly Language[],
  index: TextIndex,
): LanguageForms[] {
  const asked = words.map((word) => languages.filter(({ stopWords }) => !stopWords.has(word)))
  if (languages.length === 0) return words.map(() => new Map())
  const candidates = candidatesOf(
    words.filter((_, i) => asked[i]!.length > 0),
    languages,
    index,
  )
  return words.map((word, i) => {
    const out = new Map<string, Relation>()
    if (word.length < 2) return out
    for (const other of candidates) {
      if (out.size >= MOST) break
      if (other !== word) {
        const relation = relationOf(word, other, asked[i]!)
        if (relation) out.set(other, relation)
      }
    }
    if (asked[i]!.some(({ joins }) => joins))
      for (const part of partsOf(word, index)) out.set(part, 'compound')
    return out
  })
}

/** Words of the corpus that begin or end as one of these does, in the order of their spelling. */
function candidatesOf(
  words: readonly string[],
  languages: readonly Language[],
  { vocabulary, lexical }: TextIndex,
): string[] {
  const starts = new Set<number>(),
    ends = new Set<number>()
  for (const word of words) {
    for (const { stem } of languages) starts.add(keyOf(stem(word).slice(0, WORD_KEY_UNITS)))
    if (languages.some(({ joins }) => joins) && word.length >= HEAD)
      ends.add(keyOf(word.slice(-WORD_KEY_UNITS)))
  }
  const out: string[] = []
  for (const id of vocabulary.withKeys(starts, ends)) {
    const term = vocabulary.termOf(id)
    if (term >= 0 && lexical.documentFrequency(term) > 0) out.push(vocabulary.word(id))
  }
  return out.sort()
}

/** First or last units of a word without their marks, as `Vocabulary.withKeys` takes them. */
function keyOf(text: string): number {
  let key = 0
  for (let i = 0; i < WORD_KEY_UNITS; i++)
    key = (key << 10) | (i < text.length ? foldedUnit(text.charCodeAt(i)) & 1023 : 0)
  return key
}

function relationOf(word: string, other: string, languages: readonly Language[]): Relation | null {
  if (languages.some(({ stem }) => stem(word) === stem(other))) return 'inflected'
  if (word.length < HEAD || other.length < word.length + PART) return null
  const joining = languages.some(({ joins }) => joins)
  return joining && (other.startsWith(word) || other.endsWith(word)) ? 'compound' : null
}

/** The two words of the corpus that a word is made of, if it has them. */
function partsOf(word: string, { vocabulary, lexical }: TextIndex): string[] {
  const isKnown = (part: string): boolean => {
    const id = part.length < PART ? -1 : vocabulary.find(part),
      term = id < 0 ? -1 : vocabulary.termOf(id)
    return term >= 0 && lexical.documentFrequency(term) > 0
  }
  for (let at = word.length - PART; at >= PART; at--) {
    const tail = word.slice(at)
    if (!isKnown(tail)) continue
    const front = word.slice(0, at),
      head = LINKS.filter((link) => front.endsWith(link))
        .map((link) => front.slice(0, front.length - link.length))
        .find(isKnown)
    if (head !== undefined) return [head, tail]
  }
  return []
}
