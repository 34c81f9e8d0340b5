/** The 8-bit rows and the scan over them, in wasm SIMD where available, else in JavaScript. */
import { KERNEL_WASM_BASE64 } from './kernel_wasm.ts'
import { allocate } from './unit_rows.ts'

/** Rows of one kernel call: their sums stay in the first-level cache. */
export const SCAN_ROWS = 2048

/** Rows of equal width, numbered from 0. Sums are integers, the same in every implementation. */
export interface ScanKernel {
  readonly simd: boolean
  readonly bytes: number
  readonly capacity: number
  /** Makes room for at least `rows`. Throws `input/too-large`. */
  reserve(rows: number): void
  /** Where to write a row: an array and the place of its first component. Valid until `reserve`. */
  place(row: number): { readonly array: Int8Array; readonly start: number }
  /** Call before `scan`. */
  setQuery(values: Int16Array): void
  /**
   * Dot products of the query with `count` (at most SCAN_ROWS) rows from `first`; valid until the
   * next call.
   */
  scan(first: number, count: number): Int32Array
  close(): void
}

export class PlainKernel implements ScanKernel {
  readonly simd = false

  private rows = new Int8Array(0)
  private query: Int16Array = new Int16Array(0)
  private readonly sums = new Int32Array(SCAN_ROWS)

  constructor(private readonly width: number) {}

  get bytes(): number {
    return this.rows.byteLength + this.sums.byteLength
  }

  get capacity(): number {
    return this.rows.length / this.width
  }

  reserve(rows: number): void {
    if (rows <= this.capacity) return
    const grown = allocate(() => new Int8Array(rows * this.width), rows - 1)
    grown.set(this.rows)
    this.rows = grown
  }

  place(row: number): { readonly array: Int8Array; readonly start: number } {
    return { array: this.rows, start: row * this.width }
  }

  setQuery(values: Int16Array): void {
    this.query = values
  }

  scan(first: number, count: number): Int32Array {
    const rows = this.rows
    const query = this.query
    const width = this.width
    let at = first * width
    for (let i = 0; i < count; i++) {
      // Four independent sums are a third faster than one; the width is a multiple of 16.
      let a = 0,
        b = 0,
        c = 0,
        d = 0
      for (let j = 0; j < width; j += 4) {
        const p = at + j
        a = (a + Math.imul(query[j]!, rows[p]!)) | 0
        b = (b + Math.imul(query[j + 1]!, rows[p + 1]!)) | 0
        c = (c + Math.imul(query[j + 2]!, rows[p + 2]!)) | 0
        d = (d + Math.imul(query[j + 3]!, rows[p + 3]!)) | 0
      }
      this.sums[i] = (a + b + c + d) | 0
      at += width
    }
    return this.sums
  }

  close(): void {
    this.rows = new Int8Array(0)
  }
}

interface KernelExports {
  readonly memory: WebAssembly.Memory
  readonly scan: (query: number, rows: number, width: number, count: number, out: number) => void
}

const PAGE = 65536

/** One wasm memory: the query, the sums, the rows. Growing replaces the buffer and the views. */
class WasmKernel implements ScanKernel {
  readonly simd = true

  private readonly sumsAt: number
  private readonly rowsAt: number

  private rows = new Int8Array(0)
  private query = new Int16Array(0)
  private sums = new Int32Array(0)
  private exports: KernelExports | null

  constructor(
    private readonly width: number,
    exports: KernelExports,
  ) {
    this.exports = exports
    const { memory } = exports
    this.sumsAt = width * 2
    this.rowsAt = this.sumsAt + SCAN_ROWS * 4
    const needed = Math.ceil(this.rowsAt / PAGE) * PAGE - memory.buffer.byteLength
    if (needed > 0) memory.grow(needed / PAGE)
    this.readViews(memory)
  }

  get bytes(): number {
    return this.exports?.memory.buffer.byteLength ?? 0
  }

  get capacity(): number {
    return Math.floor(this.rows.length / this.width)
  }

  reserve(rows: number): void {
    const memory = this.exports?.memory
    if (!memory || rows <= this.capacity) return
    const pages = Math.ceil((this.rowsAt + rows * this.width - memory.buffer.byteLength) / PAGE)
    allocate(() => memory.grow(pages), rows - 1)
    this.readViews(memory)
  }

  place(row: number): { readonly array: Int8Array; readonly start: number } {
    return { array: this.rows, start: row * this.width }
  }

  setQuery(values: Int16Array): void {
    this.query.set(values)
  }

  scan(first: number, count: number): Int32Array {
    this.exports?.scan(0, this.rowsAt + first * this.width, this.width, count, this.sumsAt)
    return this.sums
  }

  close(): void {
    this.exports = null
    this.rows = new Int8Array(0)
    this.query = new Int16Array(0)
    this.sums = new Int32Array(0)
  }

  private readViews(memory: WebAssembly.Memory): void {
    this.query = new Int16Array(memory.buffer, 0, this.width)
    this.sums = new Int32Array(memory.buffer, this.sumsAt, SCAN_ROWS)
    this.rows = new Int8Array(memory.buffer, this.rowsAt)
  }
}

export interface ChosenKernel {
  readonly kernel: ScanKernel
  readonly reason: string
}

/** The wasm kernel, or the plain loop where wasm SIMD is missing or forbidden. */
export async function loadScanKernel(
  width: number,
  simd: 'auto' | 'off' = 'auto',
): Promise<ChosenKernel> {
  if (simd === 'off') return { kernel: new PlainKernel(width), reason: 'SIMD is turned off' }
  if (typeof WebAssembly === 'undefined')
    return { kernel: new PlainKernel(width), reason: 'this engine has no WebAssembly' }
  const bytes = Uint8Array.from(atob(KERNEL_WASM_BASE64), (char) => char.charCodeAt(0))
  if (!WebAssembly.validate(bytes))
    return { kernel: new PlainKernel(width), reason: 'this engine has no wasm SIMD' }
  try {
    const { instance } = await WebAssembly.instantiate(bytes)
    return {
      kernel: new WasmKernel(width, instance.exports as unknown as KernelExports),
      reason: 'wasm SIMD',
    }
  } catch {
    // The bytes are valid: the page's Content-Security-Policy refused to compile them.
    return {
      kernel: new PlainKernel(width),
      reason: "the page's Content-Security-Policy lacks 'wasm-unsafe-eval'",
    }
  }
}
