/** Names of the corpus in a question: by their capitals, and titles whatever their case. */
import { ln } from '../base/math.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { acceptedNames } from '../graph/names/accepted_names.ts'
import { peopleCalled } from '../graph/names/part_names.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { CAPITAL } from '../lexical/words.ts'
import type { Question } from './question.ts'

/** A title that is written small counts as recognised from this rarity on. */
const LEAST_RARITY = 0.3
/** And from this on beside names that their capitals tell. */
const LEAST_BESIDE = 0.6

/** Names in the order of the question; `fuzzy`: those with a slip or another number. */
export interface QuestionNames {
  readonly spelt: number[]
  readonly fuzzy: number[]
  /** Of them titles without a capital that would tell a name. */
  readonly plain: ReadonlySet<number>
  /** Words that stand for several people, all of whom are among the names. */
  readonly doubts: readonly Doubt[]
}

export interface Doubt {
  /** As the question has it. */
  readonly text: string
  readonly names: readonly number[]
}

/** Passages that have the rarest word of a name. */
export function passagesWithWords(
  name: number,
  { gazetteer, lexical, vocabulary }: TextIndex,
): number {
  const terms = gazetteer.trie
    .wordsOf(name)
    .map((word) => vocabulary.termOf(word))
    .filter((term) => term >= 0)
  return Math.min(...terms.map((term) => lexical.documentFrequency(term)))
}

/** ln(1 + D / df) over its most, in (0, 1]. */
export function rarityOf(passages: number, { size }: TextIndex): number {
  return ln(1 + size / Math.max(1, passages)) / ln(1 + size)
}

/**
 * Longest match first. Where the question has capitals, one of a name's words must carry one; where
 * it has none (people type in lower case), a single word must hardly ever be written small in the
 * corpus. A title that stands whole in the question needs no capital, but a rare word.
 */
export function questionNames(question: Question, index: TextIndex): QuestionNames {
  const { trie } = index.gazetteer,
    { words, respelt } = question,
    spelt = new Set<number>(),
    fuzzy = new Set<number>(),
    plain = new Set<number>(),
    covered = new Uint8Array(words.length)
  const accepts = (name: number, from: number, to: number): boolean =>
    trie.isInForce(name) || isRareTitle(name, words.ids.subarray(from, to), index)
  acceptedNames(trie, words.ids, words.length, accepts, (name, from, to) => {
    const told = isToldByCase(name, from, to, question, index)
    if (!told && !isRareTitle(name, words.ids.subarray(from, to), index)) return
    covered.fill(1, from, to)
    const known = index.merges.canonical(name)
    if (!told) plain.add(known)
    ;(respelt.some((at) => from <= at && at < to) ? fuzzy : spelt).add(known)
  })
  if (spelt.size + fuzzy.size === plain.size) {
    for (const name of inflectedTitles(question, covered, index)) {
      plain.add(name)
      fuzzy.add(name)
    }
  } else
    for (const name of plain)
      if (rarityOf(passagesWithWords(name, index), index) < LEAST_BESIDE) {
        spelt.delete(name)
        fuzzy.delete(name)
      }
  const people = surnames(question, covered, index)
  for (const { names } of people) for (const name of names) spelt.add(name)
  return {
    spelt: [...spelt],
    fuzzy: [...fuzzy].filter((name) => !spelt.has(name)),
    plain,
    doubts: people.filter(({ names }) => names.length > 1),
  }
}

function isToldByCase(
  name: number,
  from: number,
  to: number,
  question: Question,
  index: TextIndex,
): boolean {
  const { vocabulary, size } = index,
    ids = question.words.ids.subarray(from, to),
    small = (word: number): number => vocabulary.smallCount(word)
  if (index.passagesWith(name) === 0 || (ids.length === 1 && vocabulary.isStop(ids[0]!)))
    return false
  return !question.typedSmall
    ? ids.some((word) => question.capitals.has(word))
    : ids.length === 1
      ? small(ids[0]!) <= Math.max(2, 0.0005 * size)
      : ids.some((word) => small(word) <= Math.max(1, 0.01 * size))
}

function isRareTitle(name: number, words: Int32Array, index: TextIndex): boolean {
  return (
    index.graph.titled.length(index.merges.canonical(name)) > 0 &&
    words.some((word) => !index.vocabulary.isStop(word)) &&
    rarityOf(passagesWithWords(name, index), index) >= LEAST_RARITY
  )
}

/** Words alone that are the surname or first name of people of the corpus. */
function surnames(question: Question, covered: Uint8Array, index: TextIndex): Doubt[] {
  const { words, text } = question,
    found: Doubt[] = []
  // a word of a longer name that the corpus does not have is none of its people
  const isOther = (at: number): boolean =>
    at >= 0 && at < words.length && covered[at] === 0 && mayBeName(at, question, index)
  for (let at = 0; at < words.length; at++) {
    if (covered[at] === 1 || words.ids[at]! < 0 || !mayBeName(at, question, index)) continue
    if (isOther(at - 1) || (isOther(at + 1) && !mayBeVerb(at + 1, question, index))) continue
    const asked = text.slice(words.starts[at], words.ends[at]),
      names = peopleCalled(asked.toLowerCase(), index)
    if (names.length > 0) found.push({ text: asked, names })
  }
  return found
}

/**
 * Typed small, a word that the corpus has in no name of a person is more likely a verb. Not whether
 * it has a number: words of removed passages keep theirs.
 */
function mayBeVerb(at: number, { words, text, typedSmall }: Question, index: TextIndex): boolean {
  const asked = text.slice(words.starts[at], words.ends[at]).toLowerCase()
  return typedSmall && peopleCalled(asked, index).length === 0
}

function mayBeName(at: number, question: Question, { vocabulary }: TextIndex): boolean {
  const { words, capitals, typedSmall, text } = question,
    word = words.ids[at]!
  if (word >= 0)
    return (
      !vocabulary.isStop(word) &&
      (typedSmall ? vocabulary.smallCount(word) === 0 : capitals.has(word))
    )
  const asked = text.slice(words.starts[at], words.ends[at]).toLowerCase()
  return !STOP_WORDS.has(asked) && (typedSmall || (words.shapes[at]! & CAPITAL) !== 0)
}

/** Titles of which one word is asked in the other number: feathers, Feather. */
function inflectedTitles(
  { words, text }: Question,
  covered: Uint8Array,
  index: TextIndex,
): Set<number> {
  const { vocabulary, gazetteer } = index,
    found = new Set<number>()
  for (let at = 0; at < words.length; at++) {
    if (covered[at] === 1) continue
    const asked = text.slice(words.starts[at], words.ends[at]).toLowerCase(),
      before = words.ids[at]!
    for (const other of otherNumbers(asked)) {
      words.ids[at] = vocabulary.find(other)
      const accepts = (name: number, from: number, to: number): boolean =>
        from <= at && at < to && isRareTitle(name, words.ids.subarray(from, to), index)
      acceptedNames(gazetteer.trie, words.ids, words.length, accepts, (name) => {
        found.add(index.merges.canonical(name))
      })
    }
    words.ids[at] = before
  }
  return found
}

/** Shorter words are seldom a plural. */
const LEAST_INFLECTED = 4

function otherNumbers(word: string): string[] {
  if (word.length < LEAST_INFLECTED) return []
  if (!word.endsWith('s')) return [`${word}s`]
  return [
    word.slice(0, -1),
    ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
    ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
  ]
}
