import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { LocalEngine } from '../engine/engine.ts'

interface Panel {
  readonly templates: readonly string[]
  readonly names: readonly string[]
}
const panel = JSON.parse(
  readFileSync(new URL('../graph/fixtures/names.json', import.meta.url), 'utf8'),
) as Panel

async function withTexts(
  texts: readonly string[],
  work: (engine: LocalEngine) => Promise<void>,
): Promise<void> {
  await work(await openTestEngine(texts.map((text, i) => ({ id: `d${String(i)}`, text }))))
}

describe('names in free text', () => {
  it('are whole and each its own node, over every kind of the panel', async () => {
    const texts = panel.names.flatMap((name) =>
      panel.templates.map((template) => template.replace('{}', name)),
    )
    await withTexts(texts, async (engine) => {
      const found = await engine.resolveEntities(panel.names)
      expect(panel.names.filter((_, i) => found[i] === null)).toEqual([])
      expect(new Set(found.map((entity) => entity?.name)).size).toBe(panel.names.length)
    })
  })

  it('end at the end of a line of keys', async () => {
    await withTexts(['Owner: Greta Holm\nBoat: Fair Wind\nPort: Skagen'], async (engine) => {
      const names = ['Greta Holm', 'Fair Wind', 'Skagen']
      expect((await engine.resolveEntities(names)).map((one) => one?.label)).toEqual(names)
      expect(await engine.resolveEntities(['Greta Holm Boat'])).toEqual([null])
    })
  })

  it('are known by an article, a possessive, a legal form and a surname without doubt', async () => {
    const texts = [
      'They met Ingrid Dahl in Skagen.',
      'We heard about Norvik Trading.',
      'She wrote about The Hague in her letters.',
    ]
    await withTexts(texts, async (engine) => {
      const asked = ['Dahl', 'Norvik Trading Ltd.', 'The Hague', "Ingrid Dahl's"]
      expect((await engine.resolveEntities(asked)).map((one) => one?.label)).toEqual([
        'Ingrid Dahl',
        'Norvik Trading',
        'The Hague',
        'Ingrid Dahl',
      ])
    })
  })

  it('that are unknown are warned about with the nearest', async () => {
    await withTexts(['They met Ingrid Dahl in Skagen.'], async (engine) => {
      const answer = await engine.retrieve('Who is it?', { seedEntities: ['Ingrid Dohl'] })
      expect(answer.debug.warnings.join(' ')).toContain('ingrid dahl')
      await expect(engine.entityNeighbors('Ingrid Dohl')).rejects.toThrow('ingrid dahl')
    })
  })

  it('a path from a name to itself has no hops', async () => {
    await withTexts(['They met Ingrid Dahl in Skagen.'], async (engine) => {
      const routes = await engine.pathBetween('Ingrid Dahl', 'Dahl')
      expect(routes.map(({ hops, steps }) => [hops, steps.length])).toEqual([[0, 0]])
    })
  })

  it('two people of one surname are both taken, and the answer says so', async () => {
    const texts = ['They met Ingrid Dahl in Skagen.', 'Later Ole Dahl came. Greta Holm sang.']
    await withTexts(texts, async (engine) => {
      for (const [question, options] of [
        ['Where does Dahl live?', {}],
        ['where does dahl live?', {}],
        ['Who is it?', { seedEntities: ['the Dahls'] }],
        ['Who is it?', { questionSeeds: ['Dahl'] }],
      ] as const) {
        const { debug } = await engine.retrieve(question, options)
        expect(debug.seeds.map(({ label }) => label).sort()).toEqual(['Ingrid Dahl', 'Ole Dahl'])
        expect(debug.warnings.join(' ')).toMatch(/may be any of these names.*ingrid dahl, ole dahl/)
      }
      expect(await engine.resolveEntities(['Dahl', 'Zorg'])).toMatchObject([
        {
          label: 'Ingrid Dahl',
          alternatives: [{ name: 'ole dahl', label: 'Ole Dahl', passages: 1 }],
        },
        null,
      ])
      for (const call of [
        () => engine.entityNeighbors('Dahl'),
        () => engine.passagesOf('Dahl'),
        () => engine.pathBetween('Dahl', 'Skagen'),
        () => engine.subgraph({ around: 'Dahl' }),
        () => engine.mergeNames(['Dahl', 'Skagen']),
      ])
        await expect(call()).rejects.toThrow(/share it; say which is meant: ingrid dahl, ole dahl/)
      const { debug } = await engine.retrieve('Where does Holm live?')
      expect(debug.seeds.map(({ label }) => label)).toEqual(['Greta Holm'])
    })
  })

  it('a surname beside another first name is none of its people', async () => {
    await withTexts(['They met Ingrid Dahl in Skagen.'], async (engine) => {
      const { debug } = await engine.retrieve('Where does Knut Dahl live?')
      expect(debug.seeds).toEqual([])
    })
  })

  it('a place is no person: York is not New York', async () => {
    await withTexts(['They moved to New Haven and to South Fork.'], async (engine) => {
      const { debug } = await engine.retrieve('Is it Fork?')
      expect(debug.seeds.map(({ label }) => label)).not.toContain('South Fork')
    })
  })

  it('questionSeeds that are unknown are warned about with the nearest', async () => {
    await withTexts(['They met Ingrid Dahl in Skagen.'], async (engine) => {
      const { debug } = await engine.retrieve('Who is it?', { questionSeeds: ['Skagan'] })
      expect(debug.warnings.join(' ')).toContain('Nearest: skagen')
    })
  })

  it('merges take free text, and name the nearest where there is none', async () => {
    const texts = [
      'We flew to NYC in June.',
      'New York City is large.',
      'Norvik Trading GmbH paid.',
    ]
    await withTexts(texts, async (engine) => {
      const merge = await engine.mergeNames(['the NYC', 'new york city'])
      expect(merge).toMatchObject({ label: 'New York City', passages: 2 })
      const [route] = await engine.pathBetween('NYC', 'New York City')
      expect(route).toMatchObject({ hops: 0, steps: [] })
      expect((await engine.resolveEntities(['Norvik Trading Inc.']))[0]?.label).toBe(
        'Norvik Trading GmbH',
      )
      await expect(engine.mergeNames(['New York Citty', 'NYC'])).rejects.toMatchObject({
        code: 'input/invalid',
        details: { nearest: expect.arrayContaining(['new york city']) as unknown },
      })
    })
  })
})
