import { expect, it } from 'vitest'
import { editDistance } from '../base/edit_distance.ts'
import { slippedSet, withSlip } from './typo.ts'

const NAMES = ['christopher nolan', 'sathish kalathil']
const ask = (i: number): string =>
  `Are Christopher Nolan and Sathish Kalathil both film directors of ${i} films?`

it('one letter of one name slips, and nothing else changes', () => {
  const kinds = new Set<number>()
  for (let i = 0; i < 200; i++) {
    const question = ask(i),
      slipped = withSlip(question, NAMES) as string
    expect(slipped).not.toBe(question)
    const before = question.split(' '),
      after = slipped.split(' ')
    const changed = before.flatMap((word, at) => (word === after[at] ? [] : [at]))
    expect(after).toHaveLength(before.length)
    expect(changed).toHaveLength(1)
    const word = before[changed[0] as number] as string,
      wrong = after[changed[0] as number] as string
    expect(['Christopher', 'Nolan', 'Sathish', 'Kalathil']).toContain(word)
    // a swap is two edits, the others are one
    expect(editDistance(word.toLowerCase(), wrong.toLowerCase(), 3)).toBeLessThanOrEqual(2)
    kinds.add(wrong.length - word.length)
  }
  expect([...kinds].sort((a, b) => a - b)).toEqual([-1, 0, 1])
})

it('a question slips alike every time, and different questions differently', () => {
  expect(withSlip(ask(1), NAMES)).toBe(withSlip(ask(1), NAMES))
  expect(
    new Set(
      Array.from({ length: 20 }, (_, i) =>
        withSlip(ask(0).replace('0', '0'.repeat(i + 1)), NAMES)?.slice(0, 50),
      ),
    ).size,
  ).toBeGreaterThan(10)
})

it('questions without a name of four letters or more are left out of the set', () => {
  expect(withSlip('What is Lilu?', [])).toBeNull()
  expect(withSlip('Where does the Po end?', ['po'])).toBeNull()
  const question = (id: string, text: string) => ({
    id,
    question: text,
    gold: ['x'],
    answers: [],
    type: null,
    hops: null,
    hopAnswers: [],
  })
  const { dataset, from } = slippedSet(
    {
      name: 's',
      passages: [],
      questions: [question('a', 'How so?'), question('b', ask(2))],
      withoutGold: 0,
    },
    [[], NAMES],
  )
  expect(from).toEqual([1])
  expect(dataset.questions).toEqual([
    { ...question('b', ask(2)), question: withSlip(ask(2), NAMES) },
  ])
})
