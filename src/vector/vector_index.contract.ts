/** Contract suite that every vector index runs. */
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isHubmeshError } from '../base/errors.ts'
import { clusteredVectors } from './seeded_vectors.ts'
import type { VectorHit, VectorIndex } from './vector_index.ts'

export type MakeVectorIndex = (options: {
  readonly dims: number
  readonly expectedRows?: number
}) => Promise<VectorIndex>

/** The definition, in double and in the plainest way: the oracle of all indices. */
export function naiveSearch(
  rows: ReadonlyMap<number, ArrayLike<number>>,
  query: ArrayLike<number>,
  k: number,
): VectorHit[] {
  const unit = (vector: ArrayLike<number>): Float64Array => {
    const values = Float64Array.from(vector)
    let squared = 0
    for (const x of values) squared += x * x
    return values.map((x) => x / Math.sqrt(squared))
  }
  const q = unit(query)
  const cosine = (vector: ArrayLike<number>): number =>
    unit(vector).reduce((sum, x, i) => sum + x * q[i]!, 0)
  return [...rows]
    .map(([row, vector]) => ({ row, score: cosine(vector) }))
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, k)
}

export function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return isHubmeshError(error) ? error.code : `not a HubmeshError: ${String(error)}`
  }
  return 'nothing was thrown'
}

/** Vectors with a direction, of components a model could give; some equal, so that ties happen. */
function vectors(dims: number, min: number, max: number): fc.Arbitrary<number[][]> {
  const component = fc.oneof(
    fc.constantFrom(0, 1, -1, 0.5),
    fc.double({ min: -2, max: 2, noNaN: true }).map((x) => Math.fround(x)),
  )
  return fc.array(
    fc
      .array(component, { minLength: dims, maxLength: dims })
      .filter((v) => v.some((x) => Math.abs(x) > 1e-3)),
    { minLength: min, maxLength: max },
  )
}

