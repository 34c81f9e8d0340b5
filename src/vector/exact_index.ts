/**
 * Exact nearest neighbours: a scan of 8-bit rows, then full precision for every row that the scan
 * cannot rule out.
 */
import { HubmeshError } from '../base/errors.ts'
import { grown } from '../base/grown.ts'
import { LIMITS } from '../base/limits.ts'
import { paddedWidth, productError, quantizeQuery, quantizeRow } from './quantize.ts'
import { loadScanKernel, SCAN_ROWS } from './scan_kernel.ts'
import type { ScanKernel } from './scan_kernel.ts'
import { compareHits, LargestScores } from './top_hits.ts'
import { checkCount, checkDims, checkRow, grownRows, isRow, UnitRows } from './unit_rows.ts'
import type { RowSource } from './unit_rows.ts'
import { toUnitVector } from './unit_vector.ts'
import type { VectorHit, VectorIndex } from './vector_index.ts'

export interface ExactIndexOptions {
  readonly dims: number
  readonly expectedRows?: number
  /** `off` scans with a plain loop; answers are the same to the bit. */
  readonly simd?: 'auto' | 'off'
  /** Full-precision rows; own memory when left out. */
  readonly rowSource?: RowSource
}

/** Makes an empty exact index. `kernelReason` says which loop scans, and why. */
export async function createExactIndex(options: ExactIndexOptions): Promise<ExactIndex> {
  checkDims(options.dims)
  const { kernel, reason } = await loadScanKernel(paddedWidth(options.dims), options.simd)
  const index = new ExactIndex(
    options.dims,
    kernel,
    reason,
    options.rowSource ?? new UnitRows(options.dims),
  )
  if (options.expectedRows !== undefined && options.expectedRows > 0) {
    checkRow(options.expectedRows - 1)
    kernel.reserve(options.expectedRows)
  }
  return index
}

export class ExactIndex implements VectorIndex {
  readonly kind = 'exact'
  readonly dims: number
  readonly kernelReason: string

  private count = 0
  /** One past the highest row ever set. */
  private end = 0
  /** NaN where there is no row, so that every comparison with its score fails. */
  private scales = new Float32Array(0)
  /** Bound of the scan's error of each row, rounded up. */
  private residuals = new Float32Array(0)
  private closed = false

  constructor(
    dims: number,
    private readonly kernel: ScanKernel,
    kernelReason: string,
    private readonly rows: RowSource,
  ) {
    this.dims = dims

    this.kernelReason = kernelReason
  }

  get simd(): boolean {
    return this.kernel.simd
  }

  get size(): number {
    return this.count
  }

  get bytes(): number {
    return this.kernel.bytes + this.rows.bytes + this.scales.byteLength + this.residuals.byteLength
  }

  set(row: number, vector: ArrayLike<number>): void {
    this.checkOpen()
    checkRow(row)
    const unit = toUnitVector(vector, this.dims)
    if (row >= this.kernel.capacity)
      this.kernel.reserve(Math.min(grownRows(this.kernel.capacity, row + 1), LIMITS.vectorRows))
    this.scales = grown(this.scales, row + 1, NaN)
    this.residuals = grown(this.residuals, row + 1)
    this.rows.set(row, unit)
    const { array, start } = this.kernel.place(row)
    const { scale, residual } = quantizeRow(unit, array, start)
    if (Number.isNaN(this.scales[row])) this.count++
    this.scales[row] = scale
    // The residual is relative to the f32 scale: the bound grows by that rounding.
    this.residuals[row] = residual * (1 + 1e-6) + 2e-7
    this.end = Math.max(this.end, row + 1)
  }

  remove(row: number): void {
    this.checkOpen()
    if (!this.has(row)) return
    this.rows.remove(row)
    const { array, start } = this.kernel.place(row)
    array.fill(0, start, start + this.dims)
    this.scales[row] = NaN
    this.count--
  }

  has(row: number): boolean {
    return isRow(row) && row < this.end && !Number.isNaN(this.scales[row])
  }

  get(row: number): Float32Array | null {
    this.checkOpen()
    return this.has(row) ? this.rows.get(row) : null
  }

