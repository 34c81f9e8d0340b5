import { describe, expect, it } from 'vitest'
import { corpusLabel, corpusNameFrom, freeName } from './corpus_name.ts'

describe('names of corpora', () => {
  it.each([
    ['Handbook 2024', 'Handbook-2024'],
    ['  ..notes//x  ', 'notes-x'],
    ['日本語', 'corpus'],
    ['', 'corpus'],
    ['Café Münster', 'Cafe-Munster'],
    ['-a-', 'a'],
    ['__proto__', '__proto__'],
  ])('make %j into %j', (words, name) => {
    expect(corpusNameFrom(words)).toBe(name)
  })

  it('always have a shape the engine takes', () => {
    for (const words of ['x'.repeat(300), '.hidden.', '💥 a 💥', 'a.b.', '---'])
      expect(corpusNameFrom(words)).toMatch(/^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/)
  })

  it('count on when taken', () => {
    expect(freeName('Notes', new Set(['Notes', 'Notes-2']))).toBe('Notes-3')
  })

  it('show the sample in plain words', () => {
    expect([
      corpusLabel('hotpotqa-sample'),
      corpusLabel('my-documents'),
      corpusLabel('Notes'),
    ]).toEqual(['Wikipedia sample', 'My documents', 'Notes'])
  })
})
