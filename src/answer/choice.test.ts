import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Feature, Sentence } from '../sentences/features.ts'
import { MOST_WORDS, type ScoredSentences } from '../sentences/scores.ts'
import { chooseQuotes, type Run } from './choice.ts'

interface Given {
  readonly passage: number
  readonly words: number
  readonly text?: string
  readonly alone?: boolean
}

function draftOf(given: readonly Given[], options: readonly string[] = []): ScoredSentences {
  const sentences = given.map(({ passage, words, text = '', alone }, at): Sentence => {
    const shared = alone ? 0 : 1
    return {
      ...{ passage, at, section: 0, start: 0, end: 1, text, words, asked: [] },
      features: { contextTerms: shared, linkedFrom: 0, linksTo: 0 } as Record<Feature, number>,
    }
  })
  return {
    sentences,
    request: {
      kind: { wanted: 'other', options, manner: null },
      passages: given.map(() => ({ title: '' })),
    },
  } as unknown as ScoredSentences
}

/** The best worth of all sets of sentences that make at most three quotes of 60 words. */
function bestOf(given: readonly Given[], likely: readonly number[]): number {
  let best = 0
  for (let set = 1; set < 1 << given.length; set++) {
    let words = 0,
      worth = 0,
      quotes = 0,
      run = 0
    for (const [i, sentence] of given.entries()) {
      if (!(set & (1 << i))) {
        run = 0
        continue
      }
      words += sentence.words
      worth += likely[i]!
      const goes = run === 1 && given[i - 1]!.passage === sentence.passage
      run = goes ? 2 : 1
      if (!goes) quotes++
    }
    if (words <= MOST_WORDS && quotes <= 3) best = Math.max(best, worth)
  }
  return best
}

const worthOf = (runs: readonly Run[], likely: readonly number[]): number =>
  runs.flat().reduce((sum, i) => sum + likely[i]!, 0)

describe('the choice of quotes', () => {
  it('is the best there is within 60 words, three quotes and two sentences a quote', () => {
    const sentence = fc.record({
      passage: fc.constant(0),
      words: fc.integer({ min: 1, max: 40 }),
      likely: fc.integer({ min: 20, max: 100 }),
      skips: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 9 }), (drawn) => {
        let passage = 0
        const given = drawn.map(({ words, skips }) => {
            if (skips) passage++
            return { passage, words }
          }),
          likely = drawn.map(({ likely: part }) => part / 100),
          runs = chooseQuotes(draftOf(given), likely)
        expect(worthOf(runs, likely)).toBeCloseTo(bestOf(given, likely), 9)
        expect(runs.length).toBeLessThanOrEqual(3)
        expect(runs.every((run) => run.length <= 2)).toBe(true)
        expect(runs.flat().reduce((sum, i) => sum + given[i]!.words, 0)).toBeLessThanOrEqual(60)
      }),
    )
  })

  it('adds no quote that shares nothing with the question, nor one that is far less likely', () => {
    const given = [
      { passage: 0, words: 10 },
      { passage: 1, words: 10, alone: true },
      { passage: 2, words: 10 },
    ]
    expect(chooseQuotes(draftOf(given), [0.7, 0.299, 0.001])).toEqual([[0]])
    expect(chooseQuotes(draftOf([given[1]!]), [1])).toEqual([[0]])
  })

  it('quotes both of the two that a question chooses between', () => {
    const given = [
      { passage: 0, words: 30, text: 'Alpha opened in 1901.' },
      { passage: 1, words: 30, text: 'The street is long.' },
      { passage: 2, words: 30, text: 'The Beta opened in 1910.' },
    ]
    const runs = chooseQuotes(draftOf(given, ['alpha', 'the beta']), [0.6, 0.3, 0.1])
    expect(runs).toEqual([[0], [2]])
  })

  it('passes over a sentence that is longer than a whole answer', () => {
    const given = [
      { passage: 0, words: 61 },
      { passage: 0, words: 60 },
    ]
    expect(chooseQuotes(draftOf(given), [0.9, 0.1])).toEqual([[1]])
    expect(chooseQuotes(draftOf([given[0]!]), [1])).toEqual([])
  })
})
