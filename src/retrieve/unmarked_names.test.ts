import { expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'

const DOCUMENTS = [
  { id: 'no', text: 'Søren Ødegård møtte Ingrid Dahl i Tromsø i mars 2019. De bygde et hus.' },
  { id: 'de', text: 'Der Umzug nach München kostete Jürgen Müller im Mai 900 Euro.' },
  { id: 'fr', text: 'Zoé Beyoncé chante à Orléans. François Lefèvre habite à Besançon.' },
]

it.each([
  ['when did soren odegard meet ingrid dahl', ['Søren Ødegård', 'Ingrid Dahl']],
  ['what did Juergen Mueller pay?', ['Jürgen Müller']],
  ['where does francois lefevre live', ['François Lefèvre']],
  ['did SOREN ODEGARD build a house?', ['Søren Ødegård']],
])('recognises names typed without their marks: %s', async (question, names) => {
  const engine = await openTestEngine()
  await engine.add(DOCUMENTS)
  const { debug, answer } = await engine.retrieve(question)
  expect(debug.seeds.map(({ label }) => label)).toEqual(expect.arrayContaining(names))
  expect(answer.state).not.toBe('none')
  await engine.close()
})

it('leaves a word alone that makes no name with its neighbours, or is known as it is', async () => {
  const engine = await openTestEngine()
  await engine.add([...DOCUMENTS, { id: 'en', text: 'The odegard method is a way of sorting.' }])
  for (const question of ['what is odegard sorting', 'who is Zoe Lefevre']) {
    const { debug } = await engine.retrieve(question)
    expect(debug.seeds.map(({ label }) => label)).not.toContain('Søren Ødegård')
  }
  await engine.close()
})
