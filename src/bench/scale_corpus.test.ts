import { expect, it } from 'vitest'
import type { Dataset } from './dataset.ts'
import { corpusOfSize, questionsOf, repair, unite } from './scale_corpus.ts'

function setOf(name: string, count: number): Dataset {
  const passages = Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    title: `${name} Title ${i}`,
    text: `First ${name}${i}. Second ${name}${i}. Third ${name}${i}.`,
  }))
  const questions = Array.from({ length: count }, (_, i) => ({
    id: `q${i}`,
    question: `${name} ${i}?`,
    gold: ['p0'],
    answers: [],
    type: null,
    hops: null,
    hopAnswers: [],
  }))
  return { name, passages, questions, withoutGold: 0 }
}

const sets = [setOf('red', 40), setOf('blue', 10)]

it('the union holds every passage once, under its set, in an order that repeats', () => {
  const united = unite(sets)
  expect(united).toHaveLength(50)
  expect(new Set(united.map(({ id }) => id)).size).toBe(50)
  expect(united.filter(({ id }) => id.startsWith('blue/'))).toHaveLength(10)
  expect(unite(sets)).toEqual(united)
  expect(united.slice(0, 25).some(({ id }) => id.startsWith('blue/'))).toBe(true)
})

it('a paired passage takes its sentences in turn from two passages of one set', () => {
  const united = unite(sets),
    paired = repair(united, 60)
  expect(new Set(paired.map(({ id }) => id)).size).toBe(60)
  for (const { id, title, text } of paired) {
    const set = id.slice(0, id.indexOf('/')),
      [first, second, third] = text.split('. ')
    expect(title.startsWith(`${set} Title`)).toBe(true)
    expect(first).toMatch(new RegExp(`^First ${set}\\d+$`))
    expect(second).toMatch(new RegExp(`^Second ${set}\\d+$`))
    expect(third?.replace('Third', '').replace('.', '')).toBe(first?.replace('First', ''))
  }
  expect(
    paired.some(
      ({ text }) =>
        text.split('. ')[1]?.replace('Second', '') !== text.split('. ')[0]?.replace('First', ''),
    ),
  ).toBe(true)
  expect(repair(united, 60)).toEqual(paired)
})

it('a smaller corpus is the beginning of a larger one', () => {
  const united = unite(sets)
  expect(corpusOfSize(united, 20)).toEqual(united.slice(0, 20))
  const large = corpusOfSize(united, 80)
  expect(large).toHaveLength(80)
  expect(large.slice(0, 50)).toEqual(united)
  expect(corpusOfSize(united, 70)).toEqual(large.slice(0, 70))
})

it('questions come from all sets alike, until a set has no more', () => {
  const asked = questionsOf(sets, 30)
  expect(asked).toHaveLength(30)
  expect(asked.filter((question) => question.startsWith('blue'))).toHaveLength(10)
  expect(asked.slice(0, 4).filter((question) => question.startsWith('blue'))).toHaveLength(2)
  expect(questionsOf(sets, 1000)).toHaveLength(50)
})
