import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { ShownNames } from './shown_names.ts'

const TEXTS = [
  'They moved to New York City with Ada Lund in March, and it was hers.',
  'New York is a state. Ada Lund saw it from https://example.org/Qxzwk/Pages too.',
  'Injuries are common there, as Ada Lund wrote.\n\nGetting Started With Travel Benefits\n\nAsk her.',
].map((text, i) => ({ id: `d${String(i)}`, text }))

describe('names that are shown', () => {
  it('are whole: a part of a longer name, a heading, a month and an address are none', async () => {
    const engine = await openTestEngine(TEXTS)
    const shown = (await engine.entityNeighbors('Ada Lund', { limit: 50 })).map(
      ({ label }) => label,
    )
    expect(shown).toEqual(expect.arrayContaining(['New York', 'New York City']))
    for (const none of ['York', 'York City', 'March', 'Injuries', 'Qxzwk'])
      expect(shown).not.toContain(none)
    expect(shown.filter((label) => label.includes('Travel'))).toEqual([])
    const hubs = (await engine.graphStats()).hubs.map(({ label }) => label)
    expect(hubs[0]).toBe('Ada Lund')
    expect(hubs).not.toContain('York')
  })

  it('a nested name counts for the ranking and is not shown as found', async () => {
    const engine = await openTestEngine(TEXTS),
      { debug, sources } = await engine.retrieve('Who lives in York?')
    expect(debug.seeds).toEqual([])
    expect(sources[0]?.contributions.graph).toBeGreaterThan(0)
  })

  it('a title that is a way through headings is no name', async () => {
    for (const sign of ['>', '›', '»', '|']) {
      const title = `Handbook ${sign} Travel ${sign} Airfare`
      const engine = await openTestEngine([
        { id: 'a', title, text: 'Ada Lund books it with Ole Berg.' },
      ])
      const shown = (await engine.entityNeighbors('Ada Lund')).map(({ label }) => label)
      expect(shown).toEqual(['Ole Berg'])
    }
  })

  it('reads twelve passages at most for one name', () => {
    const text = 'They saw Xanadu Park.'
    const index = {
      graph: {
        titled: { values: () => [] },
        holders: { values: () => Array.from({ length: 100 }, (_, slot) => slot * 2) },
        documentFrequency: () => 100,
      },
      gazetteer: {
        isGiven: () => false,
        trie: { wordsOf: () => [0, 1], onlyWordOf: () => -1, find: () => -1 },
      },
      merges: { members: () => [0] },
      vocabulary: {
        seed: 0,
        spelling: new Uint16Array(64),
        word: () => 'xanadu',
        isStop: () => false,
        find: () => -1,
        look: () => -1,
        read: () => -1,
      },
    }
    const shown = new ShownNames(index as never, {
      text: () => text,
      title: () => '',
      compare: (a, b) => a - b,
    })
    expect(shown.isShown(0)).toBe(false)
    expect(shown.passagesRead).toBe(12)
  })
})
