import { describe, expect, it } from 'vitest'
import { questionWords, shelfWords, tourQuestion } from './tour.ts'

describe('words of the tour', () => {
  it('promise the sample only where going on brings it', () => {
    expect(shelfWords(false, false)).toContain('Next puts 994 paragraphs of Wikipedia on it.')
    expect(shelfWords(false, true)).toContain('Next opens the Wikipedia sample')
    for (const sample of [true, false])
      expect(shelfWords(true, sample)).not.toMatch(/Next|Wikipedia/)
  })

  it('name the question that going on asks, and no question where it asks none', () => {
    const none = { suggestions: [], hubs: [], answer: null }
    expect([
      tourQuestion({ ...none, suggestions: ['Who?'], hubs: ['Tim Burton'] }),
      tourQuestion({ ...none, hubs: ['Tim Burton'] }),
      tourQuestion(none),
    ]).toEqual(['Who?', 'What is said about Tim Burton?', null])
    expect(questionWords({ ...none, suggestions: ['Who?'] })).toContain(
      'no single paragraph answers',
    )
    expect(questionWords({ ...none, hubs: ['Tim Burton'] })).toContain(
      'Next asks: “What is said about Tim Burton?”',
    )
    expect(questionWords(none)).not.toContain('Next')
    expect(questionWords({ ...none, suggestions: ['Who?'], answer: {} as never })).not.toContain(
      'asks',
    )
  })
})
