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

/** What an inflected word may end with. */
const ENDINGS = ['', 'e', 'en', 'er', 'es', 'n', 's']

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
    for (const language of asked[i]!)
      if (language.joins && word.length >= 2 * PART)
        for (const part of partsOf(word, language, candidates)) out.set(part, 'compound')
    return out
  })
}

/**
 * Words of the corpus that begin or end as one of these does, or begin as a part of one, in the
 * order of their spelling.
 */
function candidatesOf(
  words: readonly string[],
  languages: readonly Language[],
  { vocabulary, lexical }: TextIndex,
): string[] {
  const starts = new Set<number>(),
    ends = new Set<number>(),
    joins = languages.some((language) => language.joins)
  for (const word of words) {
    for (const { stem } of languages) {
      starts.add(keyOf(stem(word).slice(0, WORD_KEY_UNITS)))
      if (joins && word.length >= PART)
        for (const ending of ENDINGS)
          for (const form of [stem(word), word])
            ends.add(keyOf((form + ending).slice(-WORD_KEY_UNITS)))
    }
    for (let at = PART; joins && at <= word.length - PART; at++)
      starts.add(keyOf(word.slice(at, at + WORD_KEY_UNITS)))
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
  return languages.some((language) => language.joins && isCompound(word, other, language))
    ? 'compound'
    : null
}

/** Whether the other word begins or ends with a form of this one: `Gebühr` of `Hafengebühren`. */
function isCompound(word: string, other: string, { stem }: Language): boolean {
  if (word.length < PART) return false
  const own = unmarked(stem(word)),
    whole = unmarked(stem(other))
  if (own.length >= PART && whole.length >= own.length + PART) {
    if (whole.endsWith(own) || (own.length >= HEAD && whole.startsWith(own))) return true
  }
  // a stemmer takes more off a long word than off its part
  return (
    word.length >= HEAD &&
    other.length >= word.length + PART &&
    (other.startsWith(word) || ENDINGS.some((ending) => other.endsWith(word + ending)))
  )
}

/** The two words of the corpus that a word is made of, if it has them, in all their forms. */
function partsOf(word: string, { stem }: Language, candidates: readonly string[]): string[] {
  const byStem = new Map<string, string[]>()
  for (const candidate of candidates) {
    if (candidate.length < PART) continue
    const own = unmarked(stem(candidate))
    byStem.set(own, [...(byStem.get(own) ?? []), candidate])
  }
  const formsOf = (part: string): string[] =>
    part.length < PART ? [] : (byStem.get(unmarked(stem(part))) ?? [])
  for (let at = word.length - PART; at >= PART; at--) {
    const tail = formsOf(word.slice(at))
    if (tail.length === 0) continue
    const front = word.slice(0, at),
      head = LINKS.filter((link) => front.endsWith(link))
        .map((link) => formsOf(front.slice(0, front.length - link.length)))
        .find((forms) => forms.length > 0)
    if (head !== undefined) return [...head, ...tail]
  }
  return []
}

/** Without marks: `Häuser` as `Hauser`, as a part may carry another vowel than the whole. */
function unmarked(word: string): string {
  let out = ''
  for (let i = 0; i < word.length; i++) out += String.fromCharCode(foldedUnit(word.charCodeAt(i)))
  return out
}
