import { describe, expect, it } from 'vitest'
import type { DocumentInput } from '../types.ts'
import { communitiesOf } from './louvain.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { LocalEngine } from '../engine/engine.ts'

const people = ['Ada Quist', 'Bela Trom', 'Cato Vind', 'Dora Wex'],
  towns = ['Port Sable', 'Lower Fenwick', 'Greyholm', 'Mount Arlet']

/** Two circles of four names each, joined by one document. */
const documents: readonly DocumentInput[] = [people, towns]
  .flatMap((circle, c) =>
    circle.flatMap((a, i) =>
      circle.slice(i + 1).map((b, j) => ({
        id: `${c}${i}${j}`,
        title: '',
        text: `The letters speak of ${a} and of ${b} in the spring of April.`,
      })),
    ),
  )
  .concat({ id: 'joint', title: '', text: 'It was Ada Quist who came to Port Sable.' })

async function withEngine(
  inputs: readonly DocumentInput[],
  work: (engine: LocalEngine) => Promise<void>,
): Promise<void> {
  await work(await openTestEngine(inputs))
}

describe('the graph of names', () => {
  it('is told in parts: names, what joins them, and the circles they form', async () => {
    await withEngine(documents, async (engine) => {
      const { nodes, edges, total } = await engine.subgraph()
      expect(new Set(nodes.map(({ label }) => label))).toEqual(new Set([...people, ...towns]))
      expect(total).toBeGreaterThanOrEqual(8)
      const known = new Set(nodes.map(({ name }) => name))
      for (const { source, target } of edges)
        expect([known.has(source), known.has(target), source === target]).toEqual([
          ...[true, true],
          false,
        ])
      expect(edges).toHaveLength(13)
      const weights = edges.map(({ weight }) => weight)
      expect([...weights].sort((a, b) => b - a)).toEqual(weights)
      const circle = (labels: readonly string[]): Set<number> =>
        new Set(nodes.flatMap((node) => (labels.includes(node.label) ? [node.community] : [])))
      expect([circle(people).size, circle(towns).size]).toEqual([1, 1])
      expect(circle(people)).not.toEqual(circle(towns))
    })
  })

  it('around a name begins with it, and goes on by one step or by two', async () => {
    await withEngine(documents, async (engine) => {
      const one = await engine.subgraph({ around: 'Bela Trom' }),
        two = await engine.subgraph({ around: 'Bela Trom', depth: 2 }),
        few = await engine.subgraph({ around: 'Bela Trom', depth: 2, limit: 3 })
      expect(one.nodes.map(({ label }) => label)[0]).toBe('Bela Trom')
      expect(new Set(one.nodes.map(({ label }) => label))).toEqual(new Set(people))
      expect(new Set(two.nodes.map(({ label }) => label))).toEqual(
        new Set([...people, 'Port Sable']),
      )
      expect(few.nodes).toHaveLength(3)
      await expect(engine.subgraph({ around: 'Nobody Known' })).rejects.toThrow('does not know')
      await expect(engine.subgraph({ limit: 2001 })).rejects.toThrow('from 1 to 2000')
    })
  })

  it('has communities, the largest first, by their most telling names', async () => {
    await withEngine(documents, async (engine) => {
      const communities = await engine.communities()
      expect(communities.map(({ id, size }) => [id, size])).toEqual([
        [0, 4],
        [1, 4],
      ])
      for (const { names } of communities) expect(names).toHaveLength(4)
      expect(await engine.communities({ limit: 1 })).toEqual(communities.slice(0, 1))
    })
  })

  it('leads from a name to its passages, each as its document has it', async () => {
    await withEngine(documents, async (engine) => {
      const passages = await engine.passagesOf('Ada Quist')
      expect(passages.map(({ documentId }) => documentId)).toEqual(['000', '001', '002', 'joint'])
      for (const { documentId, start, end, text } of passages)
        expect((await engine.getDocument(documentId))?.text.slice(start, end)).toBe(text)
      expect(await engine.passagesOf('Ada Quist', { limit: 2 })).toEqual(passages.slice(0, 2))
    })
  })

  it('gives neighbours of one kind', async () => {
    await withEngine(documents, async (engine) => {
      const all = await engine.entityNeighbors('Ada Quist'),
        kinds = ['person', 'place', 'organisation', 'other'] as const
      const byKind = await Promise.all(
        kinds.map((kind) => engine.entityNeighbors('Ada Quist', { kind })),
      )
      expect(
        byKind
          .flat()
          .map(({ name }) => name)
          .sort(),
      ).toEqual(all.map(({ name }) => name).sort())
      await expect(
        engine.entityNeighbors('Ada Quist', { kind: 'animal' as never }),
      ).rejects.toThrow('kind is animal')
    })
  })

  it('is the same whatever the order in which documents came', async () => {
    const told: unknown[] = []
    for (const inputs of [documents, [...documents].reverse()])
      await withEngine(inputs, async (engine) => {
        told.push([await engine.subgraph({ limit: 6 }), await engine.communities()])
      })
    expect(told[1]).toEqual(told[0])
  })

  it('stops where it is told to', async () => {
    await withEngine(documents, async (engine) => {
      const signal = AbortSignal.abort()
      await expect(engine.subgraph({ signal })).rejects.toThrow()
      await expect(engine.communities({ signal })).rejects.toThrow()
    })
  })
})

describe('communities', () => {
  it('part two cliques that one weak edge joins, and leave the lonely alone', () => {
    const clique = (from: number): { a: number; b: number; weight: number }[] =>
      [0, 1, 2].flatMap((i) =>
        [1, 2, 3].flatMap((j) => (j > i ? [{ a: from + i, b: from + j, weight: 3 }] : [])),
      )
    expect(communitiesOf(9, [...clique(0), ...clique(4), { a: 0, b: 4, weight: 1 }])).toEqual([
      0, 0, 0, 0, 1, 1, 1, 1, 2,
    ])
    expect(communitiesOf(0, [])).toEqual([])
  })
})
