import { describe, expect, it } from 'vitest'
import { createEngine } from '../node.ts'
import { checkWeights, settleQuery } from './request.ts'
import { DEFAULT_WEIGHTS } from './weights.ts'

const refused = (field: string) =>
  expect.objectContaining({ code: 'input/invalid', details: { field } }) as Error

describe('a query vector', () => {
  it('is refused by name whatever it is instead', () => {
    for (const queryVector of [
      null,
      7,
      'abcd',
      {},
      [1, 0],
      [0, 0, 0, 0],
      [NaN, 0, 0, 1],
      { length: -1 },
    ]) {
      expect(
        () => settleQuery('Ed Wood', { queryVector: queryVector as never }, 4),
        JSON.stringify(queryVector),
      ).toThrow(refused('queryVector'))
    }
    expect(settleQuery('Ed Wood', { queryVector: [1, 0, 0, 2] }, 4).queryVector).toEqual(
      new Float32Array([1, 0, 0, 2]),
    )
  })
})

describe('weights', () => {
  it('are refused when one is missing or would make every score NaN', () => {
    expect(() => checkWeights({ ...DEFAULT_WEIGHTS, meaning: NaN })).toThrow(
      refused('ranking.meaning'),
    )
    expect(() => checkWeights({ ...DEFAULT_WEIGHTS, nearNames: 1 })).toThrow(
      refused('ranking.nearNames'),
    )
    expect(() => checkWeights({ meaning: 1 })).toThrow(refused('ranking.words'))
    expect(() => checkWeights(null)).toThrow(refused('ranking'))
    expect(checkWeights(DEFAULT_WEIGHTS)).toBe(DEFAULT_WEIGHTS)
  })
})

describe('options of an engine', () => {
  it('are refused by name, also where nothing would use them yet', async () => {
    for (const option of [
      { index: 'zz' },
      { ranking: { meaning: NaN } },
      { model: 5 },
      { model: {} },
    ]) {
      await expect(
        createEngine({ corpus: 'x', ...option } as never),
        JSON.stringify(option),
      ).rejects.toMatchObject({ code: 'input/invalid' })
    }
  })
})
