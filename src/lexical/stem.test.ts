import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import stemEnglish from 'wink-porter2-stemmer'
import { expect, it } from 'vitest'
import { stem } from './stem.ts'
import { lowerWords } from './words.ts'

const ENDINGS = [
  'ed',
  'eed',
  'ing',
  'ingly',
  'ational',
  'izer',
  'ator',
  'alism',
  'fulness',
  'ousli',
  'biliti',
  'ogi',
  'alize',
  'icate',
  'ical',
  'ful',
  'ement',
  'ment',
  'ent',
  'ance',
  'ous',
  'ive',
  'sion',
  'tion',
  'll',
  'e',
  'y',
  's',
  'ies',
  'sses',
  '',
]

it('a word that is let through unread is one the stemmer would leave as it is', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: 1,
    maxLength: 9,
  })
  fc.assert(
    fc.property(letters, fc.constantFrom(...ENDINGS), (start, ending) => {
      expect(stem(start + ending)).toBe(stemEnglish(start + ending))
    }),
    { numRuns: 5000 },
  )
})

it('the words of English text get the stems of the stemmer', () => {
  const sample = fileURLToPath(new URL('../../public/samples/hotpotqa_train100/', import.meta.url)),
    file = readdirSync(sample).find((name) => name.startsWith('corpus'))!
  const words = new Set(
    lowerWords(readFileSync(sample + file, 'utf8')).filter((word) => /^[a-z]+$/.test(word)),
  )
  expect(words.size).toBeGreaterThan(5000)
  for (const word of words) expect(stem(word)).toBe(stemEnglish(word))
})

it('identifiers and words of other scripts are their own stems', () => {
  for (const word of ['utf8s', 'x86ing', 'книги', '東京', 'données2']) expect(stem(word)).toBe(word)
})
