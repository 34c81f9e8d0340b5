import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'

describe('the marked part', () => {
  it.each([
    [
      'What does the ladder cost?',
      'A ladder of one piece\nsku: LD-13\nprice: 119.50\ncolour: red',
      '119.50',
    ],
    [
      'What is the phone number of Ilse Wahlberg?',
      'Ilse Wahlberg\nPhone: 0441 778 12\nLives in Leer.',
      '0441 778 12',
    ],
    ['How many berths has Skagen?', 'Skagen has twelve berths.', 'twelve'],
  ])('%s: the whole number, and no part of an identifier', async (question, text, marked) => {
    const engine = await openTestEngine([{ text }, { text: 'Mulch keeps the soil moist.' }]),
      { quotes } = (await engine.retrieve(question)).answer,
      { start, end } = quotes[0]!.highlight
    expect(text.slice(start, end)).toBe(marked)
  })
})
