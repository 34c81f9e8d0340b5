/**
 * Approximate nearest neighbours by hnswlib-wasm: rows to labels, batching, reuse, snapshots.
 * Scores are recomputed: the library's distances do not decide the order.
 */
import type { HnswHandle, HnswModule } from 'hnswlib-wasm/dist/hnswlib-317962d7.js'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { HnswFiles } from './hnsw_files.ts'
import { loadHnswLibrary } from './hnsw_library.ts'
import { DEAD, decodeHnswSnapshot, encodeHnswSnapshot, readHnswElement } from './hnsw_snapshot.ts'
import { compareHits } from './top_hits.ts'
import { checkCount, checkDims, checkRow, grownRows, isRow, UnitRows } from './unit_rows.ts'
import { toUnitVector } from './unit_vector.ts'
import type { VectorHit, VectorIndex } from './vector_index.ts'

/**
 * Links of an element, search width while building and while asking (Malkov and Yashunin,
 * arXiv:1603.09320, and hnswlib's ALGO_PARAMS).
 */
const M = 16
const EF_CONSTRUCTION = 200
const EF_SEARCH = 128
const SEED = 100
/** Rows inserted at once: the library walks all its labels at the end of each call. */
const BATCH = 64
/** Asked for beyond k, so that equal cosines at the end can be ordered by row. */
const SPARE = 16

export interface HnswIndexOptions {
  readonly dims: number
  readonly expectedRows?: number
  /** From `snapshot()`. Throws `index/corrupt` when it does not validate: build the index again. */
  readonly snapshot?: Uint8Array
}

export async function createHnswIndex(options: HnswIndexOptions): Promise<HnswIndex> {
  checkDims(options.dims)
  if (options.expectedRows !== undefined && options.expectedRows > 0)
    checkRow(options.expectedRows - 1)
  // Validated before the library is fetched.
  const loaded =
    options.snapshot &&
    decodeHnswSnapshot(options.snapshot, { dims: options.dims, m: M }, LIMITS.vectorRows)
  const index = new HnswIndex(options.dims, await loadHnswLibrary(), options.expectedRows ?? 0)
  if (loaded) index.load(loaded)
  return index
}

/**
 * Labels are numbers of our own: the library takes 1.5 for a label, and a deleted label is best
 * given to the next new row. Which rows are found depends on the order of insertion, as the graph
 * does; their scores are those of the exact index, bit for bit.
 */
export class HnswIndex implements VectorIndex {
  readonly kind = 'hnsw'
  readonly dims: number

  /** One per library instance, which remembers the first it was given. */
  private readonly files: HnswFiles
  private readonly rows: UnitRows
  private handle: HnswHandle | null
  /** Row of each label, DEAD where removed; labels are 0, 1, 2 … */
  private readonly rowOf: number[] = []
  private readonly labelOf = new Map<number, number>()
  /** Dead labels, for reuse. */
  private readonly free: number[] = []
  /** Rows not in the graph yet, in order of arrival. */
  private readonly pending = new Set<number>()

  constructor(
    dims: number,
    private readonly library: HnswModule,
    expectedRows: number,
  ) {
    this.dims = dims

    this.files = new HnswFiles(library)
    this.rows = new UnitRows(dims)
    this.handle = this.guarded(() => {
      const handle = new library.HierarchicalNSW('ip', dims, '')
      handle.initIndex(Math.max(expectedRows, BATCH), M, EF_CONSTRUCTION, SEED)
      return handle
    })
  }

  get size(): number {
    return this.labelOf.size + this.pending.size
  }

  get bytes(): number {
    return this.handle
      ? this.rows.bytes + this.library.HEAPU8.byteLength + 24 * this.rowOf.length
      : 0
  }

  set(row: number, vector: ArrayLike<number>): void {
    this.open()
    checkRow(row)
    const unit = toUnitVector(vector, this.dims)
    // Reinserting an unchanged vector would degrade the graph.
    if (this.has(row) && this.rows.get(row).every((x, i) => x === unit[i])) return
    this.remove(row)
    this.rows.set(row, unit)
    this.pending.add(row)
    if (this.pending.size >= BATCH) this.flush()
  }

  remove(row: number): void {
    const handle = this.open()
    if (!this.has(row)) return
    this.rows.remove(row)
    if (this.pending.delete(row)) return
    const label = this.labelOf.get(row)!
    this.guarded(() => {
      handle.markDelete(label)
    })
    this.labelOf.delete(row)
    this.rowOf[label] = DEAD
    this.free.push(label)
  }

  has(row: number): boolean {
    return isRow(row) && this.rows.has(row)
  }

  get(row: number): Float32Array | null {
    this.open()
    return this.has(row) ? this.rows.get(row) : null
  }

