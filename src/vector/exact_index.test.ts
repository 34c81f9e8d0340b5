/** The exact index. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { createExactIndex } from './exact_index.ts'
import { clusteredVectors } from './seeded_vectors.ts'
import { codeOf, describeVectorIndex, naiveSearch } from './vector_index.contract.ts'

describeVectorIndex('exact index', createExactIndex, { exact: true })
describeVectorIndex(
  'exact index without SIMD',
  (options) => createExactIndex({ ...options, simd: 'off' }),
  { exact: true },
)

async function filled(
  rows: readonly (readonly [number, Float32Array])[],
  simd: 'auto' | 'off' = 'auto',
) {
  const index = await createExactIndex({ dims: rows[0]![1].length, simd })
  for (const [row, vector] of rows) index.set(row, vector)
  return index
}

it('runs in wasm SIMD here', async () => {
  const index = await createExactIndex({ dims: 8 })
  expect([index.simd, index.kernelReason]).toEqual([true, 'wasm SIMD'])
})

it('gives the same bytes with and without SIMD, for every width and number of rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer(),
      async (dims, count, seed) => {
        const rows = clusteredVectors(count, dims, seed, 4).map(
          (vector, row) => [row, vector] as const,
        )
        const query = clusteredVectors(1, dims, seed + 1, 4)[0]!
        const [fast, plain] = [await filled(rows), await filled(rows, 'off')]
        expect(fast.scores(query, count)).toEqual(plain.scores(query, count))
        expect(fast.search(query, count)).toEqual(plain.search(query, count))
      },
    ),
    { numRuns: 60, seed: 11 },
  )
})

it('gives each vector the same score under whatever number and order it was stored', async () => {
  const vectors = clusteredVectors(900, 40, 12)
  const query = clusteredVectors(1, 40, 13)[0]!
  const straight = await filled(vectors.map((vector, i) => [i, vector] as const))
  const shuffled = await filled(
    vectors.map((vector, i) => [(i * 7) % 900, vector] as const).reverse(),
  )
  const [a, b] = [straight.scores(query, 900), shuffled.scores(query, 900)]
  vectors.forEach((_, i) => {
    expect(b[(i * 7) % 900]).toBe(a[i])
  })
})

it('scores the best rows in full precision and the others within .01', async () => {
  const vectors = clusteredVectors(1200, 384, 14)
  const index = await filled(vectors.map((vector, i) => [i, vector] as const))
  const query = clusteredVectors(1, 384, 15)[0]!
  const right = naiveSearch(new Map(vectors.entries()), query, 1200)
  const scores = index.scores(query, 1200)
  right.slice(0, LIMITS.rescoreRows / 2).forEach(({ row, score }) => {
    expect(scores[row]).toBeCloseTo(score, 6)
  })
  right.forEach(({ row, score }) => {
    expect(Math.abs(scores[row]! - score)).toBeLessThan(0.01)
  })
})

it('scores all rows that tie with the last rescored one alike', async () => {
  const same = clusteredVectors(1, 20, 16)[0]!
  const index = await filled(Array.from({ length: 500 }, (_, i) => [i, same] as const))
  expect(new Set(index.scores(clusteredVectors(1, 20, 17)[0]!, 500)).size).toBe(1)
})

it('finds the true nearest rows among thousands of nearly equal ones', async () => {
  const centre = clusteredVectors(1, 64, 18)[0]!
  const vectors = clusteredVectors(3000, 64, 19).map((noise) =>
    noise.map((x, i) => centre[i]! + x * 1e-3),
  )
  const index = await filled(vectors.map((vector, i) => [i, vector] as const))
  const right = naiveSearch(new Map(vectors.entries()), vectors[5]!, 20)
  const hits = index.search(vectors[5]!, 20)
  // Cosines differ by less than f32 can hold, so compare what was reached, not who.
  hits.forEach((hit, i) => {
    expect(hit.score).toBeCloseTo(right[i]!.score, 6)
  })
})

it('keeps sums inside 32 bits for the widest vectors', async () => {
  const dims = LIMITS.vectorDims
  for (const simd of ['auto', 'off'] as const) {
    const index = await createExactIndex({ dims, simd })
    index.set(0, new Float32Array(dims).fill(1))
    index.set(1, new Float32Array(dims).fill(-1))
    const [first, second] = index.search(new Float32Array(dims).fill(1), 2)
    expect([first!.row, second!.row]).toEqual([0, 1])
    expect(first!.score).toBeCloseTo(1, 6)
    expect(second!.score).toBeCloseTo(-1, 6)
  }
})

it('follows its memory as it grows, row by row', async () => {
  const index = await createExactIndex({ dims: 300 })
  const vectors = clusteredVectors(2500, 300, 20)
  vectors.forEach((vector, row) => {
    index.set(row, vector)
    if (row % 500 === 0) expect(index.search(vector, 1)[0]!.row).toBe(row)
  })
  expect(index.search(vectors[0]!, 1)[0]!.row).toBe(0)
})

it('gives scores up to the rows asked for', async () => {
  const index = await filled([
    [0, Float32Array.of(1, 0)],
    [5, Float32Array.of(0, 1)],
  ])
  expect(index.scores([1, 0], 2)).toEqual(Float32Array.of(1, NaN))
  expect(index.scores([1, 0], 0)).toEqual(new Float32Array(0))
  for (const rows of [-1, 1.5, NaN])
    expect(codeOf(() => index.scores([1, 0], rows))).toBe('input/invalid')
})

it('refuses dimensions that are none', async () => {
  for (const dims of [0, -1, 1.5, NaN, LIMITS.vectorDims + 1])
    await expect(createExactIndex({ dims })).rejects.toMatchObject({ code: 'input/invalid' })
})
