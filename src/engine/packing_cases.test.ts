import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DocumentInput, RetrieveOptions, RetrieveResult } from '../types.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'

async function ask(
  documents: readonly DocumentInput[],
  question: string,
  options: RetrieveOptions,
): Promise<RetrieveResult> {
  const engine = await openTestEngine(documents)
  return engine.retrieve(question, { topK: 40, ...options })
}

const PLACES = ['roof', 'cellar', 'garden', 'lift', 'stairs', 'windows', 'doors', 'gate', 'yard']
const RULES = {
  id: 'rules',
  title: 'House rules',
  text: PLACES.map(
    (place, i) =>
      `## ${place}\n\nRepairs of the ${place} are reported on extension ${300 + 7 * i}. The tenants of ` +
      `the house keep the ${place} clean and tell the caretaker of every damage they see there. A ` +
      `report names the day, the place and the flat. It is answered within ${i + 2} days, and the ` +
      `cost is shared by ${i + 3} flats.`,
  ).join('\n\n'),
}
const NOTE = { id: 'note', title: 'Shopping', text: 'Milk, bread, repairs kit for the bike.' }
const QUESTION = 'Where are repairs of the house reported?'

describe('the share of a document', () => {
  it('leaves no room empty that no other document wants', async () => {
    const options = { budgetTokens: 500, fill: true },
      alone = await ask([RULES], QUESTION, options),
      beside = await ask([RULES, NOTE], QUESTION, options)
    expect(alone.contextTokens).toBeGreaterThan(400)
    expect(beside.contextTokens).toBeGreaterThanOrEqual(alone.contextTokens - 40)
  })

  it('never gives less for a larger budget', async () => {
    let before = 0
    for (let budgetTokens = 200; budgetTokens <= 1200; budgetTokens += 100) {
      const { contextTokens } = await ask([RULES, NOTE], QUESTION, { budgetTokens, fill: true })
      expect(contextTokens).toBeGreaterThanOrEqual(before)
      before = contextTokens
    }
  })

  const share = new URL('../../../shared/cases/inputs/share/', import.meta.url)
  it.skipIf(!existsSync(share))('holds on the case of two files', async () => {
    const files = ['house-rules.md', 'shopping.txt'].map((id) => ({
      id,
      text: readFileSync(new URL(id, share), 'utf8'),
    }))
    const options = { budgetTokens: 1000, fill: true },
      alone = await ask(files.slice(0, 1), QUESTION, options),
      both = await ask(files, QUESTION, options)
    expect(both.contextTokens).toBeGreaterThan(0.93 * alone.contextTokens)
  })
})

describe('what is news', () => {
  const base =
    'The pump station at Harlow moves water from the lower reservoir to the upper one, and its ' +
    'operators check the valves of the main line every morning before the shift of the day begins'
  it.each([
    ['a number', `${base} at 30 bar.`, `${base} at 45 bar.`, ['30 bar', '45 bar']],
    ['a date', `${base} since May 2019.`, `${base} since May 2021.`, ['2019', '2021']],
    ['a name', `${base} under Ada Finch.`, `${base} under Bo Larsen.`, ['Finch', 'Larsen']],
    [
      'a negation',
      `${base} and the alarm is tested.`,
      `${base} and the alarm is not tested.`,
      ['is tested', 'is not tested'],
    ],
  ])('two texts that differ in %s are both shown', async (_kind, first, second, shown) => {
    const { context } = await ask(
      [
        { id: 'a', text: first },
        { id: 'b', text: second },
      ],
      'What does the pump station at Harlow do?',
      { budgetTokens: 1000 },
    )
    for (const words of shown) expect(context).toContain(words)
  })

  it('a copy that adds a sentence keeps that sentence, and a thousand copies take one place', async () => {
    const added = 'The spare key hangs behind the boiler.'
    const { context, blocks } = await ask(
      [
        ...Array.from({ length: 1000 }, (_, i) => ({ id: `copy ${i}`, text: `${base}.` })),
        { id: 'more', text: `${base}. ${added}` },
      ],
      'What does the pump station at Harlow do?',
      { budgetTokens: 1000 },
    )
    expect(context).toContain(added)
    expect(blocks.length).toBeLessThanOrEqual(2)
  })
})

describe('the end of what is relevant', () => {
  const documents = [
    { id: 'owl', title: 'Owl', text: 'The barn owl nests in the tower of Arn and hunts at night.' },
    ...Array.from({ length: 30 }, (_, i) => ({
      id: `street ${i}`,
      title: `Street ${i}`,
      text: `Street ${i} has ${i + 3} houses, ${i} trees and a night bus to the station square.`,
    })),
  ]
  it('the context ends there unless it is to be filled', async () => {
    const question = 'Where does the barn owl nest in the tower of Arn?',
      cut = await ask(documents, question, { budgetTokens: 600 }),
      full = await ask(documents, question, { budgetTokens: 600, fill: true })
    expect(cut.context).toContain('barn owl nests')
    expect(cut.contextTokens).toBeLessThan(full.contextTokens / 2)
    expect(cut.omitted.map(({ reason }) => reason)).toContain('relevance')
    expect(full.omitted.map(({ reason }) => reason)).not.toContain('relevance')
  })

  it('fill must be true or false', async () => {
    await expect(ask(documents, 'owl', { fill: 1 as never })).rejects.toMatchObject({
      code: 'input/invalid',
    })
  })
})
