import { describe, expect, it } from 'vitest'
import type { PathNode, ReasoningPath } from '../../src/types.ts'
import { emWidth, labelLines } from './label.ts'
import { layoutPicture } from './layout.ts'

const entity = (id: string): PathNode => ({ kind: 'entity', id, label: id })
const doc = (id: string): PathNode => ({ kind: 'document', id, label: id })
function path(score: number, ...nodes: PathNode[]): ReasoningPath {
  return {
    score,
    nodes,
    sentence: '',
    steps: nodes.slice(1).map((_, i) => ({
      predicate: 'mentions',
      documentId: 'd',
      start: 0,
      end: 1,
      text: 'a',
      inTitle: false,
      sentence: { start: 0, end: 1, text: String(i) },
    })),
  }
}

const three = [
  path(
    0.5,
    entity('ed wood'),
    doc('Ed Wood (film)'),
    entity('scott derrickson'),
    doc('Scott Derrickson'),
  ),
  path(0.3, entity('ed wood'), doc('Ed Wood'), entity('plan 9'), doc('Plan 9')),
  path(
    0.2,
    entity('doctor strange'),
    doc('Doctor Strange'),
    entity('scott derrickson'),
    doc('Scott Derrickson'),
  ),
]

describe('the picture', () => {
  it('puts names, documents, bridge names and documents into columns from left to right', () => {
    const picture = layoutPicture(three, { width: 560 })
    const column = (id: string): number | undefined =>
      picture.nodes.find((n) => n.node.id === id)?.column
    expect([
      column('ed wood'),
      column('Ed Wood (film)'),
      column('scott derrickson'),
      column('Scott Derrickson'),
    ]).toEqual([0, 1, 2, 3])
    expect(picture.nodes).toHaveLength(9)
  })

  it('draws no line over a column, also when a seed is another path’s bridge', () => {
    const picture = layoutPicture(
      [
        path(0.5, entity('a'), doc('A'), entity('b'), doc('B')),
        path(0.3, entity('b'), doc('C'), entity('c'), doc('B'), entity('d'), doc('D')),
      ],
      { width: 560 },
    )
    for (const edge of picture.edges)
      expect(Math.abs(edge.from.column - edge.to.column)).toBeLessThanOrEqual(1)
    expect(picture.nodes.find((n) => n.node.id === 'B')?.column).toBe(1)
  })

  it('is the same for the same answer', () => {
    expect(layoutPicture(three, { width: 560 })).toEqual(
      layoutPicture(structuredClone(three), { width: 560 }),
    )
  })

  it('adds up the mass of shared lines, and marks only the best path', () => {
    const picture = layoutPicture(three, { width: 560 })
    const shared = picture.edges.find(
      (e) => e.from.node.id === 'scott derrickson' && e.to.node.id === 'Scott Derrickson',
    )
    expect(shared?.mass).toBeCloseTo(0.7)
    expect(shared?.width).toBe(6)
    expect(picture.edges.filter((e) => e.best)).toHaveLength(3)
    expect(picture.edges.at(-1)?.best).toBe(true)
  })

  it('draws at most 24 nodes, and whole paths only', () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      path(1 / (i + 2), entity('seed'), doc(`d${i}`), entity(`e${i}`)),
    )
    const picture = layoutPicture(many, { width: 560 })
    expect(picture.nodes.length).toBeLessThanOrEqual(24)
    expect(picture.shown).toBe(11)
    for (const edge of picture.edges) expect(picture.nodes).toContain(edge.from)
  })

  it.each([280, 328, 420, 560, 900])(
    'keeps every box inside a width of %i and apart from the others',
    (width) => {
      const long = Array.from({ length: 5 }, (_, i) =>
        path(
          1 / (i + 1),
          entity('A rather long name of a person'),
          doc(`Document number ${i} with a title that runs on and on`),
          entity(`Bridge ${i}`),
          doc(`Target ${i}`),
          entity(`Second bridge ${i}`),
          doc('Final'),
        ),
      )
      const picture = layoutPicture(long, { width })
      for (const node of picture.nodes) {
        expect(node.x).toBeGreaterThanOrEqual(0)
        expect(node.x + node.w).toBeLessThanOrEqual(width)
        expect(node.y).toBeGreaterThanOrEqual(0)
        expect(node.y + node.h).toBeLessThanOrEqual(picture.height)
        for (const other of picture.nodes) {
          if (other === node) continue
          const apart =
            node.x + node.w <= other.x ||
            other.x + other.w <= node.x ||
            node.y + node.h <= other.y ||
            other.y + other.h <= node.y
          expect(apart, `${node.key} and ${other.key}`).toBe(true)
        }
      }
    },
  )

  it('runs from top to bottom where columns would be too narrow, with few boxes side by side', () => {
    const wide = Array.from({ length: 9 }, (_, i) =>
      path(
        1 / (i + 1),
        entity('a'),
        doc(`A${i}`),
        entity(`b${i}`),
        doc(`B${i}`),
        entity(`c${i}`),
        doc(`C${i}`),
      ),
    )
    const picture = layoutPicture(wide, { width: 328 })
    expect(picture.shown).toBe(4)
    const top = picture.nodes.find((n) => n.node.id === 'a')!
    for (const node of picture.nodes) if (node !== top) expect(node.y).toBeGreaterThan(top.y)
  })

  it('is empty without paths', () => {
    expect(layoutPicture([], { width: 300 })).toMatchObject({
      height: 0,
      nodes: [],
      edges: [],
      shown: 0,
    })
  })

  it('keeps a name and a document of the same text apart', () => {
    expect(
      layoutPicture([path(1, entity('__proto__'), doc('__proto__'))], { width: 300 }).nodes,
    ).toHaveLength(2)
  })
})

