import { describe, expect, it } from 'vitest'
import type { DocumentInput, ReasoningPath } from '../types.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { LocalEngine } from '../engine/engine.ts'

const documents: readonly DocumentInput[] = [
  {
    id: 'film',
    title: 'The Long Ebb',
    text: 'The Long Ebb is an American drama of April 1994 directed by Marta Quell.',
  },
  {
    id: 'director',
    title: 'Marta Quell',
    text: 'Marta Quell is an American film director. She was born in Port Sable in 1951.',
  },
  {
    id: 'town',
    title: 'Port Sable',
    text: 'Port Sable is a fishing town. Its lighthouse was built by Otto Rand.',
  },
  {
    id: 'builder',
    title: 'Otto Rand',
    text: 'Otto Rand was an engineer. He died in April 1902 after an American tour.',
  },
  {
    id: 'garden',
    title: 'Gardening',
    text: 'Water the beds in the morning. In April the American asters are cut back.',
  },
]

async function withDocuments(
  inputs: readonly DocumentInput[],
  work: (engine: LocalEngine) => Promise<void>,
): Promise<void> {
  await work(await openTestEngine(inputs))
}

const documentsOf = ({ nodes }: ReasoningPath): string[] =>
  nodes.flatMap(({ kind, id }) => (kind === 'document' ? [id] : []))

describe('the path to the answer', () => {
  it('ends at the document whose sentence answers, though names lead on', async () => {
    await withDocuments(documents, async (engine) => {
      const { reasoning } = await engine.retrieve(
        'Where was the director of The Long Ebb born in 1951?',
      )
      expect(documentsOf(reasoning[0]!)).toEqual(['film', 'director'])
    })
  })

  it('has one step for a single fact', async () => {
    await withDocuments(documents, async (engine) => {
      for (const [question, id] of [
        ['When did Otto Rand die?', 'builder'],
        ['Was Otto Rand an engineer?', 'builder'],
      ] as const) {
        const { reasoning } = await engine.retrieve(question)
        expect([question, documentsOf(reasoning[0]!)]).toEqual([question, [id]])
        expect(reasoning[0]!.steps).toHaveLength(1)
      }
    })
  })

  it('goes no further than the document about the answer', async () => {
    await withDocuments(documents, async (engine) => {
      for (const [question, way] of [
        ['Who directed The Long Ebb?', ['film', 'director']],
        ['Who built the lighthouse of Port Sable?', ['town', 'builder']],
      ] as const) {
        const { reasoning } = await engine.retrieve(question)
        const passed = documentsOf(reasoning[0]!)
        expect(passed).toEqual(way.slice(0, passed.length))
      }
    })
  })

  it('is not bridged by a month or a nationality', async () => {
    await withDocuments(documents, async (engine) => {
      const { reasoning } = await engine.retrieve(
        'Which American drama of April 1994 did Marta Quell direct?',
      )
      const bridges = reasoning.flatMap(({ nodes }) =>
        nodes.slice(1).flatMap(({ kind, id }) => (kind === 'entity' ? [id] : [])),
      )
      expect(bridges.filter((name) => ['american', 'april', '1994'].includes(name))).toEqual([])
    })
  })

  it('comes first: the others are less likely, and all together at most certain', async () => {
    await withDocuments(documents, async (engine) => {
      const { reasoning } = await engine.retrieve('Were Marta Quell and Otto Rand both engineers?')
      const scores = reasoning.map(({ score }) => score)
      expect(scores.length).toBeGreaterThan(1)
      expect([...scores].sort((a, b) => b - a)).toEqual(scores)
      expect(scores.at(-1)).toBeGreaterThan(0)
      expect(scores.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(1 + 1e-8)
    })
  })

  it('is left out where no name is known, and the answer says why', async () => {
    await withDocuments(documents, async (engine) => {
      const known = await engine.retrieve('Who directed The Long Ebb?')
      expect(known.debug.noReasoning).toBe(null)
      for (const question of ['when are beds watered?', 'how does one bake rye bread?']) {
        const { reasoning, debug } = await engine.retrieve(question)
        expect(reasoning).toEqual([])
        expect(debug.noReasoning).toMatch(/^(?:No name|The documents hold no answer)/)
      }
    })
  })

  it('is the same whatever the order in which documents came', async () => {
    const told: ReasoningPath[][] = []
    for (const inputs of [documents, [...documents].reverse()])
      await withDocuments(inputs, async (engine) => {
        const { reasoning } = await engine.retrieve('Where was the director of The Long Ebb born?')
        told.push([...reasoning])
      })
    expect(told[1]).toEqual(told[0])
  })
})
