/**
 * Questions with a slip of the finger in one name: a letter swapped with the next, dropped, doubled
 * or replaced. Seeded by the question, so every run and every ranking sees the same slip.
 */
import type { Dataset } from './dataset.ts'
import { fnv1a } from '../base/hash.ts'
import { seededRandom } from '../vector/seeded_vectors.ts'

/** Shorter words are left alone: a slip in "Po" leaves nothing to go by. */
const LEAST_LETTERS = 4
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** The question with one slip in a word of one of `names`, or null where none has four letters. */
export function withSlip(question: string, names: readonly string[]): string | null {
  const known = new Set(
    names.flatMap((name) => [...wordsOf(name)].map(({ word }) => word.toLowerCase())),
  )
  const places = [...wordsOf(question)].filter(
    ({ word }) => word.length >= LEAST_LETTERS && known.has(word.toLowerCase()),
  )
  if (places.length === 0) return null
  const next = seededRandom(fnv1a(question))
  const { word, at } = places[Math.floor(next() * places.length)] as { word: string; at: number }
  let slipped = word
  while (slipped === word) slipped = slip(word, next)
  return question.slice(0, at) + slipped + question.slice(at + word.length)
}

export interface SlippedSet {
  /** The questions that name something, each with its slip. */
  readonly dataset: Dataset
  /** Their places in the set given. */
  readonly from: readonly number[]
}

/** `names` of each question, by its place. */
export function slippedSet(dataset: Dataset, names: readonly (readonly string[])[]): SlippedSet {
  const from: number[] = []
  const questions = dataset.questions.flatMap((question, i) => {
    const slipped = withSlip(question.question, names[i] ?? [])
    if (slipped === null) return []
    from.push(i)
    return [{ ...question, question: slipped }]
  })
  return { dataset: { ...dataset, questions }, from }
}

/** May return the word itself: two equal letters swapped. */
function slip(word: string, next: () => number): string {
  const kind = Math.floor(next() * 4),
    at = Math.floor(next() * (kind === 0 ? word.length - 1 : word.length))
  const before = word.slice(0, at),
    letter = word[at]!
  if (kind === 0) return before + word[at + 1]! + letter + word.slice(at + 2)
  if (kind === 1) return before + word.slice(at + 1)
  if (kind === 2) return before + letter + letter + word.slice(at + 1)
  const other = ALPHABET[Math.floor(next() * ALPHABET.length)]!
  return (
    before + (letter === letter.toLowerCase() ? other : other.toUpperCase()) + word.slice(at + 1)
  )
}

/** Runs of Latin letters with their offsets. */
function* wordsOf(text: string): Generator<{ word: string; at: number }> {
  let from = -1
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0
    const letter =
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7)
    if (letter && from < 0) from = i
    if (!letter && from >= 0) {
      yield { word: text.slice(from, i), at: from }
      from = -1
    }
  }
}
