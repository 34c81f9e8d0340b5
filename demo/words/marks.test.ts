import { describe, expect, it } from 'vitest'
import { excerptAround, markedPieces, type Mark } from './marks.ts'

const text = 'Ed Wood is a 1994 American film directed by Tim Burton.'
const mark = (start: number, end: number, kind: Mark['kind']): Mark => ({ start, end, kind })

describe('marked pieces', () => {
  it('give the text back when joined, whatever the marks', () => {
    const marks = [
      mark(0, 7, 'name'),
      mark(3, 12, 'term'),
      mark(-5, 4, 'sentence'),
      mark(50, 900, 'sentence'),
      mark(9, 9, 'term'),
      mark(700, 800, 'name'),
    ]
    const pieces = markedPieces(text, 0, marks)
    expect(pieces.map((p) => p.text).join('')).toBe(text)
    expect(pieces.find((p) => p.start === 3)?.kinds).toEqual(['sentence', 'name', 'term'])
  })

  it('use offsets of the document, not of the passage', () => {
    const pieces = markedPieces(text, 100, [mark(100, 107, 'name')])
    expect(pieces[0]).toEqual({ text: 'Ed Wood', kinds: ['name'], start: 100 })
  })

  it('join neighbours that carry the same marks', () => {
    expect(markedPieces(text, 0, [mark(0, 3, 'name'), mark(3, 7, 'name')])).toHaveLength(2)
  })

  it('leave text that looks like markup as it is', () => {
    const hostile = '<img src=x onerror=alert(1)> & "quotes"'
    expect(markedPieces(hostile, 0, []).map((p) => p.text)).toEqual([hostile])
  })
})

describe('an excerpt', () => {
  const long =
    `${'filler words here. '.repeat(30)}The answer stands here, in one sentence. ` +
    `${'more filler follows. '.repeat(30)}`
  const at = long.indexOf('The answer')

  it('shows the best sentence and slices exactly', () => {
    const excerpt = excerptAround(
      long,
      1000,
      [mark(1002, 1005, 'term'), mark(1000 + at, 1000 + at + 40, 'sentence')],
      200,
    )
    expect(excerpt.text).toContain('The answer stands here, in one sentence.')
    expect(long.slice(excerpt.start - 1000, excerpt.start - 1000 + excerpt.text.length)).toBe(
      excerpt.text,
    )
    expect(excerpt.cutBefore && excerpt.cutAfter).toBe(true)
    expect(excerpt.text.length).toBeLessThanOrEqual(200)
  })

  it('is the whole text when that is short', () => {
    expect(excerptAround(text, 5, [], 200)).toEqual({
      text,
      start: 5,
      cutBefore: false,
      cutAfter: false,
    })
  })

  it('never starts or ends inside a surrogate pair', () => {
    const faces = '😀'.repeat(300)
    for (let length = 90; length < 110; length++) {
      const excerpt = excerptAround(faces, 0, [mark(301, 303, 'name')], length)
      expect(excerpt.text.charCodeAt(0)).toBeLessThan(0xdc00)
      expect(excerpt.text.charCodeAt(excerpt.text.length - 1)).toBeGreaterThanOrEqual(0xdc00)
    }
  })
})