describe('lines of a label', () => {
  it('break at spaces and end in an ellipsis when cut', () => {
    expect(labelLines('Ed Wood', 10, 2)).toEqual(['Ed Wood'])
    const lines = labelLines('The Curse of the Jade Scorpion and what came after it', 9, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]?.endsWith('…')).toBe(true)
    for (const line of lines) expect(emWidth(line)).toBeLessThanOrEqual(9.6)
  })

  it('cut a word that is wider than the box, losing nothing while lines are left', () => {
    const lines = labelLines('Donaudampfschifffahrtsgesellschaft', 6, 9)
    expect(lines.join('').replaceAll('-', '')).toBe('Donaudampfschifffahrtsgesellschaft')
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/-$/)
  })

  it('break paths behind their strokes, and compounds behind their hyphens', () => {
    expect(labelLines('many/d1/f277.txt', 6, 4)).toEqual(['many/d1/', 'f277.txt'])
    expect(labelLines('Myrtle Beach-Conway', 8, 4)).toEqual(['Myrtle Beach-', 'Conway'])
  })

  it('keep a word whole that is a little wider than its box, in smaller type', () => {
    const picture = layoutPicture(
      Array.from({ length: 4 }, (_, i) =>
        path(
          1 / (i + 1),
          entity('a'),
          doc(`A${i}`),
          entity(`b${i}`),
          doc(`B${i}`),
          entity(`c${i}`),
          doc(i === 0 ? 'Insurgentes (album)' : `C${i}`),
        ),
      ),
      { width: 336 },
    )
    const node = picture.nodes.find(({ node: { id } }) => id === 'Insurgentes (album)')!
    expect(node.lines).toEqual(['Insurgentes', '(album)'])
    expect(node.fontSize).toBeLessThan(picture.fontSize)
    expect(node.fontSize).toBeGreaterThanOrEqual(9)
  })

  it('never split a character outside the basic plane', () => {
    for (const line of labelLines('😀😀😀😀😀😀😀', 2.5, 3))
      expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(line)).toBe(false)
  })
})
