import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'
import {
  ADJECTIVE,
  CLAUSE,
  grammarOf,
  KNOWN,
  loadGrammar,
  PLURAL,
  ROLE,
  SENTENCE,
} from './name_grammar.ts'
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

  it('in texts that capitalise freely, phrases, roles, calls and addresses are none', async () => {
    const texts = [
      'The [Approval Process](/handbook/approval) asks Ada Lund. Each approval process is short.',
      '- [Load Terminal](/x) and [Ole Berg](/y) | Senior Security Engineer | https://a.org/Qx-Wz',
      '**Key Dates** of Ada Lund: see Marten Vos. The senior engineer has key dates, a load, security.',
      '- Ada Lund wrote the URLs for Ole Berg 1. Send them to Marten Vos in Q4, who says what\u2019s due.',
      '- In every process the terminal and its dates wait for Ada Lund, Ole Berg & Co.',
    ].map((text, i) => ({ id: `h${String(i)}`, text }))
    const engine = await openTestEngine(texts),
      shown = (await engine.entityNeighbors('Ada Lund', { limit: 50 })).map(({ label }) => label)
    expect(shown).toEqual(expect.arrayContaining(['Ole Berg', 'Marten Vos']))
    const none = /process|load|engineer|qx|dates|urls|berg 1|q4|what/i
    expect(shown.filter((label) => none.test(label))).toEqual([])
  })

  it('in running text a phrase of common words is one where it stands capitalised', async () => {
    const engine = await openTestEngine(
      [
        'The house had a red door, and a shed was burning near the lake.',
        'Ada Lund heard Burning Shed play at the House of the Red Door in Uppsala.',
        'Starring Ada Lund, the film opened. Ole Berg wrote The Road to Ruin. Ruin is near the road.',
        'No ruin of a house is starring in it.',
      ].map((text, i) => ({ id: `p${String(i)}`, text })),
    )
    const shown = (await engine.entityNeighbors('Ada Lund', { limit: 50 })).map(
      ({ label }) => label,
    )
    expect(shown).toEqual(expect.arrayContaining(['Burning Shed', 'Uppsala', 'Ole Berg']))
    for (const none of ['Starring Ada Lund', 'Ruin']) expect(shown).not.toContain(none)
  })

  it('grammar tells roles, calls, people and adjectives', async () => {
    await loadGrammar()
    const first = grammarOf('senior security engineer')
    expect(first & ROLE).toBe(ROLE)
    expect(grammarOf('senior security engineer')).toBe(first)
    expect(grammarOf('load macos terminal') & PLURAL).toBe(0)
    expect(grammarOf('manage animated images') & SENTENCE).toBe(SENTENCE)
    expect(grammarOf('mark twain') & (KNOWN | SENTENCE)).toBe(KNOWN)
    expect(grammarOf('pictish') & ADJECTIVE).toBe(ADJECTIVE)
    expect(grammarOf('sa created') & CLAUSE).toBe(CLAUSE)
  })

  it('reads twelve passages at most for one name', () => {
    const text = 'They saw Xanadu Park.'
    const index = {
      nameText: () => 'xanadu park',
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
        smallCount: () => 0,
        termOf: () => 0,
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