export function describeVectorIndex(
  name: string,
  make: MakeVectorIndex,
  { exact }: { readonly exact: boolean },
): void {
  describe(name, () => {
    const opened: VectorIndex[] = []
    const open: MakeVectorIndex = async (options) => {
      const index = await make(options)
      opened.push(index)
      return index
    }
    afterEach(() => {
      for (const index of opened.splice(0)) index.close()
    })
    const filled = async (
      rows: readonly ArrayLike<number>[],
      dims: number,
    ): Promise<VectorIndex> => {
      const index = await open({ dims })
      rows.forEach((vector, row) => {
        index.set(row, vector)
      })
      return index
    }

    it('gives the naive cosines, best first, ties by row', async () => {
      await fc.assert(
        fc.asyncProperty(
          vectors(5, 2, 40),
          fc.integer({ min: 1, max: 50 }),
          async ([query, ...rows], k) => {
            const index = await make({ dims: 5 })
            rows.forEach((vector, row) => {
              index.set(row, vector)
            })
            const hits = index.search(query!, k)
            const right = naiveSearch(new Map(rows.entries()), query!, k)
            expect(hits.length).toBe(right.length)
            hits.forEach((hit, i) => {
              // Rows may trade places only where their cosines are equal to the precision of f32.
              expect(hit.score).toBeCloseTo(right[i]!.score, 6)
              const next = hits[i + 1]
              if (next)
                expect(
                  hit.score > next.score || (hit.score === next.score && hit.row < next.row),
                ).toBe(true)
            })
            index.close()
          },
        ),
        { numRuns: exact ? 100 : 8, seed: 7 },
      )
    })

    it('orders equal vectors by row, also where k cuts through them', async () => {
      const index = await open({ dims: 3 })
      for (const row of [9, 2, 14, 5, 0, 7]) index.set(row, [1, 2, 3])
      index.set(3, [3, 2, 1])
      expect(index.search([1, 2, 3], 4).map((hit) => hit.row)).toEqual([0, 2, 5, 7])
    })

    it('finds nearly all of the true neighbours among clustered vectors', async () => {
      const rows = clusteredVectors(1500, 48, 3, 20)
      const index = await filled(rows, 48)
      const all = new Map<number, ArrayLike<number>>(rows.entries())
      let found = 0
      const queries = clusteredVectors(25, 48, 4, 20)
      for (const query of queries) {
        const right = naiveSearch(all, query, 10).map((hit) => hit.row)
        const hits = index.search(query, 10).map((hit) => hit.row)
        if (exact) expect(hits).toEqual(right)
        found += hits.filter((row) => right.includes(row)).length
      }
      expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.9)
    })

    it('still finds them after half of the rows were removed and their numbers given to others', async () => {
      const first = clusteredVectors(800, 32, 5, 20)
      const second = clusteredVectors(400, 32, 6, 20)
      const index = await filled(first, 32)
      for (let row = 0; row < 800; row += 2) index.remove(row)
      expect(index.size).toBe(400)
      expect(index.search(first[0]!, 20).every((hit) => hit.row % 2 === 1)).toBe(true)
      const now = new Map<number, ArrayLike<number>>()
      for (let row = 0; row < 800; row++) {
        if (row % 2 === 0) index.set(row, second[row / 2]!)
        now.set(row, row % 2 === 0 ? second[row / 2]! : first[row]!)
      }
      expect(index.size).toBe(800)
      let found = 0
      for (let row = 0; row < 800; row += 40) {
        const right = naiveSearch(now, now.get(row)!, 10).map((hit) => hit.row)
        found += index.search(now.get(row)!, 10).filter((hit) => right.includes(hit.row)).length
      }
      expect(found / 200).toBeGreaterThanOrEqual(0.9)
    })

    it('holds what it was given as unit vectors, and storing them again changes nothing', async () => {
      const index = await filled(
        [
          [3, 4],
          [-1, 0],
        ],
        2,
      )
      expect([...index.get(0)!]).toEqual([Math.fround(0.6), Math.fround(0.8)])
      const before = index.get(0)!
      index.set(0, before)
      expect(index.get(0)).toEqual(before)
      index.get(0)!.fill(9)
      expect(index.get(0)).toEqual(before)
      expect(index.get(7)).toBeNull()
    })

    it('counts a replaced row once and answers with its new vector', async () => {
      const index = await filled(
        [
          [1, 0],
          [0, 1],
        ],
        2,
      )
      index.set(0, [-1, 0])
      expect(index.size).toBe(2)
      expect(index.search([-1, 0], 1)).toEqual([{ row: 0, score: 1 }])
      expect(index.search([1, 0], 2).map((hit) => hit.row)).toEqual([1, 0])
    })

    it('forgets a removed row, and removing it twice is nothing', async () => {
      const index = await filled(
        [
          [1, 0],
          [0, 1],
        ],
        2,
      )
      index.remove(0)
      index.remove(0)
      index.remove(55)
      expect(index.size).toBe(1)
      expect(index.has(0)).toBe(false)
      expect(index.get(0)).toBeNull()
      expect(index.search([1, 0], 5)).toEqual([{ row: 1, score: 0 }])
      index.remove(1)
      expect(index.search([1, 0], 5)).toEqual([])
    })

    it('answers only with rows that the filter accepts, all k of them where they exist', async () => {
      const rows = clusteredVectors(600, 16, 8, 10)
      const index = await filled(rows, 16)
      const rare = (row: number): boolean => row % 97 === 3
      const right = naiveSearch(
        new Map([...rows.entries()].filter(([row]) => rare(row))),
        rows[0]!,
        5,
      ).map((hit) => hit.row)
      expect(index.search(rows[0]!, 5, rare).map((hit) => hit.row)).toEqual(right)
      expect(index.search(rows[0]!, 5, () => false)).toEqual([])
    })

    it('passes on what the filter throws and works afterwards', async () => {
      const index = await filled(
        [
          [1, 0],
          [0, 1],
        ],
        2,
      )
      expect(() =>
        index.search([1, 0], 1, () => {
          throw new RangeError('mine')
        }),
      ).toThrow(new RangeError('mine'))
      expect(index.search([1, 0], 1)[0]!.row).toBe(0)
    })

    it('keeps cosines inside [-1, 1]', async () => {
      const rows = clusteredVectors(60, 64, 9, 3)
      const index = await filled(rows, 64)
      rows.forEach((vector, row) => {
        const hits = index.search(vector, 60)
        expect(hits.find((hit) => hit.row === row)!.score).toBeCloseTo(1, 6)
        for (const hit of hits) expect(Math.abs(hit.score)).toBeLessThanOrEqual(1)
      })
    })

    it('refuses vectors without a direction', async () => {
      const index = await filled([[1, 2, 3]], 3)
      const bad: unknown[] = [
        [1, 2],
        [1, 2, 3, 4],
        [],
        [NaN, 0, 1],
        [Infinity, 0, 1],
        [0, -Infinity, 0],
        [0, 0, 0],
        [1, , 3],
        ['1', 2, 3],
        null,
        undefined,
        'abc',
        7,
        {},
        [1n, 2n, 3n],
      ]
      for (const vector of bad) {
        expect(
          codeOf(() => {
            index.set(1, vector as number[])
          }),
        ).toBe('input/invalid')
        expect(codeOf(() => index.search(vector as number[], 1))).toBe('input/invalid')
      }
      expect(index.size).toBe(1)
      expect(index.has(1)).toBe(false)
    })

    it('takes components far out of proportion', async () => {
      const index = await filled(
        [
          [1e300, 1e300],
          [1e-300, 0],
          [0, 5e-324],
        ],
        2,
      )
      expect(
        index.search([1e-310, 0], 3).map((hit) => [hit.row, Number(hit.score.toFixed(4))]),
      ).toEqual([
        [1, 1],
        [0, 0.7071],
        [2, 0],
      ])
    })

    it('refuses rows and counts that are none', async () => {
      const index = await filled([[1, 0]], 2)
      for (const row of [
        1.5,
        -1,
        NaN,
        Infinity,
        2 ** 31 - 1,
        2 ** 40,
        '0' as unknown as number,
        null as unknown as number,
      ])
        expect(
          codeOf(() => {
            index.set(row, [1, 0])
          }),
        ).toBe('input/invalid')
      expect(
        codeOf(() => {
          index.set(2 ** 31 - 2, [1, 0])
        }),
      ).toBe('input/too-large')
      for (const k of [1.5, -1, NaN, Infinity, '1' as unknown as number])
        expect(codeOf(() => index.search([1, 0], k))).toBe('input/invalid')
      for (const row of [1.5, -1, NaN, 2 ** 40]) {
        expect(index.has(row)).toBe(false)
        expect(index.get(row)).toBeNull()
        index.remove(row)
      }
      expect(index.size).toBe(1)
      expect(index.search([1, 0], 0)).toEqual([])
      expect(index.search([1, 0], 1_000_000)).toEqual([{ row: 0, score: 1 }])
    })

    it('answers an empty index with nothing', async () => {
      const index = await open({ dims: 4, expectedRows: 100 })
      expect(index.size).toBe(0)
      expect(index.search([1, 0, 0, 0], 10)).toEqual([])
      expect(index.kind).toBe(exact ? 'exact' : 'hnsw')
      expect(index.dims).toBe(4)
    })

    it('grows past the rows it expected and accounts for its bytes', async () => {
      const rows = clusteredVectors(700, 24, 10, 7)
      const index = await open({ dims: 24, expectedRows: 3 })
      const empty = index.bytes
      rows.forEach((vector, row) => {
        index.set(row, vector)
      })
      expect(index.search(rows[699]!, 1)[0]!.row).toBe(699)
      expect(index.bytes).toBeGreaterThanOrEqual(700 * 24 * 4)
      expect(index.bytes).toBeGreaterThan(empty)
    })

    it('gives scores of all rows, or says that it cannot', async () => {
      const index = await filled(
        [
          [1, 0],
          [0, 1],
        ],
        2,
      )
      const scores = index.scores([1, 0], 4)
      if (exact) expect(scores).toEqual(Float32Array.of(1, 0, NaN, NaN))
      else expect(scores).toBeNull()
    })

    it('is closed for good', async () => {
      const index = await filled([[1, 0]], 2)
      index.close()
      index.close()
      for (const call of [
        () => index.search([1, 0], 1),
        () => {
          index.set(0, [1, 0])
        },
        () => index.get(0),
        () => {
          index.remove(0)
        },
      ])
        expect(codeOf(call)).toBe('store/closed')
    })
  })
}
