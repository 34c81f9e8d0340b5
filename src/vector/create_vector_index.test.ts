/** The choice of an index. */
import { expect, it, vi } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { createVectorIndex } from './create_vector_index.ts'

it('scans exactly unless told otherwise, and says why', async () => {
  const index = await createVectorIndex({ dims: 8, expectedRows: 1000 })
  expect([index.kind, index.simd]).toEqual(['exact', true])
  expect(index.reason).toBe(
    `up to ${LIMITS.exactRows} rows an exact scan is fast enough and needs no build; scanned with wasm SIMD`,
  )
  index.set(0, [1, 0, 0, 0, 0, 0, 0, 0])
  expect(index.size).toBe(1)
})

it('says when it scans without SIMD', async () => {
  const index = await createVectorIndex({ dims: 8, index: 'exact', simd: 'off' })
  expect([index.simd, index.reason]).toEqual([
    false,
    'exact search was asked for; scanned with a plain loop, as SIMD is turned off',
  ])
})

it('takes HNSW when asked to, and for more rows than a scan is good for', async () => {
  expect((await createVectorIndex({ dims: 2, index: 'hnsw' })).kind).toBe('hnsw')
  const large = await createVectorIndex({ dims: 2, expectedRows: LIMITS.exactRows + 1 })
  expect([large.kind, large.simd, large.reason]).toEqual([
    'hnsw',
    false,
    `${LIMITS.exactRows + 1} rows are more than the ${LIMITS.exactRows} an exact scan is good for`,
  ])
  large.close()
})

it('stays exact for many rows where the page forbids HNSW, and says so', async () => {
  vi.stubGlobal('Function', function () {
    throw new EvalError('refused by policy')
  })
  try {
    const index = await createVectorIndex({ dims: 2, expectedRows: LIMITS.exactRows + 1 })
    expect(index.kind).toBe('exact')
    expect(index.reason).toContain("forbids 'unsafe-eval'")
  } finally {
    vi.unstubAllGlobals()
  }
})

it('refuses options that are none', async () => {
  for (const options of [
    { dims: 0 },
    { dims: 2, index: 'ivf' },
    { dims: 2, expectedRows: -1 },
    { dims: 2, expectedRows: 1.5 },
  ]) {
    await expect(createVectorIndex(options as { dims: number })).rejects.toMatchObject({
      code: 'input/invalid',
    })
  }
  await expect(
    createVectorIndex({ dims: 2, expectedRows: LIMITS.vectorRows + 1 }),
  ).rejects.toMatchObject({ code: 'input/too-large' })
})
