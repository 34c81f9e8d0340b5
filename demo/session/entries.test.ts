import { describe, expect, it } from 'vitest'
import { corpusLines } from './entries.ts'

describe('the list of corpora', () => {
  it('lists the open corpus also before anything is saved', () => {
    expect(corpusLines([], 'new', null, new Map())).toEqual([
      { name: 'new', documents: null, passages: null, bytes: null, changed: null },
    ])
  })

  it('shows a note about passages only while it fits the number of documents', () => {
    const notes = new Map([['a', { documents: 3, passages: 9, changed: 5, bytes: 70 }]])
    expect(
      corpusLines([{ name: 'a', documents: 3, bytes: null }], null, null, notes)[0],
    ).toMatchObject({ documents: 3, passages: 9, changed: 5, bytes: 70 })
    expect(
      corpusLines([{ name: 'a', documents: 4, bytes: null }], null, null, notes)[0],
    ).toMatchObject({ documents: 4, passages: null, changed: 5, bytes: null })
  })

  it('is ordered by name and keeps names that look like members of objects', () => {
    expect(
      corpusLines(
        [
          { name: 'b', documents: 1, bytes: 2 },
          { name: '__proto__', documents: 1, bytes: null },
        ],
        'a',
        null,
        new Map(),
      ).map((line) => line.name),
    ).toEqual(['__proto__', 'a', 'b'])
  })
})
