/** The f32 rows of an index: unit vectors in blocks that never move. */
import { HubmeshError } from '../base/errors.ts'
import { grown } from '../base/grown.ts'
import { LIMITS } from '../base/limits.ts'
import { cosineOfUnits } from './unit_vector.ts'

/** Where an index reads its full-precision rows. */
export interface RowSource {
  readonly bytes: number
  has(row: number): boolean
  /** Copies a row that is there. */
  get(row: number): Float32Array
  set(row: number, unit: Float32Array): void
  remove(row: number): void
  /** Cosine of a row that is there with a unit query. */
  cosine(row: number, query: Float32Array): number
  clear(): void
}

const BLOCK_ROWS = 1024

export class UnitRows implements RowSource {
  /** Undefined where no row of the block was ever set. */
  private readonly blocks: (Float32Array | undefined)[] = []
  private present = new Uint8Array(0)

  constructor(private readonly dims: number) {}

  get bytes(): number {
    let blocks = 0
    for (const block of this.blocks) if (block) blocks++
    return blocks * BLOCK_ROWS * this.dims * 4 + this.present.byteLength
  }

  has(row: number): boolean {
    return this.present[row] === 1
  }

  get(row: number): Float32Array {
    const start = (row % BLOCK_ROWS) * this.dims
    return this.blocks[Math.floor(row / BLOCK_ROWS)]!.slice(start, start + this.dims)
  }

  set(row: number, unit: Float32Array): void {
    this.present = grown(this.present, row + 1)
    const at = Math.floor(row / BLOCK_ROWS)
    let block = this.blocks[at]
    if (!block) {
      block = allocate(() => new Float32Array(BLOCK_ROWS * this.dims), row)
      // An array with holes would turn into a hash table.
      while (this.blocks.length < at) this.blocks.push(undefined)
      this.blocks[at] = block
    }
    block.set(unit, (row % BLOCK_ROWS) * this.dims)
    this.present[row] = 1
  }

  remove(row: number): void {
    if (!this.has(row)) return
    this.present[row] = 0
    // A removed document's vector is personal data too: wipe it.
    const start = (row % BLOCK_ROWS) * this.dims
    this.blocks[Math.floor(row / BLOCK_ROWS)]!.fill(0, start, start + this.dims)
  }

  cosine(row: number, query: Float32Array): number {
    return cosineOfUnits(
      this.blocks[Math.floor(row / BLOCK_ROWS)]!,
      (row % BLOCK_ROWS) * this.dims,
      query,
      0,
      this.dims,
    )
  }

  clear(): void {
    this.blocks.length = 0
    this.present = new Uint8Array(0)
  }
}

/** Amortised growth for `needed` rows. */
export function grownRows(capacity: number, needed: number): number {
  return Math.max(needed, Math.ceil(capacity * 1.5), 64)
}

/** Memory that the browser refuses becomes `input/too-large`. */
export function allocate<T>(make: () => T, row: number): T {
  try {
    return make()
  } catch (cause) {
    throw new HubmeshError(
      'input/too-large',
      `There is no memory left for the vector of row ${row}; split the corpus or close other tabs.`,
      { cause, details: { row } },
    )
  }
}

export function checkDims(dims: number): void {
  if (!Number.isInteger(dims) || dims < 1 || dims > LIMITS.vectorDims) {
    throw new HubmeshError(
      'input/invalid',
      `dims is ${String(dims)}; it must be a whole number from 1 to ${LIMITS.vectorDims}.`,
      { details: { limit: LIMITS.vectorDims } },
    )
  }
}

/** Throws `input/invalid` for what is no row number, `input/too-large` past the limit. */
export function checkRow(row: number): void {
  if (typeof row !== 'number' || !Number.isInteger(row) || row < 0 || row > 2 ** 31 - 2) {
    throw new HubmeshError(
      'input/invalid',
      `The row is ${String(row)}; it must be a whole number from 0 to 2147483646.`,
    )
  }
  if (row >= LIMITS.vectorRows) {
    throw new HubmeshError(
      'input/too-large',
      `Row ${row} is past the ${LIMITS.vectorRows} rows an index can hold; split the corpus.`,
      { details: { row, limit: LIMITS.vectorRows } },
    )
  }
}

/** Throws `input/invalid` for what is no number of answers; 0 is allowed. */
export function checkCount(k: number): void {
  if (typeof k !== 'number' || !Number.isInteger(k) || k < 0) {
    throw new HubmeshError(
      'input/invalid',
      `k is ${String(k)}; it must be a whole number of answers, 0 or more.`,
    )
  }
}

export function isRow(row: number): boolean {
  return Number.isInteger(row) && row >= 0
}
