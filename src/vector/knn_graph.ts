/** The graph that joins each row to its nearest others. */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { grown } from '../base/grown.ts'
import { checkCount } from './unit_rows.ts'
import type { VectorIndex } from './vector_index.ts'

/**
 * Compressed sparse rows: the neighbours of `row` are `targets[offsets[row]]` up to
 * `targets[offsets[row + 1] - 1]`, nearest first, ties by row.
 */
export interface KnnGraph {
  readonly offsets: Int32Array
  readonly targets: Int32Array
  /** Cosine of each pair, in [-1, 1]. */
  readonly weights: Float32Array
}

export interface KnnGraphOptions {
  readonly signal?: AbortSignal
  /**
   * Awaited after each batch of rows, to let other tasks run. Default: one turn of the event loop.
   */
  readonly pause?: (done: number, total: number) => Promise<void>
}

/** A batch of searches takes some tens of milliseconds at 10,000 rows. */
const BATCH = 64

/**
 * The k nearest other rows of every row below `rows`; a row without a vector has no neighbours and
 * is nobody's. Directed. Rejects with `input/invalid` and `aborted`.
 */
export async function buildKnnGraph(
  index: VectorIndex,
  rows: number,
  k: number,
  options: KnnGraphOptions = {},
): Promise<KnnGraph> {
  checkCount(k)
  if (!Number.isInteger(rows) || rows < 0 || rows > 2 ** 31 - 1)
    throw new HubmeshError(
      'input/invalid',
      `rows is ${String(rows)}; it must be a whole number of rows.`,
    )
  const { signal, pause = nextTurn } = options
  throwIfAborted(signal)
  const offsets = new Int32Array(rows + 1)
  // Grown as found: k may be far more than there are rows.
  let targets = new Int32Array(0)
  let weights = new Float32Array(0)
  let used = 0
  for (let row = 0; row < rows; row++) {
    if (row % BATCH === 0 && row > 0) {
      await pause(row, rows)
      throwIfAborted(signal)
    }
    const vector = index.get(row)
    const hits =
      vector && k > 0 ? index.search(vector, k, (other) => other !== row && other < rows) : []
    targets = grown(targets, used + hits.length)
    weights = grown(weights, used + hits.length)
    for (const hit of hits) {
      targets[used] = hit.row
      weights[used++] = hit.score
    }
    offsets[row + 1] = used
  }
  return { offsets, targets: targets.slice(0, used), weights: weights.slice(0, used) }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
