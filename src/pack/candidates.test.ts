import { expect, it } from 'vitest'
import { fnv1a } from '../base/hash.ts'
import { HashedWords } from './hashed_words.ts'
import { lowerWords } from '../lexical/words.ts'
import { stem } from '../lexical/stem.ts'
import { termReader } from './candidates.ts'
import { readAsked } from './question.ts'

const WORDS =
  'Lying liars lie; dying of a die, tying ties. Vitamin C and Plan 9 — using, use, aging, ' +
  'ages, cries, crying, cry! Skies, ÉCOLE école, naïve. 東京都 x 4 B2B ugly uglier gently hoping ' +
  'hope Oing'

/** What every word's stem gives, without looking at how it begins. */
function readOf(text: string, terms: readonly string[]): number[] {
  return lowerWords(text).map((word) => Math.max(terms.indexOf(word), terms.indexOf(stem(word))))
}

it.each([
  'the dying lie',
  'vitamin c',
  'plan 9',
  'use of age',
  'who is Oing',
  'a cry',
  'école naïve 東京',
  'hope tie ugly gentle x 4 b2b sky',
])('words of "%s" are found however they are written', (question) => {
  const { terms } = readAsked(question),
    termOf = termReader(terms),
    found: number[] = []
  const { length, starts, ends } = new HashedWords().read(WORDS)
  for (let i = 0; i < length; i++) found.push(termOf(WORDS, starts[i]!, ends[i]!))
  expect(found).toEqual(readOf(WORDS, terms))
  expect(found.some((term) => term >= 0)).toBe(true)
})

it('words are hashed as those in small letters, whatever their script', () => {
  const words = new HashedWords(),
    { ids: hashes, length } = words.read(WORDS)
  expect([...hashes.subarray(0, length)]).toEqual(lowerWords(WORDS).map((word) => fnv1a(word)))
  const part = words.read('one twö', 1, 6)
  expect(
    Array.from({ length: part.length }, (_, i) => 'one twö'.slice(part.starts[i], part.ends[i])),
  ).toEqual(['ne', 'tw'])
})
