import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'

const WIKI = new URL('../../../shared/cases/wiki/', import.meta.url)
const rows = (file: string): Record<string, string>[] =>
  readFileSync(new URL(file, WIKI), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)

const ARTICLES = [
  ['Lamp Oil', 'A lamp oil is a fuel. The lamp oil comes from the press and burns for an hour.'],
  ['Press', 'A press is a machine. It turns seeds into lamp oil at the mill.'],
  ['Seed', 'A seed is a small thing. Any seed grows in the field by the mill.'],
  ['Mill', 'The mill stands by the river. A mill grinds what the field gives.'],
  ['Anna Berg', 'Anna Berg keeps the mill and sells lamp oil.'],
].map(([title, text]) => ({ id: title!, title: title!, text: text! }))

describe('titles that stand whole in a question', () => {
  it.each([
    ['how long does lamp oil burn?', ['Lamp Oil']],
    ['How Long Does LAMP OIL Burn?', ['Lamp Oil']],
    ['what turns seeds into fuel?', ['Seed']],
    ['what does the lamp of oil do?', []],
    ['does Anna Berg sell lamp oil?', ['Anna Berg']],
  ])('are recognised whatever the case: %s', async (question, names) => {
    const engine = await openTestEngine(ARTICLES),
      { debug } = await engine.retrieve(question)
    expect(debug.seeds.map(({ label }) => label)).toEqual(expect.arrayContaining(names))
    if (names.length === 0) expect(debug.seeds).toEqual([])
  })

  it('where none is recognised nothing of the graph counts', async () => {
    const engine = await openTestEngine(ARTICLES),
      { debug, sources } = await engine.retrieve('what comes from over there for an hour?')
    expect(debug.seeds).toEqual([])
    for (const { contributions } of sources)
      expect([contributions.graph, contributions.title, contributions.bridge]).toEqual([0, 0, 0])
  })

  it.skipIf(!existsSync(WIKI))(
    'of a wiki are found in 16 of 18 questions (skipped without ../shared)',
    async () => {
      const engine = await openTestEngine(rows('corpus.jsonl') as never)
      for (const asked of [(text: string) => text, (text: string) => text.toLowerCase()]) {
        let found = 0
        for (const { question } of rows('queries.jsonl'))
          if ((await engine.retrieve(asked(question!))).debug.seeds.length > 0) found++
        expect(found).toBeGreaterThanOrEqual(16)
      }
    },
  )
})