  /**
   * Exactly the k nearest of the rows that `accept` takes. The scan's error is bounded for each row
   * (productError): a row is left out only when its best possible cosine is below the k-th worst
   * possible one; all others are compared in full precision.
   */
  search(query: ArrayLike<number>, k: number, accept?: (row: number) => boolean): VectorHit[] {
    this.checkOpen()
    checkCount(k)
    const unit = toUnitVector(query, this.dims)
    if (k === 0 || this.count === 0) return []
    const atLeast = new LargestScores(Math.min(k, this.count))
    const residuals = this.residuals
    const rows: number[] = []
    const atMost: number[] = []
    let threshold = -Infinity
    this.scan(unit, (score, row, queryResidual) => {
      const error = productError(queryResidual, residuals[row]!)
      // False for NaN too. The threshold only rises: what falls short now never comes back.
      if (!(score + error >= threshold)) return
      if (accept && !accept(row)) return
      atLeast.offer(score - error)
      threshold = atLeast.threshold
      rows.push(row)
      atMost.push(score + error)
    })
    const hits: VectorHit[] = []
    rows.forEach((row, i) => {
      if (atMost[i]! >= threshold) hits.push({ row, score: this.rows.cosine(row, unit) })
    })
    hits.sort(compareHits)
    if (hits.length > k) hits.length = k
    return hits
  }

  /**
   * Cosines by the scan, off by about .003 at 384 dims; the LIMITS.rescoreRows best, and all that
   * tie with the last of them, in full precision. Which rows those are depends on the vectors
   * alone.
   */
  scores(query: ArrayLike<number>, rows: number): Float32Array {
    this.checkOpen()
    if (!Number.isInteger(rows) || rows < 0 || rows > 2 ** 31 - 1)
      throw new HubmeshError(
        'input/invalid',
        `rows is ${String(rows)}; it must be a whole number of rows.`,
      )
    const unit = toUnitVector(query, this.dims)
    const scores = new Float32Array(Math.max(rows, this.end)).fill(NaN)
    const best = new LargestScores(LIMITS.rescoreRows),
      { scale, values } = quantizeQuery(unit),
      scales = this.scales,
      kernel = this.kernel
    let threshold = -Infinity
    kernel.setQuery(values)
    // `scan` inlined: a call for each row would cost as much as the scan.
    for (let first = 0; first < this.end; first += SCAN_ROWS) {
      const count = Math.min(SCAN_ROWS, this.end - first),
        sums = kernel.scan(first, count)
      for (let i = 0; i < count; i++) {
        const row = first + i,
          score = sums[i]! * scales[row]! * scale
        const held = Math.fround(score > 1 ? 1 : score < -1 ? -1 : score)
        scores[row] = held
        if (held > threshold) {
          best.offer(held)
          threshold = best.threshold
        }
      }
    }
    for (let row = 0; row < this.end; row++)
      if (scores[row]! >= threshold) scores[row] = this.rows.cosine(row, unit)
    return rows < scores.length ? scores.slice(0, rows) : scores
  }

  close(): void {
    this.closed = true
    this.kernel.close()
    this.rows.clear()
    this.count = 0
    this.end = 0
    this.scales = new Float32Array(0)
    this.residuals = new Float32Array(0)
  }

  /** Visits each row up to `end` with its cosine by the scan, NaN where there is no row. */
  private scan(
    unit: Float32Array,
    visit: (score: number, row: number, queryResidual: number) => void,
  ): void {
    const query = quantizeQuery(unit)
    const kernel = this.kernel
    const scales = this.scales
    kernel.setQuery(query.values)
    for (let first = 0; first < this.end; first += SCAN_ROWS) {
      const count = Math.min(SCAN_ROWS, this.end - first)
      const sums = kernel.scan(first, count)
      for (let i = 0; i < count; i++)
        visit(sums[i]! * scales[first + i]! * query.scale, first + i, query.residual)
    }
  }

  private checkOpen(): void {
    if (this.closed)
      throw new HubmeshError('store/closed', 'The vector index is closed; create a new one.')
  }
}
