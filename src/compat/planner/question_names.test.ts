import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleEntityKG } from './assemble_entity_kg.ts'
import { questionNames } from './question_names.ts'

const kg = assembleEntityKG(
  new Map([
    [
      'a',
      [
        'Scott Derrickson',
        'New York',
        'New York Times',
        'The Who',
        'Apple',
        '東京',
        'U.S.',
        '1986 Cup',
        'who',
        'drink',
      ],
    ],
  ]),
)

describe('questionNames', () => {
  it.each([
    [
      'Who wrote for the New York Times about Scott Derrickson?',
      ['New York Times', 'Scott Derrickson'],
    ],
    ['Did Apple hire Scott  Derrickson?', ['Apple', 'Scott  Derrickson']],
    ['who did scott derrickson write for', ['scott derrickson']],
    ['What does a drink cost in New York?', ['New York']],
    ['Who lived in the U.S. then?', ['U.S']],
    ['When was the 1986 Cup held in Faversham Town?', ['1986 Cup', 'Faversham Town']],
    ['東京大学はどこにありますか', ['東京']],
    ['Which of these is it?', []],
    ['Is Haymo of Faversham older?', ['Haymo', 'Faversham']],
    ['', []],
    ['?!… \ud800', []],
  ])('%s', (question, names) => {
    expect(questionNames(question, kg)).toEqual(names)
  })

  it('gives slices of any question, in reading order', () => {
    const word = fc.constantFrom(
      'New',
      'York',
      'Times',
      'new',
      'the',
      'Ann',
      '東京',
      ' ',
      '. ',
      '\ud800',
      '?',
      'É',
      '1986',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (parts) => {
        const question = parts.join('')
        let from = 0
        for (const name of questionNames(question, kg)) {
          const at = question.indexOf(name, from)
          expect(name).not.toBe('')
          expect(at).toBeGreaterThanOrEqual(0)
          from = at
        }
      }),
      { seed: 3, numRuns: 300 },
    )
  })
})
