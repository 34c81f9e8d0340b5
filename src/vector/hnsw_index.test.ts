/** The HNSW index and its snapshots. */
import { afterEach, expect, it, vi } from 'vitest'
import { createExactIndex } from './exact_index.ts'
import { createHnswIndex } from './hnsw_index.ts'
import { decodeHnswSnapshot, encodeHnswSnapshot, hnswFileLayout } from './hnsw_snapshot.ts'
import { clusteredVectors, seededRandom } from './seeded_vectors.ts'
import { codeOf, describeVectorIndex } from './vector_index.contract.ts'

const SHAPE = { dims: 16, m: 16 }

describeVectorIndex('HNSW index', createHnswIndex, { exact: false })

afterEach(() => {
  vi.restoreAllMocks()
})

async function filled(count: number, dims = SHAPE.dims) {
  const index = await createHnswIndex({ dims })
  const vectors = clusteredVectors(count, dims, 21, 12)
  vectors.forEach((vector, row) => {
    index.set(row, vector)
  })
  return { index, vectors }
}

it('gives the scores of the exact index, bit for bit', async () => {
  const { index, vectors } = await filled(300)
  const exact = await createExactIndex({ dims: SHAPE.dims })
  vectors.forEach((vector, row) => {
    exact.set(row, vector)
  })
  const right = new Map(exact.search(vectors[0]!, 300).map((hit) => [hit.row, hit.score]))
  for (const hit of index.search(vectors[0]!, 50)) expect(hit.score).toBe(right.get(hit.row))
})