  search(query: ArrayLike<number>, k: number, accept?: (row: number) => boolean): VectorHit[] {
    this.open()
    checkCount(k)
    const unit = toUnitVector(query, this.dims)
    if (k === 0 || this.size === 0) return []
    const handle = this.flush()
    const asked = Math.min(k + SPARE, this.rowOf.length)
    // The caller's error must not unwind through the library, which would keep its locks.
    let failure: { readonly error: unknown } | null = null
    const filter =
      accept &&
      ((label: number): boolean => {
        const row = this.rowOf[label]
        if (failure || row === undefined || row === DEAD) return false
        try {
          return accept(row)
        } catch (error) {
          failure = { error }
          return false
        }
      })
    const { neighbors } = this.guarded(() => {
      handle.setEfSearch(Math.max(EF_SEARCH, 2 * asked))
      return handle.searchKnn(unit, asked, filter)
    })
    if (failure) throw (failure as { readonly error: unknown }).error
    const found = new Set<number>()
    for (const label of neighbors) {
      const row = this.rowOf[label]
      if (row !== undefined && row !== DEAD) found.add(row)
    }
    // A selective filter, or many deletions, can leave the walk short: then scan every row.
    const candidates =
      found.size >= Math.min(k, this.size)
        ? found
        : [...this.labelOf.keys()].filter((row) => !accept || accept(row))
    const hits: VectorHit[] = []
    for (const row of candidates) hits.push({ row, score: this.rows.cosine(row, unit) })
    hits.sort(compareHits)
    if (hits.length > k) hits.length = k
    return hits
  }

  scores(): null {
    return null
  }

  /** The whole index as bytes, for the generation of the corpus it belongs to. */
  snapshot(): Uint8Array {
    const handle = this.flush()
    const file =
      this.rowOf.length === 0 ? new Uint8Array(0) : this.guarded(() => this.files.write(handle))
    return encodeHnswSnapshot(
      { rowOf: Uint32Array.from(this.rowOf), file },
      { dims: this.dims, m: M },
    )
  }

  /** Takes over a decoded snapshot; only for an empty index. */
  load(snapshot: { readonly rowOf: Uint32Array; readonly file: Uint8Array }): void {
    const handle = this.open()
    const { rowOf, file } = snapshot
    if (rowOf.length === 0) return
    this.guarded(() => {
      this.files.read(handle, file, Math.max(rowOf.length, handle.getMaxElements()))
    })
    for (let id = 0; id < rowOf.length; id++) {
      const { label, vector } = readHnswElement(file, id, { dims: this.dims, m: M })
      if (rowOf[label] !== DEAD) this.rows.set(rowOf[label]!, vector)
    }
    rowOf.forEach((row, label) => {
      this.rowOf.push(row)
      if (row === DEAD) this.free.push(label)
      else this.labelOf.set(row, label)
    })
  }

  close(): void {
    this.handle?.delete()
    this.handle = null
    this.rows.clear()
    this.pending.clear()
    this.labelOf.clear()
    this.rowOf.length = 0
    this.free.length = 0
  }

  private flush(): HnswHandle {
    const handle = this.open()
    if (this.pending.size === 0) return handle
    const rows = [...this.pending]
    const known = this.rowOf.length
    const labels = rows.map(() => this.free.pop() ?? this.rowOf.push(DEAD) - 1)
    this.guarded(() => {
      // The library counts reused labels as new points.
      const room = handle.getCurrentCount() + labels.length
      if (room > handle.getMaxElements())
        handle.resizeIndex(grownRows(handle.getMaxElements(), room))
      // Undelete a reused label first: adding then moves its old element, where otherwise the
      // library would refuse, or move any dead one.
      for (const label of labels) if (label < known) handle.unmarkDelete(label)
      handle.addPoints(
        rows.map((row) => this.rows.get(row)),
        labels,
        false,
      )
    })
    rows.forEach((row, i) => {
      this.rowOf[labels[i]!] = row
      this.labelOf.set(row, labels[i]!)
    })
    this.pending.clear()
    return handle
  }

  private open(): HnswHandle {
    if (!this.handle)
      throw new HubmeshError('store/closed', 'The vector index is closed; create a new one.')
    return this.handle
  }

  /**
   * Whatever the library throws leaves it in an unknown state: the index is closed and must be
   * rebuilt.
   */
  private guarded<T>(run: () => T): T {
    try {
      return run()
    } catch (cause) {
      this.handle = null
      const message = String(cause instanceof Error ? cause.message : cause)
      if (/not enough memory|bad_alloc|enlarge memory/i.test(message)) {
        throw new HubmeshError(
          'input/too-large',
          "There is no memory left for the HNSW index; use index: 'exact', which needs less, or split the corpus.",
          { cause },
        )
      }
      throw new HubmeshError(
        'index/corrupt',
        'The HNSW library failed; close this index and build a new one from the vectors.',
        { cause },
      )
    }
  }
}
