import { describe, expect, it } from 'vitest'
import { areasOf } from './areas.ts'
import { layout } from './layout.ts'
import { narrowed } from './narrow.ts'

const names = Array.from({ length: 12 }, (_, i) => ({
  name: `n${String(i)}`,
  label: `N${String(i)}`,
  kind: i % 2 === 0 ? ('person' as const) : ('place' as const),
  passages: 1,
  community: i < 7 ? 4 : 9,
}))
const ring = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({
    source: `n${String(from + i)}`,
    target: `n${String(from + ((i + 1) % (to - from)))}`,
    weight: 1 + (i % 3),
  }))
const edges = [...ring(0, 7), ...ring(7, 12)]

describe('the map of names', () => {
  it('is the same for the same corpus', () => {
    const task = { nodes: names, edges }
    expect(layout(task)).toEqual(layout(structuredClone(task)))
  })

  it('has the communities of the engine as areas, the largest first', () => {
    const areas = areasOf(names)
    expect([areas.get('n0'), areas.get('n11')]).toEqual([0, 1])
    const own = names.map((name, i) => ({ ...name, community: i < 4 ? 9 : 3 }))
    expect([areasOf(own).get('n5'), areasOf(own).get('n0')]).toEqual([0, 1])
  })

  it('is narrowed by kind and weight, never to nothing of the name in the middle', () => {
    const part = { nodes: names, edges, total: 12 }
    expect(narrowed(part, { kind: 'all', least: 0 }, null)).toBe(part)
    const people = narrowed(part, { kind: 'person', least: 0 }, 'n1')
    expect(people.nodes.filter(({ kind }) => kind === 'place').map(({ name }) => name)).toEqual([
      'n1',
    ])
    const heavy = narrowed(part, { kind: 'all', least: 3 }, 'n0')
    expect(heavy.edges.every(({ weight }) => weight >= 3)).toBe(true)
    expect(heavy.nodes.map(({ name }) => name)).toContain('n0')
  })
})