it('prints nothing and leaves the globals as they were', async () => {
  const said = (['log', 'warn', 'error', 'info'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  )
  const globals = () => [
    globalThis.setTimeout,
    globalThis.fetch,
    console.log,
    console.error,
    Object.getOwnPropertyDescriptor(globalThis, 'indexedDB'),
    'importScripts' in globalThis,
  ]
  const before = globals()
  const { index, vectors } = await filled(80)
  index.search(vectors[0]!, 3)
  expect(index.snapshot()).toEqual(index.snapshot())
  const again = await createHnswIndex({ dims: SHAPE.dims, snapshot: index.snapshot() })
  again.close()
  index.close()
  expect(globals()).toEqual(before)
  for (const spy of said) expect(spy).not.toHaveBeenCalled()
})

it('names the policy that forbids it', async () => {
  vi.stubGlobal('Function', function () {
    throw new EvalError('refused by policy')
  })
  try {
    await expect(createHnswIndex({ dims: 4 })).rejects.toMatchObject({
      code: 'input/invalid',
      details: { needs: 'unsafe-eval' },
    })
  } finally {
    vi.unstubAllGlobals()
  }
})

it('answers from a snapshot as it did before, and goes on from there', async () => {
  const { index, vectors } = await filled(200)
  for (let row = 0; row < 200; row += 5) index.remove(row)
  const queries = clusteredVectors(10, SHAPE.dims, 22, 12)
  const before = queries.map((query) => index.search(query, 10))
  const bytes = index.snapshot()
  const loaded = await createHnswIndex({ dims: SHAPE.dims, snapshot: bytes })
  expect(loaded.size).toBe(160)
  expect(queries.map((query) => loaded.search(query, 10))).toEqual(before)
  expect(loaded.get(1)).toEqual(index.get(1))
  expect(loaded.get(5)).toBeNull()
  vectors.forEach((vector, row) => {
    loaded.set(row + 300, vector)
  })
  expect(loaded.size).toBe(360)
  expect(loaded.search(vectors[5]!, 1)).toEqual([
    { row: 305, score: loaded.search(vectors[5]!, 1)[0]!.score },
  ])
  expect((await createHnswIndex({ dims: SHAPE.dims, snapshot: loaded.snapshot() })).size).toBe(360)
})

it('snapshots an empty index, and one of removed rows only', async () => {
  const index = await createHnswIndex({ dims: 3 })
  expect((await createHnswIndex({ dims: 3, snapshot: index.snapshot() })).size).toBe(0)
  index.set(4, [1, 2, 3])
  index.search([1, 2, 3], 1)
  index.remove(4)
  const loaded = await createHnswIndex({ dims: 3, snapshot: index.snapshot() })
  expect([loaded.size, loaded.search([1, 2, 3], 1)]).toEqual([0, []])
  loaded.set(9, [3, 2, 1])
  expect(loaded.search([3, 2, 1], 5).map((hit) => hit.row)).toEqual([9])
})

it('refuses a snapshot of another shape', async () => {
  const { index } = await filled(70)
  await expect(
    createHnswIndex({ dims: SHAPE.dims + 1, snapshot: index.snapshot() }),
  ).rejects.toMatchObject({ code: 'index/corrupt' })
})

it('refuses every truncation and every flipped byte', async () => {
  const { index } = await filled(70)
  const bytes = index.snapshot()
  expect(decodeHnswSnapshot(bytes, SHAPE, 1000).rowOf.length).toBe(70)
  const random = seededRandom(23)
  for (let i = 0; i < 1500; i++) {
    const damaged = bytes.slice()
    damaged[i < 60 ? i : Math.floor(random() * bytes.length)]! ^= 1 + Math.floor(random() * 255)
    expect(codeOf(() => decodeHnswSnapshot(damaged, SHAPE, 1000))).toBe('index/corrupt')
    expect(
      codeOf(() =>
        decodeHnswSnapshot(bytes.subarray(0, Math.floor(random() * bytes.length)), SHAPE, 1000),
      ),
    ).toBe('index/corrupt')
  }
  expect(codeOf(() => decodeHnswSnapshot(new Uint8Array([...bytes, 0]), SHAPE, 1000))).toBe(
    'index/corrupt',
  )
  expect(codeOf(() => decodeHnswSnapshot(bytes, SHAPE, 50))).toBe('index/corrupt')
})

it('never loads a graph that leads outside itself, even under a right checksum', async () => {
  const { index } = await filled(120)
  const { rowOf, file } = decodeHnswSnapshot(index.snapshot(), SHAPE, 1000)
  const at = hnswFileLayout(SHAPE)
  const random = seededRandom(24)
  let refused = 0
  for (let i = 0; i < 3000; i++) {
    const forged = file.slice()
    const view = new DataView(forged.buffer)
    // Words of the graph's structure: header, link lists, labels, levels; vectors are checked for
    // their length only.
    const element = at.header + Math.floor(random() * 120) * at.element
    const place = [
      Math.floor(random() * 14) * 4,
      element + Math.floor(random() * 33) * 4,
      element + at.label,
      at.header + 120 * at.element + Math.floor(random() * 120) * 4,
    ][i % 4]!
    const value = [
      0xffffffff,
      120,
      121,
      2 ** 31,
      Math.floor(random() * 2 ** 32),
      Math.floor(random() * 200),
    ][Math.floor(random() * 6)]!
    if (view.getUint32(place, true) === value) continue
    view.setUint32(place, value, true)
    const bytes = encodeHnswSnapshot({ rowOf, file: forged }, SHAPE)
    if (codeOf(() => decodeHnswSnapshot(bytes, SHAPE, 1000)) === 'index/corrupt') {
      refused++
      continue
    }
    // Harmless changes are let through (another neighbour of the same level, a larger capacity):
    // then every search must come back whole.
    if (i % 20 > 3) continue
    const loaded = await createHnswIndex({ dims: SHAPE.dims, snapshot: bytes })
    const hits = loaded.search(clusteredVectors(1, SHAPE.dims, i)[0]!, 10)
    expect(hits.length).toBe(10)
    for (const hit of hits) expect(hit.row).toBeLessThan(120)
    loaded.close()
  }
  expect(refused).toBeGreaterThan(1500)
}, 120_000)

it('lets a vector of no direction in a snapshot pass no further', async () => {
  const { index } = await filled(64)
  const { rowOf, file } = decodeHnswSnapshot(index.snapshot(), SHAPE, 1000)
  const at = hnswFileLayout(SHAPE)
  for (const value of [NaN, Infinity, 3]) {
    const forged = file.slice()
    new DataView(forged.buffer).setFloat32(at.header + at.data, value, true)
    expect(
      codeOf(() =>
        decodeHnswSnapshot(encodeHnswSnapshot({ rowOf, file: forged }, SHAPE), SHAPE, 1000),
      ),
    ).toBe('index/corrupt')
  }
})
