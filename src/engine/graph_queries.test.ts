import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'

async function between(
  texts: Readonly<Record<string, string>>,
  a: string,
  b: string,
  k: number,
): Promise<string[][]> {
  const engine = await openTestEngine(Object.entries(texts).map(([id, text]) => ({ id, text }))),
    routes = await engine.pathBetween(a, b, { k })
  for (const route of routes) {
    expect(route.nodes.length).toBe(2 * route.hops + 1)
    for (const step of route.steps)
      expect(texts[step.documentId]!.slice(step.start, step.end)).toBe(step.text)
  }
  return routes.map((route) => route.nodes.slice(1, -1).map((node) => `${node.kind}:${node.id}`))
}

describe('routes between two names', () => {
  it('share a document where they differ in a name', async () => {
    const routes = await between(
      {
        one: 'Ada Quist met Bela Trom and Cato Vind.',
        two: 'Bela Trom wrote to Dora Wex.',
        three: 'Cato Vind painted Dora Wex.',
      },
      'Ada Quist',
      'Dora Wex',
      3,
    )
    expect(routes).toEqual([
      ['document:one', 'entity:bela trom', 'document:two'],
      ['document:one', 'entity:cato vind', 'document:three'],
    ])
  })

  it('are told once, not again with extra stops', async () => {
    const routes = await between(
      {
        one: 'Ada Quist met Dora Wex.',
        two: 'Dora Wex knows Emil Zand.',
      },
      'Ada Quist',
      'Dora Wex',
      5,
    )
    expect(routes).toEqual([['document:one']])
  })

  it('have no hops from a name to itself, and are none between separate parts', async () => {
    const texts = { one: 'Ada Quist met Bela Trom.', two: 'Cato Vind painted Dora Wex.' }
    expect(await between(texts, 'Ada Quist', 'ada quist', 3)).toEqual([[]])
    expect(await between(texts, 'Ada Quist', 'Dora Wex', 3)).toEqual([])
  })
})
