import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CAPITAL, HAS_DIGIT, LEADING_DIGIT, lowerWords, scanWords, SMALL } from './words.ts'

it('words are runs of letters and digits, the same everywhere', () => {
  expect(
    lowerWords("Scott Derrickson's node.js e.g. U.S.A 2024 v1.2.3 IPv6 snake_case café"),
  ).toEqual([
    'scott',
    'derrickson',
    's',
    'node',
    'js',
    'e',
    'g',
    'u',
    's',
    'a',
    '2024',
    'v1',
    '2',
    '3',
    'ipv6',
    'snake',
    'case',
    'café',
  ])
})

it('scripts without spaces give overlapping pairs', () => {
  expect(lowerWords('東京都 A 京')).toEqual(['東京', '京都', 'a', '京'])
  expect(lowerWords('กำลัง')).toEqual(['กำ', 'ำลั', 'ลัง'])
})

it('a decomposed accent stays in its word', () => {
  expect(lowerWords('Cafe\u0301 bar')).toEqual(['cafe\u0301', 'bar'])
})

it('shapes tell capitals, small words and digits', () => {
  const shapes: number[] = []
  scanWords('The iPhone is 2nd A350', (_s, _e, shape) => shapes.push(shape))
  expect(shapes).toEqual([
    CAPITAL,
    0,
    SMALL,
    LEADING_DIGIT | HAS_DIGIT | SMALL,
    CAPITAL | HAS_DIGIT,
  ])
})

it('any text gives words inside it, in order, and ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      let last = -1
      scanWords(text, (start, end) => {
        expect(start).toBeGreaterThan(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        last = start
      })
    }),
  )
})

it('odd input gives no words or whole ones', () => {
  expect(lowerWords('')).toEqual([])
  expect(lowerWords('\ud800 \udc00 \u0000 ﻿ 👨‍👩‍👧')).toEqual([])
  expect(lowerWords('𝒜bc')).toEqual(['𝒜bc'])
})
