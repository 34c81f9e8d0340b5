/** Chooses a vector index, and says why. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { createExactIndex } from './exact_index.ts'
import type { VectorIndex } from './vector_index.ts'

export type IndexChoice = 'exact' | 'hnsw' | 'auto'

export interface VectorIndexOptions {
  readonly dims: number
  /** Default `auto`. */
  readonly index?: IndexChoice
  /** `auto` chooses by it, and room is made for as many. */
  readonly expectedRows?: number
  /** `off` scans with a plain loop; answers are the same. */
  readonly simd?: 'auto' | 'off'
}

export interface ChosenVectorIndex extends VectorIndex {
  /** True where a scan runs in wasm SIMD. */
  readonly simd: boolean
  /** Why this kind and this loop, in words. */
  readonly reason: string
}

/**
 * An empty vector index. `auto` scans exactly up to LIMITS.exactRows and uses HNSW beyond, where
 * the page allows it. Rejects with `input/invalid` for impossible options, and for `hnsw` on a page
 * whose Content-Security-Policy forbids `unsafe-eval`.
 */
export async function createVectorIndex(options: VectorIndexOptions): Promise<ChosenVectorIndex> {
  const { dims, index = 'auto', expectedRows = 0 } = options
  if (!Number.isInteger(expectedRows) || expectedRows < 0)
    throw new HubmeshError(
      'input/invalid',
      `expectedRows is ${String(expectedRows)}; it must be a whole number of rows.`,
    )
  const room = expectedRows > 0 ? { expectedRows } : {}
  const exact = async (why: string): Promise<ChosenVectorIndex> => {
    const made = await createExactIndex({ dims, ...room, simd: options.simd ?? 'auto' })
    return describe(
      made,
      made.simd,
      `${why}; ${made.simd ? 'scanned with wasm SIMD' : `scanned with a plain loop, as ${made.kernelReason}`}`,
    )
  }
  const hnsw = async (why: string): Promise<ChosenVectorIndex> => {
    const { createHnswIndex } = await import('./hnsw_index.ts')
    return describe(await createHnswIndex({ dims, ...room }), false, why)
  }
  switch (index) {
    case 'exact':
      return exact('exact search was asked for')
    case 'hnsw':
      return hnsw('HNSW was asked for')
    case 'auto': {
      if (expectedRows <= LIMITS.exactRows)
        return exact(
          `up to ${LIMITS.exactRows} rows an exact scan is fast enough and needs no build`,
        )
      const { evalIsAllowed } = await import('./hnsw_library.ts')
      if (!evalIsAllowed())
        return exact(
          `${expectedRows} rows call for HNSW, but it cannot run here: the page's ` +
            `Content-Security-Policy forbids 'unsafe-eval', or the workers are those of ` +
            'hubmesh/inline',
        )
      return hnsw(
        `${expectedRows} rows are more than the ${LIMITS.exactRows} an exact scan is good for`,
      )
    }
    default:
      throw new HubmeshError(
        'input/invalid',
        `index is ${String(index)}; it must be 'exact', 'hnsw' or 'auto'.`,
      )
  }
}

function describe<T extends VectorIndex>(
  index: T,
  simd: boolean,
  reason: string,
): T & ChosenVectorIndex {
  return Object.defineProperties(index, { simd: { value: simd }, reason: { value: reason } }) as T &
    ChosenVectorIndex
}
