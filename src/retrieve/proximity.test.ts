import { expect, it, vi } from 'vitest'
import { PassageReader } from '../graph/passage_reader.ts'
import { TextIndex } from '../graph/text_index.ts'
import { compareIds } from '../base/compare_ids.ts'
import { Proximity } from './proximity.ts'
import { readQuestion } from './question.ts'
import { Ranker, type Ranking } from './rank.ts'
import { DEFAULT_WEIGHTS, type RankingWeights } from './weights.ts'

function indexOf(texts: readonly string[]): TextIndex {
  const passage = (slot: number) => ({ title: '', text: texts[slot] as string, opening: true })
  const index = new TextIndex(passage)
  texts.forEach((_, slot) => {
    index.add(slot, passage(slot), false)
  })
  index.settle()
  return index
}

function proximities(asked: string, texts: readonly string[]): number[] {
  const index = indexOf(texts),
    reader = new PassageReader(index, (slot) => texts[slot] as string),
    proximity = new Proximity(readQuestion(asked, index), index)
  return texts.map((_, slot) => proximity.of(reader.wordsOf(slot)))
}

it('side by side is 1, near or turned round is half, further apart is nothing', () => {
  const far = 'a licence that is old and of no more use to any person has to be renewed again'
  expect(
    proximities('renew licence', [
      'you renew the licence here',
      'the licence you must renew',
      'renew here every year your old licence',
      far,
      'renew it',
      'nothing of both',
    ]),
  ).toEqual([1, 0.5, 0.5, 0, 0, 0])
})

it('a question of one word has no neighbours, one of strange words neither', () => {
  expect(proximities('licence', ['a licence', 'another'])).toEqual([0, 0])
  expect(proximities('xyzzy plugh', ['a licence', 'another'])).toEqual([0, 0])
})

it('a rare pair counts for more than a common one', () => {
  const [common, rare] = proximities('pay fee dormant account', [
    'pay fee now',
    'dormant account closed',
    ...Array.from({ length: 20 }, (_, i) => `pay ${i} each and every fee`),
  ]) as [number, number]
  expect(rare).toBeGreaterThan(common)
})

function ranked(weights: RankingWeights, texts: readonly string[], question: string): Ranking {
  const reading = { texts, looked: 0 },
    index = indexOf(texts)
  return new Ranker(index, weights).rank({
    question,
    cosines: null,
    excludedMask: new Uint8Array(texts.length),
    slots: texts.length,
    count: 3,
    injected: [],
    documentOf: (slot) => slot,
    reader: new PassageReader(index, (slot) => reading.texts[slot] as string),
    compare: (a, b) => compareIds(String(a), String(b)),
  })
}

const HELP = [
  'to renew anything you need a form, and for the fishing of trout a licence is a different thing',
  'anything for trout: you need a form and a thing to renew the fishing licence, which is different',
  'opening hours of the office',
]

it('of passages with the same words the one that says them together comes first', () => {
  const first = (weights: RankingWeights): number | undefined =>
    ranked(weights, HELP, 'renew the fishing licence').ranked[0]?.slot
  expect(first(DEFAULT_WEIGHTS)).toBe(1)
  expect(first({ ...DEFAULT_WEIGHTS, proximity: 0 })).toBe(0)
})

it('the parts still add up to the score', () => {
  for (const { score, contributions } of ranked(DEFAULT_WEIGHTS, HELP, 'renew fishing licence')
    .ranked)
    expect(Object.values(contributions).reduce((a, b) => a + b, 0)).toBeCloseTo(score, 8)
})

it('reads no more passages than the bound', () => {
  const texts = Array.from({ length: 100 }, (_, i) => `renew licence ${i}`),
    index = indexOf(texts),
    reader = new PassageReader(index, (slot) => texts[slot] as string),
    read = vi.spyOn(reader, 'wordsOf')
  new Ranker(index).rank({
    question: 'renew licence',
    cosines: null,
    excludedMask: new Uint8Array(100),
    slots: 100,
    count: 5,
    injected: [],
    documentOf: (slot) => slot,
    reader,
    compare: (a, b) => a - b,
  })
  expect(read).toHaveBeenCalledTimes(DEFAULT_WEIGHTS.proximityOf)
})
