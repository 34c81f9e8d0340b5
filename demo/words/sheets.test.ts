import { describe, expect, it } from 'vitest'
import { pageStarts, sheetParts } from './sheets.ts'

describe('pages of a document', () => {
  it('cut a stretch where they begin, and number it from 1', () => {
    const starts = pageStarts({ pageStarts: [0, 10, 20] })
    expect(sheetParts({ start: 0, end: 25 }, starts)).toEqual([
      { start: 0, end: 10, page: 1 },
      { start: 10, end: 20, page: 2 },
      { start: 20, end: 25, page: 3 },
    ])
    expect(sheetParts({ start: 12, end: 20 }, starts)).toEqual([{ start: 12, end: 20, page: 2 }])
  })

  it('are none where a document has none, or names something else so', () => {
    expect(sheetParts({ start: 3, end: 9 }, pageStarts({}))).toEqual([
      { start: 3, end: 9, page: null },
    ])
    expect(pageStarts({ pageStarts: 'many' })).toEqual([])
  })
})
