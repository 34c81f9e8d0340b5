import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distinctRoutes, type Barred } from './distinct_routes.ts'

type Edge = readonly [number, number]

/** Breadth-first over an undirected graph, smaller nodes first. */
function searcher(
  edges: readonly Edge[],
  from: number,
  to: number,
): (barred: Barred<number>) => number[] | null {
  return ({ nodes, direct }) => {
    const before = new Map<number, number>([[from, -1]])
    let level = [from]
    while (level.length > 0) {
      const next: number[] = []
      for (const node of level) {
        const near = edges
          .flatMap(([a, b]) => (a === node ? [b] : b === node ? [a] : []))
          .sort((a, b) => a - b)
        for (const other of near) {
          if (before.has(other) || nodes.has(other) || (direct && node === from && other === to))
            continue
          before.set(other, node)
          if (other === to) {
            const way: number[] = []
            for (let at = node; at !== from; at = before.get(at)!) way.push(at)
            return way.reverse()
          }
          next.push(other)
        }
      }
      level = next
    }
    return null
  }
}

const byNodes = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((node, i) => node !== b[i])
  return at < 0 ? 0 : a[at]! - b[at]!
}

/**
 * Every simple way, shortest first, each kept unless it holds all inner nodes of one kept before:
 * the rule, by brute force.
 */
function byHand(edges: readonly Edge[], from: number, to: number, k: number): number[][] {
  const all: number[][] = []
  const walk = (node: number, inner: number[]): void => {
    for (const [a, b] of edges) {
      const other = a === node ? b : b === node ? a : -1
      if (other < 0 || other === from || inner.includes(other)) continue
      if (other === to) all.push(inner)
      else walk(other, [...inner, other])
    }
  }
  walk(from, [])
  all.sort((a, b) => a.length - b.length || byNodes(a, b))
  const kept: number[][] = []
  for (const way of all) {
    if (kept.length === k) break
    if (
      !kept.some((before) =>
        before.length === 0 ? way.length === 0 : before.every((node) => way.includes(node)),
      )
    )
      kept.push(way)
  }
  return kept
}

describe('distinct routes', () => {
  it('leaves out a way that is another with extra stops', () => {
    // 0-1-9, and 0-1-2-9: the second passes 1 as well
    expect(
      distinctRoutes(
        searcher(
          [
            [0, 1],
            [1, 9],
            [1, 2],
            [2, 9],
          ],
          0,
          9,
        ),
        3,
        byNodes,
      ),
    ).toEqual([[1]])
  })

  it('tells two ways that share one stop but not all', () => {
    expect(
      distinctRoutes(
        searcher(
          [
            [0, 1],
            [1, 2],
            [2, 9],
            [1, 3],
            [3, 9],
          ],
          0,
          9,
        ),
        3,
        byNodes,
      ),
    ).toEqual([
      [1, 2],
      [1, 3],
    ])
  })

  it('tells a direct edge and the ways around it', () => {
    expect(
      distinctRoutes(
        searcher(
          [
            [0, 9],
            [0, 1],
            [1, 9],
          ],
          0,
          9,
        ),
        3,
        byNodes,
      ),
    ).toEqual([[], [1]])
  })

  it('finds no way between parts that are not joined', () => {
    expect(
      distinctRoutes(
        searcher(
          [
            [0, 1],
            [2, 9],
          ],
          0,
          9,
        ),
        3,
        byNodes,
      ),
    ).toEqual([])
  })

  it('finds ways as many and as short as looking at all of them does', () => {
    const edge = fc
      .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
      .filter(([a, b]) => a < b)
    fc.assert(
      fc.property(
        fc.uniqueArray(edge, { selector: ([a, b]) => a * 10 + b, maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        (edges, k) => {
          const found = distinctRoutes(searcher(edges, 0, 6), k, byNodes),
            wanted = byHand(edges, 0, 6, k)
          // which of equally short ways comes first may let in others, so lengths up to the first
          // tie are compared by the first
          expect(found[0]?.length).toBe(wanted[0]?.length)
          expect(found.length > 1).toBe(wanted.length > 1)
          for (const [i, way] of found.entries()) {
            if (i > 0) expect(way.length).toBeGreaterThanOrEqual(found[i - 1]!.length)
            for (const before of found.slice(0, i))
              expect(before.length > 0 && before.every((node) => way.includes(node))).toBe(false)
          }
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})
