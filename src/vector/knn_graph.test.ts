/** The nearest-neighbour graph. */
import { expect, it } from 'vitest'
import { createExactIndex } from './exact_index.ts'
import { createHnswIndex } from './hnsw_index.ts'
import { buildKnnGraph } from './knn_graph.ts'
import { clusteredVectors } from './seeded_vectors.ts'
import { naiveSearch } from './vector_index.contract.ts'
import type { VectorIndex } from './vector_index.ts'

function fill(index: VectorIndex, count: number): Map<number, Float32Array> {
  const rows = new Map(clusteredVectors(count, index.dims, 31, 9).entries())
  for (const [row, vector] of rows) index.set(row, vector)
  return rows
}

it('joins each row to its nearest others, never to itself', async () => {
  const index = await createExactIndex({ dims: 24 })
  const rows = fill(index, 200)
  const { offsets, targets, weights } = await buildKnnGraph(index, 200, 6)
  expect([offsets.length, targets.length, weights.length]).toEqual([201, 1200, 1200])
  for (const [row, vector] of rows) {
    const right = naiveSearch(new Map([...rows].filter(([other]) => other !== row)), vector, 6)
    expect([...targets.slice(offsets[row], offsets[row + 1])]).toEqual(right.map((hit) => hit.row))
    right.forEach((hit, i) => {
      expect(weights[offsets[row]! + i]).toBeCloseTo(hit.score, 6)
    })
  }
})

it('orders equal neighbours by row, and names a twin rather than itself', async () => {
  const index = await createExactIndex({ dims: 2 })
  for (const row of [0, 1, 2, 3]) index.set(row, [1, 1])
  const { offsets, targets } = await buildKnnGraph(index, 4, 2)
  expect([...offsets]).toEqual([0, 2, 4, 6, 8])
  expect([...targets]).toEqual([1, 2, 0, 2, 0, 1, 0, 1])
})

it('leaves out rows that have no vector or are past the end', async () => {
  const index = await createExactIndex({ dims: 2 })
  index.set(0, [1, 0])
  index.set(2, [1, 0.1])
  index.set(3, [1, 0.01])
  const { offsets, targets } = await buildKnnGraph(index, 3, 5)
  expect([...offsets]).toEqual([0, 1, 1, 2])
  expect([...targets]).toEqual([2, 0])
})

it('is empty for no rows and for no neighbours', async () => {
  const index = await createExactIndex({ dims: 2 })
  expect((await buildKnnGraph(index, 0, 5)).offsets).toEqual(Int32Array.of(0))
  fill(index, 5)
  expect((await buildKnnGraph(index, 5, 0)).targets.length).toBe(0)
})

it('finds nearly the same graph by HNSW', async () => {
  const [exact, hnsw] = [await createExactIndex({ dims: 24 }), await createHnswIndex({ dims: 24 })]
  fill(exact, 300)
  fill(hnsw, 300)
  const [right, found] = [await buildKnnGraph(exact, 300, 8), await buildKnnGraph(hnsw, 300, 8)]
  let same = 0
  for (let row = 0; row < 300; row++) {
    const wanted = new Set(right.targets.slice(right.offsets[row], right.offsets[row + 1]))
    for (const target of found.targets.slice(found.offsets[row], found.offsets[row + 1])) {
      expect(target).not.toBe(row)
      if (wanted.has(target)) same++
    }
  }
  expect(same / 2400).toBeGreaterThanOrEqual(0.9)
})

it('lets others run between batches and stops when told to', async () => {
  const index = await createExactIndex({ dims: 4 })
  fill(index, 200)
  const seen: number[] = []
  await buildKnnGraph(index, 200, 2, {
    pause: (done) => {
      seen.push(done)
      return Promise.resolve()
    },
  })
  expect(seen).toEqual([64, 128, 192])
  const controller = new AbortController()
  const stopped = buildKnnGraph(index, 200, 2, {
    signal: controller.signal,
    pause: () => {
      controller.abort()
      return Promise.resolve()
    },
  })
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
  await expect(buildKnnGraph(index, 200, 2, { signal: controller.signal })).rejects.toMatchObject({
    code: 'aborted',
  })
})

it('refuses impossible numbers', async () => {
  const index = await createExactIndex({ dims: 4 })
  for (const [rows, k] of [
    [-1, 2],
    [1.5, 2],
    [NaN, 2],
    [3, -1],
    [3, 0.5],
  ] as const)
    await expect(buildKnnGraph(index, rows, k)).rejects.toMatchObject({ code: 'input/invalid' })
})
