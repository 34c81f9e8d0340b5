import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { engineReader } from './engine_reader.ts'

const DOCUMENTS = [
  { id: 'fees', title: 'Harbour fees', text: 'A berth costs 42 euros a night.' },
  { id: 'garden', title: 'Garden rules', text: 'Plots are handed out in March.' },
]
const ask = async (query: string) =>
  engineReader(await openTestEngine(DOCUMENTS)).retrieve({
    ...{ query, topK: 8, seedEntities: [], excludeDocs: [], budgetTokens: 0 },
  })

describe('the retrieve tool', () => {
  it('names the nearest as such, without a path, where probably nothing answers', async () => {
    const found = await ask('Which enzyme unwinds the double helix before replication?')
    expect(found.answer?.state).toBe('none')
    expect(found.answer?.note).toContain('nearest')
    expect(found.sources.length).toBeGreaterThan(0)
    expect(found.reasoning_paths).toEqual([])
  })

  it('has no such note where something answers', async () => {
    const found = await ask('How much does a berth cost a night?')
    expect(found.answer?.quotes[0]?.highlight).toBe('42')
    expect(found.answer?.note).toBeUndefined()
  })
})

describe('a surname of two people', () => {
  it('is resolved to the one of most passages with the other beside it, and walks from neither', async () => {
    const reader = engineReader(
      await openTestEngine([
        { id: 'a', text: 'They met Ole Dahl in Skagen.' },
        { id: 'b', text: 'They met Ole Dahl again. Later Ingrid Dahl came.' },
      ]),
    )
    expect(await reader.resolve(['Dahl'])).toEqual([
      {
        node: 'ent:ole dahl',
        label: 'Ole Dahl',
        alternatives: [{ node: 'ent:ingrid dahl', label: 'Ingrid Dahl' }],
      },
    ])
    expect(await reader.neighbors('Dahl', 5)).toBeNull()
    expect(await reader.nearest!('Dahl')).toEqual(['Ingrid Dahl', 'Ole Dahl'])
  })
})
