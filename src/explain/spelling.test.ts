import { expect, it } from 'vitest'
import { spellingIn } from './spelling.ts'

it.each([
  ['in NEW  York-City.', 'new york', 'NEW  York'],
  ['The O’Brien and O. Brien', 'o brien', 'O’Brien'],
  ['Annapolis, then Anna', 'anna', 'Anna'],
  ['Anna1 and “Anna”', 'anna', 'Anna'],
  ['Plan 9 from Plan 99', 'plan 99', 'Plan 99'],
  ['New\n(York)', 'new york', 'New\n(York'],
  ['Ada', 'ada', 'Ada'],
])('in %j the name %j is written %j', (text, name, written) => {
  expect(spellingIn(text, name)).toBe(written)
})

it.each([
  ['New Yorkers', 'new york'],
  ['Annae\u0301', 'annae'],
  ['Zoë', 'zoe'],
  ['東京都', '東京 京都'],
  ['', 'ada'],
  ['Ada of \u0130zmir', 'ada'], // small letters of another length
])('in %j the name %j is not found without reading', (text, name) => {
  expect(spellingIn(text, name)).toBeNull()
})
