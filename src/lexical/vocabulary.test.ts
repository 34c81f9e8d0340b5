import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lowerWords } from './words.ts'
import { Vocabulary } from './vocabulary.ts'

it('numbers words as a map of lower-cased strings would, whatever the script', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 4 }),
    fc.constantFrom(
      'ABC',
      'abc',
      'İstanbul',
      'Straße',
      'ΣΟΦΟΣ',
      '東京',
      '__proto__',
      'constructor',
      '',
    ),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 3000, minLength: 1 }), (words) => {
      const vocabulary = new Vocabulary(),
        map = new Map<string, number>()
      for (const w of words) {
        const text = `x${w}y`,
          key = w.toLowerCase()
        expect(vocabulary.read(text, 1, text.length - 1, false)).toBe(map.get(key) ?? -1)
        const id = vocabulary.read(text, 1, text.length - 1, true)
        if (map.has(key)) expect(id).toBe(map.get(key))
        else {
          expect(id).toBe(map.size)
          map.set(key, id)
        }
        expect(vocabulary.word(id)).toBe(key)
      }
    }),
    { numRuns: 50 },
  )
})

it('terms are stems, stop words have none, identifiers are their own', () => {
  const vocabulary = new Vocabulary()
  const term = (word: string): string | null => {
    const t = vocabulary.termOf(vocabulary.intern(word))
    return t < 0 ? null : vocabulary.word(t)
  }
  expect(['founded', 'founder', 'the', 'v1beta', 'мамами', 'universities'].map(term)).toEqual([
    'found',
    'founder',
    null,
    'v1beta',
    'мамами',
    'univers',
  ])
  expect(lowerWords('Founded')).toEqual(['founded'])
})
